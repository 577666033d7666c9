// ---- knobs ---------------------------------------------------------------------------------

import { gridRun, readGrid, stepsAlong } from "./grid.js";
import { decode } from "../lib/protocol.js";
import { requestGrid, requestMove } from "../lib/source.js";
import { pull } from "../lib/pull.js";
import { append, newRun } from "../lib/store.js";
import { follow, isCovered, restAt } from "./seek.js";

// While a knob is held, the picture shows the result at its new place: a run that was computed in
// advance (see grid.js), or one that the server computes (`move`). The run before the drag stays as
// a ghost. When the hand rests, the script draws the page anew.

export function onKnob(player, { key, place, rests }) {
  if (!(key in player.places) || !player.shown) return;
  if (isCovered(player)) return; // the hand may not look ahead
  player.places = { ...player.places, [key]: place };
  player.moves += 1;
  player.rests = rests;
  player.held ??= player.shown; // the run before the drag
  player.host.invalidate(player); // a handle follows at once
  const run = bakedRun(player);
  drawGroove(player);
  if (run) showAt(player, run, run.count - 1);
  if (player.data.moves && (rests || !run)) move(player);
  if (rests) player.held = null;
}

export function showAt(player, run, frame) {
  const before = player.held ?? player.shown;
  if (run !== player.shown && run !== before) player.ghost = before;
  player.shown = run;
  restAt(player, frame);
  player.host.arrange(player);
}

// The same run from another source: the picture stays at its frame, but goes on to the result where the hand
// has found the beginning of a run.
export function replaceRun(player, run) {
  const { shown, frame, playing } = player;
  run.limits ??= shown.limits;
  if (shown === bakedRun(player) && !shown.over && !playing && frame === shown.count - 1) player.wanted = Infinity;
  player.shown = run;
  player.host.arrange(player);
  player.host.invalidate(player);
}

// In the groove of rho stands what it decides, the number of steps, but nothing before the guess.
const [STEERING, UNIT] = ["rho", "steps until done"];

export function drawGroove(player) {
  const knob = player.data.moves?.[STEERING];
  if (!player.baked || !knob) return;
  const steps = player.data.grid && !isCovered(player) ? stepsAlong(player.baked, STEERING, valuesOf(player)) : []; // other data
  const curve = steps.map(([value, count]) => [knob.values.indexOf(value), count]);
  document.dispatchEvent(new CustomEvent("groove", { detail: { key: knob.key, curve, unit: UNIT } }));
}

// The values at the places of the knobs, by the names of the settings.
export function valuesOf({ data, places }) {
  const settings = Object.entries(data.moves ?? {});
  return Object.fromEntries(settings.map(([name, { key, values }]) => [name, values[places[key]]]));
}

export function bakedRun(player) {
  if (!player.data.grid || !player.baked) return null;
  return gridRun(player.baked, valuesOf(player), player.data.axis);
}

// Whether what is drawn is what is asked for.
export function isCurrent(player) {
  const { shown, latest } = player;
  return shown === latest || (shown !== null && shown === bakedRun(player));
}

export async function loadGrid(player) {
  if (!player.data.grid || player.gridFile === player.data.grid) return;
  player.gridFile = player.data.grid;
  try {
    player.baked = await readGrid(await requestGrid(player.gridFile));
  } catch (error) {
    console.error("player:", error); // all runs come from the server then
    return;
  }
  drawGroove(player);
  const run = bakedRun(player);
  if (!run) return;
  if (player.shown === null) player.host.show(player, run);
  else if (run.over || !player.shown.over) replaceRun(player, run);
  else player.shown.limits = run.limits; // it has more steps
  player.host.invalidate(player);
}

// One request at a time, and the next with the newest places: none waits in a queue.
async function move(player) {
  if (player.moving) return;
  player.moving = true;
  try {
    while (await moveOnce(player));
  } catch {
    // The connection was lost: the script brings the run when the hand rests.
  }
  player.moving = false;
}

// Return whether the hand has moved on since.
async function moveOnce(player) {
  const sent = player.moves;
  const answer = await requestMove(player.address, player.rests, valuesOf(player));
  if (!answer || !player.root.isConnected) return false; // as above
  adopt(player, answer.url, answer.buffer);
  return sent !== player.moves;
}

function adopt(player, address, buffer) {
  player.address = address;
  if (bakedRun(player)) return; // the hand is elsewhere by now
  if (player.latest?.url !== address) {
    player.latest?.abort.abort();
    // The script knows its ticks: until it has named them, there are none.
    player.latest = newRun(address, { ...player.data.axis, isOld: true });
  }
  const run = player.latest;
  append(run, decode(buffer));
  // A run over given values stays at its value; of iterations, the last one shows the result.
  const { count } = player.data.axis;
  if (run.count > 0) showAt(player, run, count ? player.frame : run.count - 1);
  if (!run.over && !count) follow(player);
  if (!run.pulling) pull(player, run);
}
