// ---- transport -----------------------------------------------------------------------------

import { answer } from "../lib/answer.js";
import { inFull, lastFrame, nameOf } from "../lib/lines.js";
import { format } from "../lib/numbers.js";
import { isCurrent } from "./knobs.js";
import { follow, isCovered, isMoving, mayLook, restAt, seek, step, togglePlay } from "./seek.js";

const button = (action, label, path, text = "") =>
  `<button type="button" data-action="${action}" title="${label}" aria-label="${label}">
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>${text}</button>`;
const PLAY = "M7 4.5v15L19.5 12z";
const PAUSE = "M6.5 5h4v14h-4zM13.5 5h4v14h-4z";
export const SKELETON = `
  <div class="panels"></div>
  <div class="numbers"></div>
  <div class="dock">
  <div class="status"><span class="place"></span><span class="words"></span><span role="status"></span></div>
  <div class="transport">
    ${button("start", "To the start (Home)", "M6 5h2.5v14H6zM19 5v14L9.5 12z")}
    ${button("back", "Back 1 (←), back 10 (Page up)", "M15.5 5v14L6 12zM17 5h2.5v14H17z")}
    ${button("play", "Play (Space)", PLAY)}
    ${button("on", "Forward 1 (→), forward 10 (Page down)", "M8.5 5v14L18 12zM4.5 5H7v14H4.5z")}
    ${button("live", "To the latest, and follow (End)", "M5 5v14l9.5-7zM15.5 5H18v14h-2.5z")}
    <input type="range" min="0" value="0" aria-label="Go to">
    <output class="count"></output>
    <select title="Speed" aria-label="Speed">
      <option value="0.25">¼×</option>
      <option value="1" selected>1×</option>
      <option value="4">4×</option>
      <option value="16">16×</option>
      <option value="Infinity">max</option>
    </select>
    ${button("stop", "Stop the run on the server", "M6 6h12v12H6z")}
  </div>
  </div>
  <details><summary>More pictures of this run</summary><div class="more"></div></details>`;

export const ACTIONS = {
  start: (player) => seek(player, 0),
  back: (player, by = 1) => step(player, -by),
  play: (player) => (isCovered(player) ? answer.show() : togglePlay(player)), // the answer plays by itself
  on: (player, by = 1) => mayLook(player) && step(player, by),
  live: (player) => mayLook(player) && follow(player),
  stop,
};
const KEYS = { " ": "play", ArrowLeft: "back", PageUp: "back", ArrowRight: "on", PageDown: "on", Home: "start", End: "live" };

const SENTENCES = {
  lost: "The server no longer holds this run; change a setting or reload to run it again.",
  reconnecting: "Reconnecting…",
  unreadable: "The server's answer cannot be read; reload the page.",
  stopping: "Stopping…",
  beginning: "Computing the first frame…",
};
const GUESS_FIRST = "Guess first: choose an answer above.";

function stop(player) {
  const run = player.latest;
  if (run.over || run.stopping) return;
  run.stopping = true;
  player.send("stop", run.url);
  restAt(player, player.frame);
}

export function onKey(player, event) {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "SELECT") return;
  const isPressed = ["BUTTON", "SUMMARY"].includes(event.target.tagName); // by the browser
  if (event.key === " " && isPressed) return;
  event.preventDefault();
  event.stopPropagation(); // single keys are Streamlit's shortcuts, too
  ACTIONS[action](player, event.shiftKey || event.key.startsWith("Page") ? 10 : 1);
}

export function updateTransport(player) {
  const { shown: run, latest, frame, root, scrubber } = player;
  const covered = isCovered(player);
  const [moving, last] = [isMoving(player), lastFrame(run)];
  const [play, live, end] = ["play", "live", "stop"].map((action) =>
    root.querySelector(`[data-action=${action}]`),
  );
  play.title = play.ariaLabel = moving ? "Pause (Space)" : "Play (Space)";
  play.querySelector("path").setAttribute("d", moving ? PAUSE : PLAY);
  live.ariaPressed = player.wanted === Infinity;
  end.hidden = latest.over || latest.stopping || run.over || covered;
  player.speed.hidden = !end.hidden;
  scrubber.max = last;
  scrubber.value = frame;

  const phase = latest.stopping && !latest.over ? "stopping" : latest.phase;
  const place = run.axis.field
    ? (run.count ? inFull(run, frame).join(", ") : "")
    : `${run.axis.name} ${nameOf(run, frame)}`;
  const told = player.panels?.some(({ spec }) => spec.kind === "decision"); // the end as well
  const message = told && latest.phase === "finished" ? "" : latest.message;
  const news = message || (latest.count > 0 || latest.over ? "" : SENTENCES.beginning);
  const all = run.axis.count ?? run.total;
  const guess = answer.isAskedFirst() ? GUESS_FIRST : `Guess, or ${all === 1 ? "drag" : "press Play"}.`;
  const sentence = covered ? guess : (SENTENCES[phase] ?? news);
  scrubber.ariaValueText = place;
  const placed = isCurrent(player) && run.count > 0;
  root.querySelector(".place").textContent = placed ? place : "";
  root.querySelector(".count").textContent = placed
    ? `${format(frame + 1, "int")} / ${format(all, "int")}`
    : "";
  root.querySelector(".words").hidden = covered || !placed;
  root.querySelector("details").inert = covered; // its pictures would answer the question
  const status = root.querySelector("[role=status]");
  if (status.textContent !== sentence) status.textContent = sentence;
  root.classList.toggle("pending", !isCurrent(player));
  root.classList.toggle("still", all === 1); // one picture: there is nothing to play
  Object.assign(root.dataset, { frame, total: run.total, status: phase, covered, drawn: run.url });
}
