// Follows class mode, names the rail for screen readers, and asks for a rerun when the viewer has switched the theme. Streamlit calls this
// again with each change of the theme, on the same element; a page that has just opened has nothing to
// ask. What waits for the first picture is drawn by a rerun, too.

import { firstPicture } from "./lib/pages.js";

const seen = new WeakMap();
let asked = ""; // the page where something waits

export default function ({ parentElement, data, setTriggerValue }) {
  document.documentElement.classList.toggle("presenting", data.isPresenting);
  Object.assign(document.querySelector(".st-key-rail") ?? {}, { role: "navigation", ariaLabel: "Pages" });
  const now = getComputedStyle(parentElement).getPropertyValue("--st-background-color");
  const before = seen.get(parentElement) ?? now;
  if (data.waits && asked !== location.pathname) {
    asked = location.pathname;
    firstPicture().then(() => {
      asked = "";
      setTriggerValue("drawn", true);
    });
  }
  seen.set(parentElement, now);
  if (now !== before) setTriggerValue("switched", now);
}
