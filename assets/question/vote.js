// ---- a class votes -------------------------------------------------------------------------

import { answer } from "../lib/answer.js";
import { element, listenTo, sleep } from "../lib/dom.js";

// In class mode a click on an answer counts a hand, and students vote from their phones, or from the
// lesson on a laptop. The server counts all of them (see pages/shared/votes). The lecturer's browser keeps
// the address of the poll: a reload, a laptop that slept and another tab go on with it. All see the right
// answer when the lecturer shows it.

const POLL = "poll"; // in the browser's storage: the address of the lecturer's poll
const PACE = { led: 300, lecturer: 1000, student: 2500 }; // ms
const LONGEST = 10_000; // ms for an answer
const UNREACHABLE = "Phones cannot reach this server: it listens to this computer only. Start it with";

export const guesses = new Map(); // address of a lesson -> index of the answer that was chosen

const takesPart = ({ data, poll }) => Boolean(data.poll) && !poll.end;
const isWithClass = ({ data, poll }) => (poll.lesson ?? data.lesson) === data.lesson;
export const isElsewhere = (question) => takesPart(question) && !isWithClass(question);
export const isVoting = (question) => takesPart(question) && isWithClass(question);
export const guessOf = (question) => (isVoting(question) ? question.poll.vote : guesses.get(location.pathname)) ?? undefined;

export function beginVote(question) {
  const { data, parts } = question;
  parts.root.classList.toggle("tapped", Boolean(data.isMap));
  if (data.isClass) drawButtons(question);
  if (data.isClass) listenTo(parts, "reveal", () => answer.isShown() && !question.poll.shown && tell(question, { act: "show" }));
  if (data.isClass || data.poll) repeat(question);
}

export async function repeat(question) {
  const { parts: { root }, data: { isClass } } = question;
  question.asks = true; // its lecturer's page has just come into view
  while (root.isConnected && !question.poll.end) {
    if (document.hidden) question.asks = true;
    else await tell(question, isClass ? { act: question.asks ? "ask" : "listen" } : {});
    await sleep(isClass ? PACE[question.poll.isLed ? "led" : "lecturer"] : PACE.student);
  }
  hold(false);
}

// ---- what is told to the server ------------------------------------------------------------

let line = Promise.resolve(); // one message after the other
let waiting = 0; // messages that change something
let acts = 0; // of this tab
const TAB = Math.random(); // names the acts of this tab, so that one which is sent again counts once

// What the lecturer does, or the vote of a student; it is told until the server answers.
export function tell(question, news) {
  const { data } = question;
  const changes = !["ask", "listen", undefined].includes(news.act) || "answer" in news;
  if (news.act === "show" || news.act === "again") question.poll.shown = news.act === "show";
  waiting += changes;
  const named = changes && data.isClass ? { ...news, id: `${TAB} ${(acts += 1)}` } : news;
  line = line.then(async () => {
    const { root } = question.parts;
    while (root.isConnected && !(await exchange(question, named))) await sleep(PACE.lecturer);
    waiting -= changes;
    if (root.isConnected) follow(question);
  });
  return line;
}

// Return whether the server has answered.
async function exchange(question, news) {
  const { data, poll } = question;
  const own = data.isClass ? localStorage.getItem(POLL) : data.poll;
  if (!own && !news.opens) return true;
  const asked = { question: data.words, early: question.isEarly, origin: location.origin, wall: whereabouts() };
  const reply = await post(own ?? data.votes, { ...(data.isClass ? asked : { round: poll.round }), ...news });
  const state = await reply?.[reply.ok ? "json" : "text"]().catch(() => null);
  if (!reply || reply.status >= 500 || state === null) return false;
  if (reply.ok) Object.assign(poll, state);
  if (!data.isClass) {
    if (reply.status === 403) location.assign(data.poll); // where one joins
    else if (!reply.ok) poll.end = state;
  } else if (state.url) {
    if (localStorage.getItem(POLL)) return exchange(question, news); // the lecturer's view has begun one meanwhile
    localStorage.setItem(POLL, state.url);
  } else if (state.ended || reply.status === 404) {
    localStorage.removeItem(POLL);
    question.poll = {};
    return !news.opens || exchange(question, news);
  } else if (!reply.ok) poll.note = state;
  if (state.poster) question.asks = asked.early !== question.isEarly;
  for (const key of state.pressed ?? []) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return true;
}

function post(url, news) {
  const [headers, body] = [{ "Content-Type": "application/json" }, JSON.stringify(news)];
  return fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(LONGEST) }).catch(() => null);
}

// Let another class vote: its phones have another code, and no question has votes or shows its answer.
export async function voteAnew() {
  const own = localStorage.getItem(POLL);
  if (own) await post(own, { act: "anew" });
}

// What the lecturer's view is told: the step of the plan, and the clock on the wall.
function whereabouts() {
  const clock = document.querySelector(".clock");
  return { step: clock?.data.step ?? "", clock: clock?.textContent ?? "" };
}

// See what the class sees, unless that is about to change.
function follow(question) {
  const { poll, data } = question;
  const isAsked = data.isClass ? poll.lesson === data.lesson : isVoting(question);
  if (isAsked && !waiting && poll.shown !== undefined && poll.shown !== answer.isShown()) {
    if (poll.shown && answer.away().length) answer.open(); // the picture is not to jump where it is asked
    else if (poll.shown) answer.show({ guessed: true });
    else answer.hide();
  }
  const isNew = isVoting(question) && poll.round && poll.round !== question.heard; // 0: it is not asked yet
  if (isNew) question.heard = poll.round;
  if (isNew && answer.away().length) answer.goThere(); // where the class is asked
  hold(isVoting(question) && poll.round !== 0 && !answer.isShown());
  question.host.update(question);
}

// While a class votes, a student's own pictures and controls wait, as those on the wall do.
function hold(isHeld) {
  for (const each of document.querySelectorAll(".stMainBlockContainer > .stVerticalBlock > *")) each.inert = isHeld && !each.querySelector(".st-key-rail, .st-key-idea, .st-key-question");
}

// ---- what is on the wall -------------------------------------------------------------------

// Count a hand for an answer, or take the last one back; before the first one, the asking again.
export function countHand(question, index) {
  const { root, chips } = question.parts;
  if (!root.isConnected || answer.isShown() || answer.away().length || index >= chips.length || question.data.isMap) return;
  tell(question, index === undefined ? { act: "undo" } : { act: "hand", answer: index, opens: true });
}

function drawButtons(question) {
  const { again } = question.parts;
  const button = (name, text, title, act) => {
    const node = element("button", { type: "button", class: `voters ${name}`, title }, text);
    node.onclick = act;
    return node;
  };
  const poster = element("div", { class: "poster", popover: "" });
  const open = async () => {
    if (!question.poll.poster) await tell(question, { act: "ask", opens: true });
    poster.togglePopover();
  };
  again.replaceWith(
    poster,
    element("span", { class: "tally" }, button("count", "", "Shows where students vote", open), button("undo", "Undo", "Or press Backspace", () => countHand(question))),
    again,
    button("anew", "Vote again", "After a talk: the votes so far stay as a pale bar", () => tell(question, { act: "again" })),
  );
}

// The answers have the hands so far, and when the right one is shown the votes of phones as well: the
// first would sway the others. A pale bar is the round before.
export function drawCounts(question) {
  const { data, parts: { root, chips } } = question;
  const poll = question.poll.lesson === data.lesson ? question.poll : {};
  const { counts = [], before = [], all = 0 } = { ...poll, all: poll.total };
  const isAway = answer.away().length > 0;
  const open = answer.isShown() && !isAway;
  if (data.isMap) document.dispatchEvent(new CustomEvent("votes", { detail: counts }));
  const share = (part, of) => (open && of.length && part ? part / of.reduce((sum, count) => sum + count, 0) : 0);
  chips.forEach((chip, i) => {
    chip.lastChild.textContent = counts[i] ?? 0;
    chip.style.setProperty("--share", share(counts[i], counts));
    chip.style.setProperty("--before", share(before[i], before));
    chip.title = before.length ? `Before: ${before[i]}` : "";
  });
  const find = (name) => root.querySelector(`.${name}`);
  find("count").textContent = poll.phones || all ? `${all} vote${all === 1 ? "" : "s"}` : "Students vote";
  find("anew").hidden = open; // beside "Ask again" it would begin another line
  find("anew").style.visibility = all && !isAway ? "visible" : "hidden"; // its place is kept
  find("undo").hidden = isAway || !poll.canUndo;
  drawPoster(question, find("poster"));
}

function drawPoster(question, poster) {
  const { poster: its, phones, closed, note } = question.poll;
  if (!its) poster.dataset.code = "";
  const close = element("button", { type: "button", class: "close", "aria-label": "Close" }, "✕");
  close.onclick = () => poster.hidePopover();
  if (!its) return poster.replaceChildren(note ?? "", close);
  if (poster.dataset.code !== its.code) {
    const [door, end] = ["door", "end"].map((name) => element("button", { type: "button", class: `voters ${name}` }));
    end.textContent = "End the vote";
    door.onclick = () => tell(question, { act: "close", closed: !question.poll.closed });
    end.onclick = () => tell(question, { act: "end" }).then(() => poster.hidePopover());
    const way = its.command ? [UNREACHABLE, element("code", {}, its.command)] : ["Scan, or open", element("b", {}, its.address)];
    poster.innerHTML = its.qr ?? "";
    poster.append(element("p", {}, ...way, "The code is", element("strong", {}, its.code), element("span", {}), door, end), close);
    poster.dataset.code = its.code;
  }
  poster.querySelector("span").textContent = `${phones} phone${phones === 1 ? "" : "s"} here`;
  poster.querySelector(".door").textContent = closed ? "Let more phones in" : "Let no more phones in";
}
