// What is folded away is printed, too; then it is folded again.

import { below } from "../lib/dom.js";

let opened = [];
addEventListener("beforeprint", () => {
  opened = [...below(document.body)].filter((part) => part.matches("details:not([open])") && !part.closest(".st-key-recipe"));
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
});
