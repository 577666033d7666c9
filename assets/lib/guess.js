// A question that a picture asks by itself: a chip for each answer, and the guess as a setting, so that a
// reload, a link and Back keep it. Play, and in class mode R, show the answer without a guess. The chips stay.

import { element } from "./dom.js";
import { placeOf } from "./settings.js";
import { sayMoved } from "./toy.js";

const [NONE, SHOWN] = ["none", "shown"]; // the first texts of the setting `view.data.guess`; the others are answers

// What was guessed or shown; null if the answer is not open.
export function readGuess({ data: { guess } }) {
  const text = guess.texts[placeOf(guess)];
  return text === NONE ? null : text;
}

// The chips may go away, and keys would then scroll the page: see assets/head/present.js.
export function focusReply({ root }) {
  const line = root.querySelector("[role=status]");
  line.tabIndex = -1;
  line.focus({ preventScroll: true });
}

// `names` are the words on the chips. When the answer is shown, `open` returns the further settings, with
// their places, that go with it, if any. `draw` is told whether the question is asked in this step, and the answer
// that is right: null where no chip is to be marked.
export function makeGuess(view, question, names, open = () => {}) {
  const choose = (text) => {
    view.done.add(view.step);
    sayMoved(view, [...(open(text) ?? []), [view.data.guess, view.data.guess.texts.indexOf(text)]]);
    focusReply(view);
  };
  const chips = Object.entries(names).map(([value, name]) => element("button", { type: "button", class: "guess", value }, name));
  for (const chip of chips) chip.onclick = () => choose(chip.value);
  const label = element("span");
  label.innerHTML = question;
  const row = element("span", { class: "guesses" }, label, ...chips);
  const show = () => choose(SHOWN);
  row.addEventListener("show", show); // from assets/head/present.js
  const draw = (isAsked, truth) => {
    row.hidden = !isAsked;
    row.classList.toggle("told", Boolean(view.guess));
    for (const chip of chips) {
      const [isOwn, isMarked] = [chip.value === view.guess, truth !== null && view.guess in names];
      chip.ariaPressed = isOwn;
      const isRight = chip.value === truth;
      chip.classList.toggle("right", isMarked && isRight);
      chip.classList.toggle("wrong", isMarked && isOwn && !isRight);
      chip.title = !isMarked ? "" : isRight ? "✓ The right answer" : isOwn ? "✗ Your guess" : "";
    }
  };
  return { row, choose, show, draw };
}
