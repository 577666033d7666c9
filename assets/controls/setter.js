// Sets what something else than a control has decided: once a file has come, the page shows it.

import { pageTurns } from "../lib/pages.js";
import { set } from "../lib/settings.js";

const past = new Set();

export default function ({ data: { texts, occasion } }) {
  if (!occasion || past.has(occasion) || pageTurns()) return;
  past.add(occasion);
  set(texts);
}
