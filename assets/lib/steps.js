// The frame of a picture that one plays in steps: a chip for each, with a tick once its act was done,
// and "Next", which leads to the next step and at last to the next lesson. Keys: 1 to 5 choose a step, N
// is Next; in class mode, where these are the lecturer's, the arrows go from step to step.

import { element } from "./dom.js";

// In the course plan the next lesson is that of the plan.
const nextLesson = () =>
  document.querySelector(".st-key-rail-next a") ?? document.querySelector(".st-key-next-lesson a");

// `view` has its `root`, its `step`, from 1 on, and the steps that are `done`, a set; `goTo` is told a step.
export function makeSteps(view, names, goTo) {
  const chips = names.map((name, i) => element("button", { type: "button" }, element("b", {}, i + 1), ` ${name}`));
  const next = element("button", { type: "button", class: "onward" });
  const row = element("div", { class: "steps", role: "group", "aria-label": "Steps" }, ...chips);
  const choose = (step) => {
    if (step >= 1 && step <= names.length) goTo(step);
  };
  const goOn = () => (view.step < names.length ? goTo(view.step + 1) : nextLesson()?.click());
  chips.forEach((chip, i) => (chip.onclick = () => choose(i + 1)));
  next.onclick = goOn;
  row.onkeydown = ({ key }) => choose(view.step + ({ ArrowLeft: -1, ArrowRight: 1 }[key] ?? NaN));
  listenToKeys(view, (key) => (key === "n" ? goOn() : choose(Number(key))));
  return { row, next, draw: () => draw(view, names, chips, next) };
}

function draw({ step, done }, names, chips, next) {
  chips.forEach((chip, i) => {
    chip.ariaCurrent = i + 1 === step ? "step" : null;
    chip.classList.toggle("done", done.has(i + 1));
  });
  const lesson = nextLesson()?.textContent.trim();
  next.textContent = step < names.length ? `Next: ${names[step]}` : (lesson ?? "Next lesson");
  next.classList.toggle("ready", done.has(step));
}

function listenToKeys(view, act) {
  const listener = (event) => {
    if (!view.root.isConnected) return document.removeEventListener("keydown", listener);
    const [target] = event.composedPath();
    const isTyping = target.matches?.("input:not([type=range], [type=radio], [type=checkbox]), select, textarea");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const isWall = document.documentElement.matches(".presenting");
    if (isTyping || !isPlain || isWall || !/^[1-5n]$/.test(event.key)) return;
    event.stopPropagation(); // single keys are Streamlit's shortcuts, too
    act(event.key);
  };
  document.addEventListener("keydown", listener, true);
}
