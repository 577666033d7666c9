// ---- a class votes -------------------------------------------------------------------------

import { answer } from "../lib/answer.js";
import { element, sleep } from "../lib/dom.js";

// In class mode a click on an answer counts a hand. Students may vote from their own browsers, too:
// the server counts these votes (see pages/shared/votes.py), and all see the right answer when the
// lecturer shows it.

export const guesses = new Map(); // address of a lesson -> index of the answer that was chosen
const hands = new Map(); // address of a lesson -> the answers that were counted, in this order
const earlier = new Map(); // ... before it was asked again
let isOpening = false; // whether the lecturer has just asked for votes

const total = (counts) => counts.reduce((sum, count) => sum + count, 0);
const voter = () => (sessionStorage.voter ??= crypto.getRandomValues(new Uint32Array(4)).join(""));
const takesPart = ({ data, poll }) => Boolean(data.poll) && !data.isClass && !poll.end;
const isWithClass = ({ data, poll }) => (poll.lesson ?? data.lesson) === data.lesson;
export const isElsewhere = (question) => takesPart(question) && !isWithClass(question);
export const isVoting = (question) => takesPart(question) && isWithClass(question);

export function beginVote(question, open) {
  const { data, parts: { again } } = question;
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
  const vote = answer.isShown() ? null : (guesses.get(location.pathname) ?? null);
  const news = isClass ? { shown: answer.isShown(), hands: hands.get(location.pathname)?.length ?? 0 } : { voter: voter(), answer: vote };
  const [headers, body] = [{ "Content-Type": "application/json" }, JSON.stringify({ lesson, ...news })];
  const state = await fetch(address, { method: "POST", headers, body }).then(stateIn).catch(() => null);
  if (!state || !question.parts.root.isConnected) return; // another try follows
  Object.assign(poll, state);
  if (isVoting(question) && poll.shown !== answer.isShown()) {
    if (poll.shown) answer.show({ guessed: true });
    else question.host.askAgain(question);
  }
  question.host.update(question);
}

function stateIn(response) {
  if (response.status >= 500) return null;
  return response.ok ? response.json() : response.text().then((end) => ({ end }));
}

// Count a hand for an answer, or take the last one back; before the first one, the asking again.
export function countHand(question, index) {
  const { parts: { root, chips }, poll } = question;
  if (!root.isConnected || answer.isShown() || answer.away().length || index >= chips.length) return;
  const counted = hands.get(location.pathname) ?? [];
  if (index !== undefined) {
    earlier.delete(location.pathname); // a new round has begun
    hands.set(location.pathname, [...counted, index]);
  } else if (counted.length) hands.set(location.pathname, counted.slice(0, -1));
  else if (canRestore(poll)) answer.show({ guessed: true });
  question.host.update(question);
}

export function forgetHands(question) {
  earlier.set(location.pathname, countedHands(question));
  hands.delete(location.pathname);
}

const canRestore = ({ counts = [] }) => earlier.has(location.pathname) && !total(counts);

// An answer that is shown again before anybody has voted has the hands and votes of before.
function countedHands({ data, poll }) {
  const counted = hands.get(location.pathname) ?? [];
  const isRestored = answer.isShown() && (data.poll ? poll.restored : true);
  return counted.length || !isRestored ? counted : (earlier.get(location.pathname) ?? []);
}

// The votes from browsers are told apart by answer at the end only: the first would sway the others.
export function drawCounts(question) {
  const { poll, parts: { root, chips } } = question;
  const isAway = answer.away().length > 0;
  const open = answer.isShown() && !isAway;
  const counted = countedHands(question);
  const raised = chips.map((_, i) => counted.filter((index) => index === i).length);
  const sums = raised.map((count, i) => count + (poll.counts?.[i] ?? 0));
  const all = total(sums);
  chips.forEach((chip, i) => {
    chip.lastChild.textContent = (open ? sums : raised)[i];
    chip.style.setProperty("--share", open && all ? sums[i] / all : 0);
  });
  const votes = `${all} vote${all === 1 ? "" : "s"}`;
  root.querySelector(".voters").textContent = all || poll.counts ? votes : "Students vote";
  root.querySelector(".undo").hidden = answer.isShown() || isAway || !(counted.length || canRestore(poll));
}
