// The question of a lesson, and who has seen its answer. It may be seen once the reader has guessed,
// pressed Play or touched a control that the question leaves free; with "Ask me first" a guess is
// required. The question, the pictures and the controls tell each other by the event "reveal". What is
// revealed stays so until the page is loaded again.

import { isStill } from "./dom.js";
import { get, link, placeOf, set, turn } from "./settings.js";

const revealed = new Set(); // addresses of lessons
const here = () => location.pathname;
if (link.has("answer")) revealed.add(here());

let posed = {}; // the question of a page, as its component poses it
const question = () => (posed.path === here() ? posed : {});
// Beside the picture alone, in a frame, no question is asked.
const isThere = () => document.querySelector(":root:not(.staged) .st-key-question") !== null;

let told = {}; // the page, and whether the answer was hidden when the pictures last heard of it
function tell() {
  const before = told;
  told = { path: here(), hidden: answer.isHidden() };
  // A picture that is drawn before the question, if there is one, takes its answer to be hidden.
  const wasHidden = before.path === told.path ? before.hidden : isThere() && !answer.isShown();
  if (told.hidden !== wasHidden) document.dispatchEvent(new Event("reveal"));
}
addEventListener("settings", tell);
document.addEventListener("knob", tell);

// A text that is not allowed has been replaced by the page.
function isAway({ key, texts, allowed, isElsewhere, default: usual }) {
  const text = get(key) ?? usual;
  if (texts.includes(text)) return false;
  return allowed.length && !allowed.includes(text) ? isElsewhere : true;
}
const placeOfQuestion = ({ key, texts: [text], default: usual }) => [key, text === usual ? null : text];

let awaited = null; // how an answer was to be shown whose question had not come yet

export const answer = {
  // What the component says: the settings `at` which it is asked, those that the answer `shows`, `askFirst`,
  // and in class mode `count`, which adds a guess for an answer, or takes the last one back.
  pose(its) {
    const isNew = posed.path !== here();
    posed = { ...its, path: here() };
    // A link, or a reload, may lead to the picture of the answer.
    const isSeen = its.shows.length > 0 && its.shows.every((each) => placeOf(each) === each.to && each.to !== each.default);
    if (isNew && isSeen) revealed.add(here());
    tell();
    if (awaited) answer.show(awaited);
    awaited = null;
  },
  count: (index) => question().count?.(index),
  isAskedFirst: () => question().askFirst ?? get("ask") === "1", // the question may come after its picture
  // The settings that are not those at which the question is asked, and the way there.
  away: () => (question().at ?? []).filter(isAway),
  goThere: () => set(Object.fromEntries(answer.away().map(placeOfQuestion))),
  isShown: () => revealed.has(here()),
  isHidden: () => isThere() && !answer.isShown() && !answer.away().length,
  // Return whether the answer may be seen: the hand that touches something finds its own way to it.
  reveal({ guessed = false } = {}) {
    if (!answer.isHidden()) return true;
    if (answer.isAskedFirst() && !guessed) return false;
    answer.open();
    return true;
  },
  // It is known, as to a class that has seen it: nothing moves, here or where it is asked.
  open() {
    revealed.add(here());
    tell();
  },
  // The one way in which the answer is shown: the picture goes to it, and comes to rest.
  show(how = {}) {
    if (isThere() && posed.path !== here()) awaited = how;
    else if (!answer.away().length && answer.reveal(how)) glide(question().shows ?? []);
  },
  // Ask again, where the question is asked. A picture that is not as far as the answer stays.
  hide() {
    answer.arrive();
    const { at = [], shows = [] } = question();
    revealed.delete(here());
    const shown = shows.filter((each) => {
      const beyond = placeOf(each) - each.to;
      return beyond === 0 || (each.isNumber && beyond * (each.to - each.default) > 0);
    });
    set(Object.fromEntries([...shown.map(({ key }) => [key, null]), ...at.map(placeOfQuestion)]));
    tell();
  },
  forget: () => revealed.clear(), // for another class
  arrive: () => {}, // at once, if the picture is on its way to the answer
};

// A control that leads to where the question is not asked: its answer is not told there, nor on the way.
const leadsAway = ({ target }) =>
  target.closest?.(["states", ...(question().at ?? []).map(({ key }) => key)].map((key) => `.st-key-${key}`).join());

const TOUCHES = ["pointerdown", "keydown"];
const ENDS = [...TOUCHES, "leave"];
for (const event of TOUCHES) {
  document.addEventListener(event, (touch) => {
    const waits = ["Tab", "Shift"].includes(touch.key) || document.documentElement.matches(".presenting"); // for Show
    if (!waits && !(touch.button > 0) && touch.target.closest?.(".st-key-controls") && !leadsAway(touch)) answer.reveal();
  }, true);
}

// ---- the way to the answer -----------------------------------------------------------------

const PACE = 50; // ms for each place of a setting
const READ = 30; // so many of them has a reader for the reply, before the picture goes to another step
const isStepOf = ({ key }) => key.endsWith("_step");

// Numbers go there step by step, other settings at once, and all at once if the reader wants no motion,
// takes hold of something or goes on. Where the picture has steps, it goes through those on the way, and to
// the last one when all else has come to rest. In the address that is one entry.
function glide(settings) {
  const [from, address] = [settings.map(placeOf), location.href];
  const own = settings.map(({ isNumber, to }, i) => (isNumber && !isStill() ? Math.abs(to - from[i]) : 1));
  const others = isStill() ? 0 : Math.max(...own.filter((_, i) => !isStepOf(settings[i])), 0);
  const ways = own.map((way, i) => (way && others && isStepOf(settings[i]) ? way + others + READ : way));
  const most = Math.max(...ways, 0);
  const turnTo = (step) => {
    if (location.href !== address || step > most) return stop(); // the reader has gone elsewhere, or it is there
    if (step < 1) return;
    const placeAt = ({ to }, i) => (step >= ways[i] ? to : from[i] + Math.sign(to - from[i]) * Math.min(step, own[i] - 1));
    turn(settings.map((setting, i) => [setting, placeAt(setting, i)]), step === most);
    dispatchEvent(new Event("settings"));
  };
  let step = settings.some((each, i) => isStepOf(each) && each.to !== from[i]) ? -READ : 0;
  const timer = setInterval(() => turnTo((step += 1)), PACE);
  const stop = () => {
    clearInterval(timer);
    for (const event of ENDS) removeEventListener(event, arrive, true);
    answer.arrive = () => {};
  };
  const arrive = () => {
    stop();
    turnTo(most);
  };
  answer.arrive();
  answer.arrive = arrive;
  for (const event of ENDS) addEventListener(event, arrive, true);
}
