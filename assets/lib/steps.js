// The frame of a picture that one plays in steps: a chip for each, its number filled once its act was done,
// and "Next", which leads to the next step and at last to the next lesson. Keys: 1 to 5 choose a step, N
// is Next; in class mode, where these are the lecturer's, the arrows go from step to step.

import { answer } from "./answer.js";
import { element, isShortcut } from "./dom.js";
import { placeOf } from "./settings.js";
import { sayMoved } from "./toy.js";

// In the course plan the next lesson is that of the plan.
const nextLesson = () =>
  document.querySelector(".st-key-rail-next a") ?? document.querySelector(".st-key-next-lesson a");

// The steps from `behind` on show the answer to the question: who goes there, or follows a link, opens
// it, but a reader who is to be asked first stays before it, and is told so.
export function stepIn(view, behind) {
  const at = placeOf(view.data.step) + 1;
  view.isLastBefore = at + 1 >= behind; // whether the next step would tell the answer
  view.first = at >= behind && !answer.reveal() ? "First answer the question above." : null;
  return view.first ? behind - 1 : at;
}

// `view` has its `root`, its `step`, from 1 on, the steps that are `done`, a set to which only an act of the
// reader adds, not what a link shows, and the setting `data.step`. Each step has its name on a chip, and its
// goal beside the chips, or what `view.first` asks for before. `keys` are further keys, with what they do;
// `opening` returns the further settings, with their places, with which a step opens.
export function makeSteps(view, names, goals, keys = {}, opening = () => []) {
  const chips = names.map((name, i) => element("button", { type: "button" }, element("b", {}, i + 1), ` ${name}`));
  const next = element("button", { type: "button", class: "onward" });
  const row = element("div", { class: "steps", role: "group", "aria-label": "Steps" }, ...chips);
  const goTo = (step) => {
    if (!(step >= 1 && step <= names.length)) return;
    if (view.settling) view.settle(); // what the hand has set before
    sayMoved(view, [[view.data.step, step - 1], ...opening(step)]);
  };
  const goOn = () => (view.step < names.length ? goTo(view.step + 1) : nextLesson()?.click());
  chips.forEach((chip, i) => (chip.onclick = () => goTo(i + 1)));
  next.onclick = goOn;
  row.onkeydown = ({ key, isTrusted }) => {
    if (key === " " && !isTrusted) play(view); // from the lecturer, and not to press a chip
    goTo(view.step + ({ ArrowLeft: -1, ArrowRight: 1 }[key] ?? NaN));
    if (isTrusted && key.startsWith("Arrow")) chips[view.step - 1].focus();
  };
  listenToKeys(view, { n: goOn, ...Object.fromEntries(names.map((_, i) => [i + 1, () => goTo(i + 1)])), ...keys });
  const goal = element("p", { class: "goal" });
  const top = element("div", { class: "top" }, row, goal);
  const draw = () => {
    const text = view.first ?? goals[view.step - 1];
    if (goal.textContent !== text) goal.textContent = text;
    drawSteps(view, names, chips, next);
    next.classList.toggle("answers", Boolean(view.isLastBefore)); // for the lecturer, see assets/head/present.js
  };
  return { top, next, draw };
}

// Play shows the answer that the picture itself asks for; then what moves in this step, if anything; or the
// answer to the question above.
function play(view) {
  const { guess, guessing, root } = view;
  if (guessing && !guess && !guessing.row.hidden) guessing.show();
  else if (view.play) view.play();
  else if (root.getRootNode().host.closest(".st-key-stage")) answer.show({ guessed: true });
}

function drawSteps({ step, done }, names, chips, next) {
  chips.forEach((chip, i) => {
    chip.ariaCurrent = i + 1 === step ? "step" : null;
    chip.classList.toggle("done", done.has(i + 1));
    chip.title = done.has(i + 1) ? "✓ You have done this step" : "";
  });
  const lesson = nextLesson()?.textContent.trim();
  next.textContent = step < names.length ? `Next: ${names[step]}` : (lesson ?? "");
  next.hidden = !next.textContent; // the map on the wall is the last page outside a plan
  next.classList.toggle("ready", done.has(step));
}

function isInView(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

function listenToKeys(view, keys) {
  const listener = (event) => {
    if (!view.root.isConnected) return document.removeEventListener("keydown", listener);
    const act = keys[event.key.toLowerCase()];
    const isWall = document.documentElement.matches(".presenting");
    if (!act || !isShortcut(event) || isWall || !isInView(view.root)) return;
    event.stopPropagation(); // single keys are Streamlit's shortcuts, too
    act();
  };
  document.addEventListener("keydown", listener, true);
}
