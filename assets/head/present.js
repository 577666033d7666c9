// With ?stage=1 the styles show the picture and its knobs alone; with ?present=1 they are those of
// class mode, which Streamlit's script then switches (see theme.js). Keys for the lecturer: 1, 2, 3
// count a guess, Backspace takes the last one back, R reveals the answer, N leads to the next step or
// lesson, P leaves class mode. Space plays (see the player).

import { answer } from "../lib/answer.js";
import { link, set } from "../lib/settings.js";

const { classList } = document.documentElement;
classList.toggle("presenting", link.get("present") === "1");
classList.toggle("staged", link.get("stage") === "1");

const LECTURER = {
  1: () => answer.count(0),
  2: () => answer.count(1),
  3: () => answer.count(2),
  backspace: () => answer.count(),
  n: () => document.querySelector(".st-key-rail-next a, .st-key-next-lesson a")?.click(),
  r: () => answer.reveal({ guessed: true }),
  p: () => set({ present: null }),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, [contenteditable]");
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const act = LECTURER[event.key.toLowerCase()];
  if (!act || typing || !plain || !classList.contains("presenting")) return;
  event.stopPropagation(); // single keys are Streamlit's shortcuts, too
  act();
}, true);
