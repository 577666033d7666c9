// The answer to a lesson's question may be seen once the reader has guessed, pressed Play or touched
// a control. The question, the pictures and the controls tell each other by the event "reveal"; with
// "Ask me first" a guess is required. What is revealed stays so until the page is loaded again.

import { link } from "./settings.js";

const revealed = new Set(); // addresses of lessons
const here = () => location.pathname;
if (link.has("answer")) revealed.add(here());

export const answer = {
  askFirst: false, // set by the question, as is `count`
  count: () => {}, // in class mode, adds a guess for an answer, or takes the last one back
  isHidden: () => document.querySelector(".st-key-question") !== null && !revealed.has(here()),
  // Return whether the answer may be seen.
  reveal({ guessed = false } = {}) {
    if (!answer.isHidden()) return true;
    if (answer.askFirst && !guessed) return false;
    revealed.add(here());
    document.dispatchEvent(new Event("reveal"));
    return true;
  },
  hide() {
    revealed.delete(here());
    document.dispatchEvent(new Event("reveal"));
  },
};

for (const event of ["pointerdown", "keydown"]) {
  document.addEventListener(event, (touch) => {
    const waits = ["Tab", "Shift"].includes(touch.key) || document.documentElement.matches(".presenting"); // for Show
    if (!waits && !(touch.button > 0) && touch.target.closest?.(".st-key-controls")) answer.reveal();
  }, true);
}
