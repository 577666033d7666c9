// A run as the browser holds it: its frames so far, in the order in which they came.

import { roundUp } from "./numbers.js";
import { read } from "./protocol.js";

export const ENDED = ["finished", "stopped", "failed"];

export function newRun(url, axis) {
  return {
    url,
    axis,
    phase: "waiting",
    message: "",
    total: 0, // frames that the server has
    count: 0, // frames held here
    over: false, // nothing more will come
    stopping: false,
    pulling: false,
    metrics: {}, // by name, a value of each frame
    images: [], // {frame, sizes, lows, buffer, layout, at}: records stay in the answers they came in
    extents: {}, // of the metrics
    abort: new AbortController(),
  };
}

export function widen(extents, name, value) {
  if (!Number.isFinite(value)) return;
  const extent = (extents[name] ??= { low: Infinity, high: -Infinity, positive: Infinity });
  extent.low = Math.min(extent.low, value);
  extent.high = Math.max(extent.high, value);
  if (value > 0) extent.positive = Math.min(extent.positive, value);
}

function appendMetrics(run, record) {
  for (const name of Object.keys(record.layout.fields)) {
    const [value] = read(record, name);
    (run.metrics[name] ??= []).push(value);
    widen(run.extents, name, value);
  }
  run.count += 1;
}

function appendImages(run, record) {
  const [frame] = read(record, "frame");
  if (frame <= (run.images.at(-1)?.frame ?? -1) || frame >= run.count) return;
  const [sizes, lows] = [{}, {}];
  for (const [name, [, shape]] of Object.entries(record.layout.fields)) {
    if (shape.length === 2) continue; // its scale is a field of its own
    const values = read(record, name).filter(Number.isFinite);
    sizes[name] = Math.max(...values);
    lows[name] = Math.min(...values);
  }
  run.images.push({ ...record, frame, sizes, lows });
}

// The end of a scale that all images share: the largest value in the later half of those held. An
// early iterate may be a thousand times the last; it goes beyond the scale and pales nothing else.
// A run that was computed in advance knows the end for its C and tau.
export function limitOf(run, field) {
  if (run.limits?.[field]) return run.limits[field];
  const later = run.images.filter(({ frame }) => 2 * frame >= run.count - 1);
  return roundUp(Math.max(0, ...later.map(({ sizes }) => sizes[field])) || 1);
}

// Idempotent: what is held already is skipped, and an answer that would leave a hole is dropped.
export function append(run, { header, metrics, images }) {
  run.phase = header.status;
  run.message = header.message;
  run.total = header.total;
  if (header.first <= run.count) {
    for (const record of metrics.slice(run.count - header.first)) appendMetrics(run, record);
    for (const record of images) appendImages(run, record);
  }
  run.current = header.current;
  run.over = ENDED.includes(run.phase) && run.count >= run.total;
}

// A field of the last image at or before a frame: long runs keep every second, fourth, ... only.
export function valuesAt(run, frame, field) {
  let [low, high] = [0, run.images.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.images[middle].frame <= frame) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? [] : read(run.images[low - 1], field);
}

// The frames up to the one that makes one want to guess; no others are fetched before the answer.
export const framesToAsk = ({ axis }) => (axis.asks ?? axis.opens ?? 0) + 1;
