// The question of a lesson. The answers stay where they are; after a guess, or once the answer is
// revealed in another way (see assets/lib/answer.js), the right one is marked, and a reply stands below
// the question. Where the question is not asked, it leads back, and a reply that was given stays, in grey.

import { answer } from "../lib/answer.js";
import { element, listenTo } from "../lib/dom.js";
import { listenToSettings } from "../lib/settings.js";
import { beginVote, countHand, drawCounts, guessOf, guesses, isElsewhere, isVoting, tell } from "./vote.js";

const NAMED = 3; // settings
const drawn = new WeakMap();

function build(parent, { question, before, answers, replies, isClass }) {
  const chips = answers.map(({ text }, i) => element("button", { type: "button", class: "chip", "data-index": i }, text));
  if (isClass) for (const chip of chips) chip.append(element("span", {}));
  const group = element("div", { role: "group", "aria-labelledby": "question", class: "chips" }, ...chips);
  const reply = element("span", { class: "reply", tabindex: "-1", "aria-live": "polite" });
  const room = element("span", { class: "room", "aria-hidden": "true" }, element("b", {}, question)); // for the longest text
  for (const parts of replies) room.append(element("span", {}, ...write(parts)));
  const said = element("div", { class: "said" }, element("b", { id: "question" }, question), room, reply);
  const status = element("span", { role: "status" });
  const again = element("button", { type: "button", class: "again" });
  const way = element("span", { class: "way" });
  const root = element("div", { class: isClass ? "ask class" : "ask" }, element("div", { class: "before" }, before), said, group, status, again, way);
  parent.querySelector(".ask")?.remove();
  parent.append(root);
  return { root, chips, reply, status, again, way };
}

// A reply, as `reply_to` in pages/shared/votes/poll.py words it.
const write = ([verdict, text, end]) => [element("b", {}, verdict), text, element("b", {}, end)];

// Where the question is asked, and the way there.
function wayBack(away, chip) {
  const nameOf = ({ state, label, texts: [text] }) => (state ? `for ${state}` : text ? `at ${label} = ${text}` : `with no ${label}`);
  const names = [...new Set(away.map(nameOf))];
  const back = element("button", { type: "button", class: "back" }, "go there");
  back.onclick = () => {
    answer.goThere();
    chip.focus();
  };
  return element("span", {}, `Asked ${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? ", …" : ""} · `, back);
}

function update(question) {
  const { parts: { root, chips, reply, status, again, way }, data, poll } = question;
  const { answers, replies, isClass } = data;
  const count = isClass ? (index) => countHand(question, index) : undefined;
  answer.pose({ ...data, askFirst: data.askFirst || isVoting(question), count });
  const guess = guessOf(question);
  const away = answer.away();
  const known = answer.isShown();
  const open = known && !away.length;
  document.documentElement.classList.toggle("guessing", answer.isHidden());
  const right = answers.findIndex(({ right }) => right);
  chips.forEach((chip, i) => {
    chip.ariaPressed = isClass ? null : i === guess;
    chip.disabled = away.length > 0;
    chip.classList.toggle("right", open && i === right);
    chip.classList.toggle("wrong", open && i === guess && i !== right);
    chip.title = !open ? "" : i === right ? "✓ The right answer" : i === guess ? "✗ Your guess" : "";
  });
  const news = JSON.stringify([away, known, guess]);
  if (question.said !== news) {
    const [verdict, text, end] = replies.at(guess ?? -1);
    reply.replaceChildren(...(known ? write([open ? verdict : "", text, end]) : []));
    way.replaceChildren(...(away.length ? [wayBack(away, chips[0])] : []));
  }
  question.said = news;
  status.textContent = open || away.length ? "" : (poll.end ?? (isVoting(question) ? (poll.said ?? "") : ""));
  again.textContent = isElsewhere(question) ? "To the class" : open ? "Ask again" : "Show";
  const isUseful = isElsewhere(question) || (!isVoting(question) && !away.length && (open || isClass));
  again.style.visibility = isUseful ? "visible" : "hidden"; // its place is kept
  again.hidden = away.length > 0 && !isUseful; // for the way back
  root.classList.toggle("told", known);
  root.classList.toggle("open", open);
  root.classList.toggle("guessed", guess !== undefined || isClass === true); // a tick is for a guess
  root.classList.toggle("away", away.length > 0);
  const isEarly = away.some(({ isLater }) => isLater);
  question.asks ||= isEarly !== question.isEarly; // of phones, what the wall asks
  question.isEarly = isEarly;
  root.classList.toggle("early", isEarly);
  document.documentElement.classList.toggle("unasked", isEarly);
  if (isClass) drawCounts(question);
}

function choose(question, index) {
  if (answer.isShown()) return;
  if (question.data.isClass) return countHand(question, index);
  if (isVoting(question)) return tell(question, { answer: index });
  guesses.set(location.pathname, index);
  answer.show({ guessed: true });
  question.parts.reply.focus({ preventScroll: true });
}

function press(question) {
  const { data, parts } = question;
  if (isElsewhere(question)) location.assign(data.poll);
  else if (data.isClass && !answer.isShown()) answer.show({ guessed: true });
  else {
    guesses.delete(location.pathname);
    answer.hide();
    if (data.isClass) tell(question, { act: "again" });
    parts.chips[0].focus();
  }
}

export default function ({ parentElement, data }) {
  const { question: asks, answers, isClass, poll, lesson } = data;
  const design = JSON.stringify([asks, answers, isClass, poll, lesson]);
  let question = drawn.get(parentElement);
  if (question?.design !== design) {
    question = { design, data, host: { update }, poll: {}, parts: build(parentElement, data) };
    const own = question; // not the one that may take its place
    const view = own.parts;
    for (const event of ["reveal", "knob"]) listenTo(view, event, () => update(own));
    listenToSettings(view, () => update(own));
    drawn.set(parentElement, question);
    view.chips.forEach((chip, i) => (chip.onclick = () => choose(own, i)));
    view.again.onclick = () => press(own);
    beginVote(question);
  }
  question.data = data;
  update(question);
}
