// The question of a lesson. The answers stay where they are; after a guess, or once the answer is
// revealed in another way (see assets/lib/answer.js), the right one is marked, and a reply takes the
// place of the question.

import { answer } from "../lib/answer.js";
import { element, listenTo } from "../lib/dom.js";
import { keepAtTop } from "../lib/pages.js";
import { beginVote, countHand, drawCounts, exchange, guesses, hands, isElsewhere, isVoting } from "./vote.js";

const drawn = new WeakMap();

function build(parent, { question, answers, isClass }) {
  const chips = answers.map(({ text }, i) => element("button", { type: "button", class: "chip", "data-index": i }, text));
  if (isClass) for (const chip of chips) chip.append(element("span", {}));
  const group = element("div", { role: "group", "aria-labelledby": "question", class: "chips" }, ...chips);
  const reply = element("span", { class: "reply", tabindex: "-1", "aria-live": "polite" });
  const said = element("div", { class: "said" }, element("b", { id: "question" }, question), reply);
  const status = element("span", { role: "status" });
  const again = element("button", { type: "button", class: "again" });
  const root = element("div", { class: isClass ? "ask class" : "ask" }, said, group, status, again);
  parent.querySelector(".ask")?.remove();
  parent.append(root);
  return { root, chips, reply, status, again };
}

function update(question) {
  const { parts: { root, chips, reply, status, again }, data: { answers, askFirst, isClass }, poll } = question;
  const guess = isClass ? undefined : guesses.get(location.pathname);
  const open = !answer.isHidden();
  const right = answers.findIndex(({ right }) => right);
  chips.forEach((chip, i) => {
    chip.ariaPressed = isClass ? null : i === guess;
    chip.classList.toggle("right", open && i === right);
    chip.classList.toggle("wrong", open && i === guess && i !== right);
  });
  const isCounted = poll.vote === guess;
  const votes = isCounted ? "Your vote is counted. You can change it." : "Your class votes: choose an answer.";
  const [verdict, end] = guess === right ? ["Right. ", ""] : ["No. ", ` The answer: ${answers[right].text}.`];
  const said = guess === undefined ? [answers[right].reply] : [element("b", {}, verdict), answers[guess].reply, element("b", {}, end)];
  reply.replaceChildren(...(open ? said : []));
  status.textContent = open ? "" : (poll.end ?? (isVoting(question) ? votes : ""));
  again.textContent = isElsewhere(question) ? "To the class" : open ? "Ask again" : "Show";
  again.hidden = isVoting(question) || !(open || isClass || isElsewhere(question));
  answer.askFirst = askFirst || isVoting(question);
  root.classList.toggle("open", open);
  if (isClass) drawCounts(question);
}

function choose(question, index) {
  if (!answer.isHidden()) return;
  if (question.data.isClass) return countHand(question, index);
  guesses.set(location.pathname, index);
  update(question);
  if (isVoting(question)) return exchange(question);
  answer.reveal({ guessed: true });
  showIn(question, index);
  question.parts.reply.focus({ preventScroll: true });
}

// Let the picture show an answer, or without one what it showed at first.
function showIn({ data: { answers } }, index) {
  document.dispatchEvent(new CustomEvent("guess", { detail: answers[index]?.text }));
}

function askAgain(question) {
  guesses.delete(location.pathname);
  hands.delete(location.pathname);
  answer.hide();
  showIn(question);
}

function press(question) {
  const { data, parts } = question;
  if (isElsewhere(question)) location.assign(data.poll);
  else if (data.isClass && answer.isHidden()) {
    answer.reveal({ guessed: true });
    showIn(question, data.answers.findIndex(({ right }) => right));
  } else {
    askAgain(question);
    parts.chips[0].focus();
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const design = JSON.stringify(data);
  let question = drawn.get(parentElement);
  if (question?.design !== design) {
    const before = question;
    question = { design, data, host: { update, askAgain }, poll: { vote: null }, parts: build(parentElement, data) };
    const own = question; // not the one that may take its place
    listenTo(own.parts, "reveal", () => update(own));
    drawn.set(parentElement, question);
    question.parts.chips.forEach((chip, i) => (chip.onclick = () => choose(question, i)));
    question.parts.again.onclick = () => press(question);
    beginVote(question, () => setTriggerValue("open", true));
    // In class mode the window begins with the question: rail and idea are above it.
    const stays = before?.data.isClass && before.data.question === data.question;
    if (data.isClass && !stays) keepAtTop(() => document.querySelector(".st-key-question"));
  }
  update(question);
}
