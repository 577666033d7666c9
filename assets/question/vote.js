// ---- a class votes -------------------------------------------------------------------------

import { answer } from "../lib/answer.js";
import { element, sleep } from "../lib/dom.js";

// In class mode a click on an answer counts a hand. Students may vote from their own browsers, too:
// the server counts these votes (see pages/shared/votes.py), and all see the right answer when the
// lecturer shows it.

export const guesses = new Map(); // address of a lesson -> index of the answer that was chosen
export const hands = new Map(); // address of a lesson -> the answers that were counted, in this order
let isOpening = false; // whether the lecturer has just asked for votes

const voter = () => (sessionStorage.voter ??= crypto.getRandomValues(new Uint32Array(4)).join(""));
const takesPart = ({ data, poll }) => Boolean(data.poll) && !data.isClass && !poll.end;
const isWithClass = ({ data, poll }) => (poll.lesson ?? data.lesson) === data.lesson;
export const isElsewhere = (question) => takesPart(question) && !isWithClass(question);
export const isVoting = (question) => takesPart(question) && isWithClass(question);

export function beginVote(question, open) {
  const { data, parts: { again } } = question;
  answer.count = data.isClass ? (index) => countHand(question, index) : () => {};
  if (data.poll) repeat(question);
  if (!data.isClass) return;
  const isLocal = /^(localhost|127\.)/.test(location.hostname);
  const note = isLocal ? "Other computers need this machine's name in place of localhost." : "";
  const address = element("b", {}, location.host + (data.join ?? ""));
  const poster = element("div", { class: "poster", popover: "" }, "Students vote at", address, note);
  const voters = element("button", { type: "button", class: "voters", title: "Shows where students vote" });
  voters.onclick = () => (data.poll ? poster.togglePopover() : open((isOpening = true)));
  const undo = element("button", { type: "button", class: "voters undo", title: "Or press Backspace" }, "Undo");
  undo.onclick = () => countHand(question);
  again.replaceWith(poster, voters, again, undo);
  if (data.poll && isOpening) poster.showPopover();
  isOpening = false;
}

async function repeat(question) {
  while (question.parts.root.isConnected && !question.poll.end) {
    if (!document.hidden) await exchange(question);
    await sleep(question.data.isClass ? 1000 : 3000);
  }
}

// Tell the server whether the answer is shown, or how one votes, and hear how the others have voted, or
// whether it is shown. What a vote that has ended says is its `end`.
export async function exchange(question) {
  const { poll, data: { poll: address, lesson, isClass } } = question;
  const vote = answer.isHidden() ? (guesses.get(location.pathname) ?? null) : null;
  const news = isClass ? { shown: !answer.isHidden() } : { voter: voter(), answer: vote };
  const [headers, body] = [{ "Content-Type": "application/json" }, JSON.stringify({ lesson, ...news })];
  const state = await fetch(address, { method: "POST", headers, body }).then(stateIn).catch(() => null);
  if (!state || !question.parts.root.isConnected) return; // another try follows
  Object.assign(poll, state);
  if (isVoting(question) && poll.shown === answer.isHidden()) {
    if (poll.shown) answer.reveal({ guessed: true });
    else question.host.askAgain(question);
  }
  question.host.update(question);
}

function stateIn(response) {
  if (response.status >= 500) return null;
  return response.ok ? response.json() : response.text().then((end) => ({ end }));
}

// Count a hand for an answer, or take the last one back.
export function countHand(question, index) {
  const { root, chips } = question.parts;
  if (!root.isConnected || !answer.isHidden() || index >= chips.length) return;
  const counted = hands.get(location.pathname) ?? [];
  hands.set(location.pathname, index === undefined ? counted.slice(0, -1) : [...counted, index]);
  question.host.update(question);
}

// The votes from browsers are told apart by answer at the end only: the first would sway the others.
export function drawCounts({ poll, parts: { root, chips } }) {
  const open = !answer.isHidden();
  const counted = hands.get(location.pathname) ?? [];
  const raised = chips.map((_, i) => counted.filter((index) => index === i).length);
  const sums = raised.map((count, i) => count + (poll.counts?.[i] ?? 0));
  const all = sums.reduce((total, count) => total + count);
  chips.forEach((chip, i) => {
    chip.lastChild.textContent = (open ? sums : raised)[i];
    chip.style.setProperty("--share", open && all ? sums[i] / all : 0);
  });
  const votes = `${all} vote${all === 1 ? "" : "s"}`;
  root.querySelector(".voters").textContent = all || poll.counts ? votes : "Students vote";
  root.querySelector(".undo").hidden = open || counted.length === 0;
}
