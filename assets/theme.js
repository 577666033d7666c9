// Follows class mode, names the rail for screen readers, and asks for a rerun when the viewer has
// switched the theme, or when the first picture is drawn and something waits for that. Streamlit calls
// this again with each change, on the same element; a page that has just opened has nothing to ask.

import { sleep } from "./lib/dom.js";
import { firstPicture } from "./lib/pages.js";

const seen = new WeakMap();
const page = { waits: false, isTelling: false, send: undefined };

export default function ({ parentElement, data, setTriggerValue }) {
  document.documentElement.classList.toggle("presenting", data.isPresenting);
  Object.assign(document.querySelector(".st-key-rail") ?? {}, { role: "navigation", ariaLabel: "Pages" });
  Object.assign(page, { waits: data.waits, send: setTriggerValue });
  if (page.waits && !page.isTelling) tellOfPicture();
  for (const link of document.querySelectorAll(".st-key-rail-lessons a")) {
    link.ariaLabel = `${link.textContent.split(" ")[0]}, ${data.titles[link.pathname.split("/").pop()]}`;
  }
  const now = getComputedStyle(parentElement).getPropertyValue("--st-background-color");
  const before = seen.get(parentElement) ?? now;
  seen.set(parentElement, now);
  if (now !== before) setTriggerValue("switched", now);
}

// Said until nothing waits: a page that is not connected again yet hears nothing.
async function tellOfPicture() {
  page.isTelling = true;
  while (page.waits) {
    await firstPicture();
    if (page.waits) page.send("drawn", true);
    await sleep(3000);
  }
  page.isTelling = false;
}
