// ---- grid: runs that were computed in advance ------------------------------------------------

import { unpack } from "../lib/packed.js";
import { decode } from "../lib/protocol.js";
import { append, newRun } from "../lib/store.js";

// `pages/smm/live/grid.py` writes the file: its body is an answer for each run, as the server would give it.
// A run is decoded when it is first looked at.
export const readGrid = async (buffer) => ({ ...(await unpack(buffer)), decoded: new Map() });

// The number of a run, whose last knob changes fastest; undefined if a value is not on the grid.
function gridNumber({ knobs }, values) {
  let number = 0;
  for (const [name, options] of Object.entries(knobs)) {
    const at = options.indexOf(values[name]);
    if (at < 0) return undefined;
    number = number * options.length + at;
  }
  return number;
}

// A run as the store holds one, all of it.
export function gridRun(grid, values, axis) {
  const number = gridNumber(grid, values);
  if (number === undefined) return null;
  if (!grid.decoded.has(number)) grid.decoded.set(number, decodeGridRun(grid, number));
  return Object.assign(grid.decoded.get(number), { axis });
}

// How many steps a run takes until its proof, along the values of one knob: a list of [value, steps], without
// those that find none.
export function stepsAlong(grid, name, values) {
  const at = (value) => [value, grid.steps[gridNumber(grid, { ...values, [name]: value })]];
  return grid.knobs[name].map(at).filter(([, steps]) => steps);
}

// Of a long run the file has the beginning: the server's run, which comes when the hand rests, has all steps.
function decodeGridRun({ runs, steps, body }, number) {
  const start = runs.slice(0, number).reduce((sum, [bytes]) => sum + bytes, 0);
  const [bytes, S_scale, singular_values] = runs[number];
  const run = { ...newRun(`grid/${number}`), limits: { S_scale, singular_values } };
  append(run, decode(body.slice(start, start + bytes)));
  const over = run.count === steps[number];
  return Object.assign(run, { over, steps: steps[number], total: steps[number] || run.count });
}
