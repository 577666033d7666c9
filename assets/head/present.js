// With ?stage=1 the styles show the picture and its knobs alone; with ?present=1 they are those of
// class mode, which Streamlit's script then switches (see theme.js). Keys for the lecturer: 1, 2, 3
// count a guess, Backspace takes the last one back, R shows the answer, N and Page down lead to it and then
// to the next step or lesson, Page up to the one before, P leaves class mode. Space and the arrows are for
// the stage.
// Without class mode, after a guess, these and the Page keys are for the stage as well; Space is the
// player's from any slider.

import { answer } from "../lib/answer.js";
import { isShortcut } from "../lib/dom.js";
import { link, set } from "../lib/settings.js";

const { classList } = document.documentElement;
classList.toggle("presenting", link.get("present") === "1");
classList.toggle("staged", link.get("stage") === "1");

const follow = (selector) => document.querySelector(selector)?.click();
// What is still asked is answered first, in a picture in steps at the last step before the answer.
function next() {
  const onward = find(".onward");
  const isLastToAsk = answer.isHidden() && (!onward || onward.matches(".answers"));
  if (isLastToAsk || find(GUESSES)) show();
  else if (onward) onward.click();
  else if (!document.querySelector(".st-key-rail-plan")) follow(".st-key-rail-next a, .st-key-next-lesson a, .st-key-plan-1 a");
}
function goBack() {
  const steps = find(".steps");
  if (steps && steps.firstChild.ariaCurrent !== "step") steps.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
  else follow(".st-key-rail-before a");
}
// A question that the picture in view asks by itself comes first.
const GUESSES = ".guesses:not([hidden], .told)";
function show() {
  const guesses = find(GUESSES);
  if (guesses) guesses.dispatchEvent(new Event("show"));
  else answer.show({ guessed: true });
}
const LECTURER = {
  1: () => answer.count(0),
  2: () => answer.count(1),
  3: () => answer.count(2),
  backspace: () => answer.count(),
  n: next,
  pagedown: next,
  pageup: goBack,
  r: show,
  p: () => set({ present: null }),
};
const [POSTER, CLOSING] = [".poster:popover-open", ["PageDown", "PageUp", " "]]; // of a vote, and its keys
const PLAYER = ".player, .steps";
const OWN = "[role=application], [role=slider], .handle"; // what has keys of its own, if there is no player
const STEPS = { " ": 0, ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
const ARROWS = { PageUp: "ArrowLeft", PageDown: "ArrowRight" }; // in a picture in steps
const ANSWERED = ".reply, .open .chip, [role=status]"; // where the focus is after a guess

// The player of the stage plays, pauses and steps, as does a picture in steps; elsewhere its slider, or
// that of the page, moves; where there is none, what has keys of its own hears them.
function actOnStage({ key, shiftKey }) {
  const player = find(PLAYER);
  const name = player?.matches(".steps") ? (ARROWS[key] ?? key) : key;
  if (player) return player.dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey }));
  const slider = find("input[type=range]") ?? find("input[type=range]", document.querySelector(".st-key-controls"));
  if (!slider) find(OWN)?.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
  if (key === "ArrowRight") follow(".st-key-plan-short-1 a"); // as Page down begins the other plan
  if (!slider || !STEPS[key]) return;
  slider.stepUp(STEPS[key]);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
}

// The picture in view: the stage, or one below it, once the reader has scrolled so far.
const STAGES = ".st-key-stage, [class*=st-key-stage-]";
const isLeft = (stage) => stage.getBoundingClientRect().bottom < window.innerHeight / 3;
const stage = () => [...document.querySelectorAll(STAGES)].find((each) => !isLeft(each));

// The first node in the shadow of a component.
function find(selector, place = stage()) {
  const hosts = [...(place?.querySelectorAll("*") ?? [])].filter(({ shadowRoot }) => shadowRoot);
  return hosts.map(({ shadowRoot }) => shadowRoot.querySelector(selector)).find(Boolean);
}

// A key goes to what has the focus if one has gone there by the keyboard, and not by a click.
let isPointed = true;
addEventListener("pointerdown", () => (isPointed = true), true);

let taken = ""; // the key that is down, if it was for the lecturer
addEventListener("keydown", (event) => {
  if (event.key === "Tab") isPointed = false;
  taken = "";
  const target = event.composedPath()[0];
  const isFree = isPointed && (find(PLAYER) || !target.matches?.(OWN));
  const isAnswered = target.matches?.(ANSWERED);
  const isOnWall = classList.contains("presenting");
  const poster = isOnWall && find(POSTER, document);
  const closes = poster && CLOSING.includes(event.key) && !target.matches?.(".poster button");
  const own = closes ? () => poster.hidePopover() : isOnWall ? LECTURER[event.key.toLowerCase()] : null;
  const plays = event.key === " " && target.matches?.("input[type=range]") && find(".player");
  const isForStage = event.key in STEPS && (isAnswered || plays || (isOnWall && (isFree || target.matches?.("body"))));
  const act = own ?? (isForStage ? () => actOnStage(event) : null);
  if (!act || !isShortcut(event)) return;
  taken = event.key;
  answer.arrive();
  event.preventDefault(); // nor does the page scroll, or a button of the browser's act
  event.stopPropagation(); // single keys are Streamlit's shortcuts, too
  if (!event.repeat || event.key in STEPS) act();
}, true);
addEventListener("keyup", (event) => {
  if (event.key === taken) event.preventDefault(); // Firefox presses a button as Space comes up
}, true);
