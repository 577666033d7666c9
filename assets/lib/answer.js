// The question of a lesson, and who has seen its answer. It may be seen once the reader has guessed,
// pressed Play or touched a control; with "Ask me first" a guess is required. The question, the pictures
// and the controls tell each other by the event "reveal". What is revealed stays so until the page is
// loaded again.

import { get, link, placeOf, set, turn } from "./settings.js";

const revealed = new Set(); // addresses of lessons
const here = () => location.pathname;
if (link.has("answer")) revealed.add(here());

let posed = {}; // the question of a page, as its component poses it
const question = () => (posed.path === here() ? posed : {});

let told = {}; // the page, and whether the answer was hidden when the pictures last heard of it
function tell() {
  const before = told;
  told = { path: here(), hidden: answer.isHidden() };
  // A picture that is drawn before the question takes its answer to be hidden.
  const wasHidden = before.path === told.path ? before.hidden : !answer.isShown();
  if (told.hidden !== wasHidden) document.dispatchEvent(new Event("reveal"));
}
addEventListener("settings", tell);
document.addEventListener("knob", tell);

export const answer = {
  // What the component says: the settings `at` which it is asked, those that the answer `shows`, `askFirst`,
  // and in class mode `count`, which adds a guess for an answer, or takes the last one back.
  pose(question) {
    posed = { ...question, path: here() };
    tell();
  },
  count: (index) => question().count?.(index),
  isAskedFirst: () => Boolean(question().askFirst),
  // The settings that are not those at which the question is asked.
  away: () => (question().at ?? []).filter(({ key, texts }) => get(key) !== null && !texts.includes(get(key))),
  goBack: () => set(Object.fromEntries(question().at.map(({ key }) => [key, null]))),
  isShown: () => revealed.has(here()),
  isHidden: () => document.querySelector(".st-key-question") !== null && !answer.isShown() && !answer.away().length,
  // Return whether the answer may be seen: the hand that touches something finds its own way to it.
  reveal({ guessed = false } = {}) {
    if (!answer.isHidden()) return true;
    if (answer.isAskedFirst() && !guessed) return false;
    revealed.add(here());
    tell();
    return true;
  },
  // The one way in which the answer is shown: the picture goes to it, and comes to rest.
  show(how) {
    if (answer.reveal(how)) glide(question().shows ?? []);
  },
  // Ask again, where the question is asked. A picture that stands elsewhere than the answer stays.
  hide() {
    const { at = [], shows = [] } = question();
    revealed.delete(here());
    const shown = shows.filter((setting) => placeOf(setting) === setting.to);
    set(Object.fromEntries([...at, ...shown].map(({ key }) => [key, null])));
    tell();
  },
};

const TOUCHES = ["pointerdown", "keydown"];
for (const event of TOUCHES) {
  document.addEventListener(event, (touch) => {
    const waits = ["Tab", "Shift"].includes(touch.key) || document.documentElement.matches(".presenting"); // for Show
    if (!waits && !(touch.button > 0) && touch.target.closest?.(".st-key-controls")) answer.reveal();
  }, true);
}

// ---- the way to the answer -----------------------------------------------------------------

const PACE = 50; // ms for each place of a setting

// Numbers go there step by step, other settings at once, and all at once if the reader wants no motion or
// takes hold of something. In the address that is one entry.
function glide(settings) {
  const [from, address] = [settings.map(placeOf), location.href];
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const ways = settings.map(({ isNumber, to }, i) => (isNumber && !isStill ? Math.abs(to - from[i]) : 1));
  let [step, most] = [0, Math.max(...ways, 0)];
  const act = () => {
    step += 1;
    const isOver = location.href !== address || step > most; // or the reader has gone elsewhere
    if (isOver) return stop();
    const placeAt = ({ to }, i) => (step >= ways[i] ? to : from[i] + Math.sign(to - from[i]) * step);
    turn(settings.map((setting, i) => [setting, placeAt(setting, i)]), step === most);
    dispatchEvent(new Event("settings"));
  };
  const hurry = () => {
    step = most - 1;
    act();
  };
  const timer = setInterval(act, PACE);
  const stop = () => {
    clearInterval(timer);
    for (const event of TOUCHES) removeEventListener(event, hurry, true);
  };
  for (const event of TOUCHES) addEventListener(event, hurry, true);
}
