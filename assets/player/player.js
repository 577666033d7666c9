// The player: holds one run of a solver in the browser and plays it at the viewer's pace.
//
// The solver runs ahead on the server. `pull` fetches what is missing, `append` stores it, and one
// requestAnimationFrame loop shows it and rests while nothing changes. Streamlit calls the default
// export again whenever data or theme change, on the same DOM: the state lives in `players`, keyed
// by the parent element, and every loop ends by itself once the player has left the page.

import { element, isStill, listenTo, sleep } from "../lib/dom.js";
import { readTheme } from "../lib/canvas.js";
import { hasFewRestarts } from "./decisions.js";
import { bakedRun, drawGroove, isCurrent, loadGrid, onKnob, replaceRun, showAt } from "./knobs.js";
import { describe, paintReadout, updateTip } from "./panel.js";
import { mountPanels } from "./panels.js";
import { layOut } from "./stage.js";
import { pull } from "../lib/pull.js";
import { expectPicture, firstPicture, tellPicture } from "../lib/pages.js";
import { link, placeOf } from "../lib/settings.js";
import { framesToAsk, newRun } from "../lib/store.js";
import { isCovered, seek } from "./seek.js";
import { ACTIONS, SKELETON, onKey, updateTransport } from "./transport.js";

const players = new WeakMap();
// What lib/pull.js, and the parts of a player, ask of the whole.
const host = {
  invalidate, // paint again, soon
  show, // draw another run, from its first frame
  arrange, // build the panels anew if the frames of the run are described differently
  replaceRun, // draw the same run from another source
  isCovered, // whether the frames after the one that asks may not be seen yet
  isCurrent, // whether what is drawn is what is asked for
};
const left = new Map(); // url of a run -> the frame at which it was left, for those who come back

// ---- entry ---------------------------------------------------------------------------------

function createPlayer(parent) {
  const root = element("div", { class: "player", tabindex: 0, role: "group" });
  root.ariaLabel = "Player";
  root.innerHTML = SKELETON;
  const player = {
    host,
    root,
    grid: root.querySelector(".panels"),
    more: root.querySelector(".more"), // panels that are shown on demand
    scrubber: root.querySelector("input"),
    speed: root.querySelector("select"),
    stagePanels: [], // those that are seen at first sight
    observer: new ResizeObserver(() => invalidate(player)),
    shown: null, // the run that is drawn
    places: {}, // of the knobs
    moves: 0, // of the hand
    rests: true, // the hand
    address: "", // of the server's run that was asked for last
    held: null, // the run before a knob was held
    ghost: null, // the run before this one
    shapes: {}, // of images, by name
    baked: null, // runs that were computed in advance
    moving: false, // whether a move is on its way
    restUntil: 0, // time at which a playing run goes on after a restart
    latest: null, // the run that is asked for; the old one stays until its first frame is here
    wanted: null, // the frame to go to, until it is here; Infinity follows the newest
    goal: Infinity, // the frame where it comes to rest
    position: 0, // in frames; `frame` is its whole part
    frame: 0,
    playing: false,
    clock: null,
    ticket: 0,
    told: new Set(),
    path: location.pathname,
    answered: -Infinity, // the last time that the server asked for another run
  };
  root.onkeydown = (event) => onKey(player, event);
  root.onclick = ({ target }) => ACTIONS[target.closest("[data-action]")?.dataset.action]?.(player);
  player.scrubber.oninput = () => seek(player, Number(player.scrubber.value));
  player.speed.onchange = () => invalidate(player);
  root.querySelector("details").ontoggle = () => invalidate(player);
  parent.append(root);
  const room = new ResizeObserver(() => (root.isConnected ? layOut(player) : room.disconnect()));
  for (const node of [player.grid, ...document.querySelectorAll(".stMain, .stMainBlockContainer")]) room.observe(node);
  listenTo(player, "reveal", () => reveal(player));
  listenTo(player, "knob", (detail) => onKnob(player, detail));
  listenTo(player, "paint", () => paint(player));
  return player;
}

function show(player, run) {
  const covered = isCovered(player);
  if (player.shown && player.shown.url !== run.url) player.ghost = covered ? null : player.shown; // it tells its end
  player.shown = run;
  player.position = player.frame = 0;
  player.playing = false;
  const first = takeLinkedFrame(player) ?? (covered ? run.axis.asks : null) ?? run.axis.opens ?? null;
  player.wanted = left.get(run.url) ?? first;
  if (player.wanted === null && !covered) start(player);
  arrange(player);
}

// Play to the frame that shows the answer, or to the end. Those who want no motion see that at once.
function start(player) {
  player.goal = player.shown.axis.opens ?? Infinity;
  player.playing = !isStill();
  if (tellsSteps(player) && player.frame > 0) player.restUntil = performance.now() + REST; // at what was asked
  player.wanted = player.playing ? null : player.goal;
}

function takeLinkedFrame({ root }) {
  const frame = link.get("frame");
  if (!frame || !root.getRootNode().host.closest(".st-key-stage")) return null;
  link.delete("frame");
  return Math.max(0, Math.floor(Number(frame)) || 0);
}

// The answer may be seen: play from the frame that asked. Or it is asked again, from the beginning.
function reveal(player) {
  const { latest: run, data } = player;
  if (!data.asks || !run) return;
  if (isCovered(player)) {
    left.delete(run.url);
    player.ghost = null;
    run.abort.abort(); // what is held goes beyond the question
    player.latest = newRun(run.url, run.axis);
    show(player, bakedRun(player) ?? player.latest);
  } else {
    start(player);
  }
  drawGroove(player);
  if (!player.latest.pulling) pull(player, player.latest);
  invalidate(player);
}

// Panels are built anew only when they, or the images in them, are described differently. Until the
// first frame has come, an image is taken to have the shape of a sample.
function arrange(player) {
  const { data, shown: run } = player;
  const fields = Object.entries(run.images[0]?.layout.fields ?? {});
  player.shapes = { ...player.shapes, ...Object.fromEntries(fields.map(([name, [, shape]]) => [name, shape])) };
  const design = JSON.stringify([data.panels, data.more, data.shape, player.shapes]);
  if (design === player.design) return;
  player.design = design;
  mountPanels(player, data.panels, data.more, (field) => player.shapes[field] ?? data.shape);
  paint(player); // in the same task: new canvases are never seen, or pointed at, unpainted
}

const GRID_WAIT = 3000; // ms
// A second, at speed 1: of steps, of settings, each a whole result, and of an answer whose steps are told in words.
const [FRAME_RATE, SETTINGS_RATE, TOLD_RATE] = [8, 4, 2];
const LONGEST = 20; // seconds, at speed 1: a run of thousands of frames is not watched for minutes

// As fast as it goes: what is held is caught up with in an eighth of a second or so, by every paint
// a part of it, so that frames which arrive in bursts still flow.
function framesPerSecond(player) {
  const { speed: { value }, shown: run, position, goal } = player;
  const isAnswer = Number.isFinite(goal) && tellsSteps(player);
  const rate = Math.max(run.axis.count ? SETTINGS_RATE : FRAME_RATE, run.count / LONGEST);
  const pace = Number(value) * (isAnswer ? TOLD_RATE : rate);
  return Number.isFinite(pace) ? pace : Math.max(FRAME_RATE, 8 * (run.count - position));
}

function advance(player, now) {
  const run = player.shown;
  const newest = Math.max(0, (isCovered(player) ? Math.min(run.count, framesToAsk(run)) : run.count) - 1);
  const seconds = player.clock === null ? 0 : Math.min(0.1, (now - player.clock) / 1000);
  const from = player.frame;
  if (player.wanted !== null) {
    player.position = player.wanted;
    if (newest >= player.wanted || run.over) player.wanted = null;
  }
  if (player.playing && now >= player.restUntil) player.position += seconds * framesPerSecond(player);
  player.position = Math.min(newest, player.playing ? player.goal : Infinity, player.position);
  player.frame = Math.floor(player.position);
  if (player.playing) restAtRestart(player, from, now);
  if (player.frame === player.goal || (run.over && player.frame === newest)) player.playing = false;
  const moving = player.playing && player.frame < newest;
  player.clock = moving ? now : null;
  return moving;
}

const REST = 1500; // milliseconds at a restart, so that its reason can be read

const tellsSteps = ({ data }) => data.panels.some(({ kind }) => kind === "decision");

function restAtRestart(player, from, now) {
  const { shown: run, frame } = player;
  if (!run.count || !tellsSteps(player) || !hasFewRestarts(run)) return;
  const at = run.metrics.restarted.slice(0, frame + 1).lastIndexOf(1);
  if (at <= from) return;
  player.frame = player.position = at;
  player.restUntil = now + REST;
}

function invalidate(player) {
  player.dirty = true;
  schedule(player);
}

function schedule(player) {
  player.ticket ||= requestAnimationFrame((now) => tick(player, now));
}

function tick(player, now) {
  player.ticket = 0;
  if (!player.root.isConnected) return;
  const { frame } = player;
  const moving = advance(player, now);
  if (player.dirty || player.frame !== frame) paint(player);
  if (moving) schedule(player);
}

// A canvas that is not laid out yet, or not in sight.
function isHidden({ canvas }) {
  return canvas && (!canvas.checkVisibility() || canvas.clientWidth === 0 || canvas.clientHeight === 0);
}

// A run that was computed in advance has what the stage shows, and nothing else.
function isKnown({ spec: { fields = [], field } }, run) {
  const fieldsOfRun = { ...run.metrics, ...run.images[0]?.layout.fields };
  return [field, ...fields.map(({ name }) => name)].every((name) => !name || name in fieldsOfRun);
}

function paint(player) {
  player.dirty = false;
  if (player.shown.count > 0 && player.wanted === null) left.set(player.shown.url, player.frame);
  for (const panel of player.shown.count > 0 ? player.panels : []) {
    if (isHidden(panel) || !isKnown(panel, player.shown)) continue;
    panel.kind.paint(panel, player);
    if (panel.spec.numbers?.length) paintReadout(panel.numbers, player);
    if (panel.pointer) updateTip(player, panel);
    if (panel.canvas && !player.playing) describe(panel, player);
  }
  updateTransport(player);
  if (player.mayPull && player.shown.count > 0) tellPicture();
}

// Show the run that the page asks for. Where it was computed in advance, the server's run comes
// after it, with the numbers and images of all panels: see `receive`.
function turnTo(player, data) {
  player.places = Object.fromEntries(data.knobs.map((knob) => [knob.key, placeOf(knob)]));
  player.address = data.url;
  if (player.latest?.url !== data.url) {
    if (player.latest) player.answered = performance.now();
    player.latest?.abort.abort();
    player.latest = newRun(data.url, data.axis);
  } else {
    const { opens } = player.latest.axis;
    player.latest.axis = data.axis; // also of a run that the hand has found
    // The page may ask for another frame of the same run.
    if (opens !== data.axis.opens) Object.assign(player, { playing: false, wanted: data.axis.opens ?? null });
  }
  drawGroove(player);
  const run = bakedRun(player);
  if (run && player.shown && !isCurrent(player)) showAt(player, run, run.count - 1);
}

// Fetch a run in the window at once, and one elsewhere after the first picture of the page.
function pullInTurn(player) {
  if (player.mayPull && !player.latest.pulling) pull(player, player.latest);
  if (player.mayPull !== undefined) return;
  player.mayPull = false;
  const watch = new IntersectionObserver(async ([{ isIntersecting }]) => {
    watch.disconnect();
    if (isIntersecting) expectPicture();
    else await firstPicture();
    player.mayPull = true;
    pullInTurn(player);
  });
  watch.observe(player.root);
}

export default function ({ parentElement, data, setTriggerValue }) {
  const player = players.get(parentElement) ?? createPlayer(parentElement);
  players.set(parentElement, player);
  player.data = data;
  player.send = setTriggerValue;
  player.theme = readTheme(player.root);
  // The grid is large, but a busy server's first frame may come late.
  Promise.race([firstPicture(), sleep(GRID_WAIT)]).then(() => loadGrid(player));
  turnTo(player, data);
  if (player.shown === null) show(player, player.latest);
  else if (player.shown === player.latest) arrange(player);
  pullInTurn(player);
  invalidate(player);
  document.fonts.ready.then(() => {
    player.theme = readTheme(player.root); // letters on a canvas do not change by themselves
    invalidate(player);
  });
}
