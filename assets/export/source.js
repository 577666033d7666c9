// Where a saved page has its runs: in the file itself. It takes the place of assets/lib/source.js.

import { decode, read } from "../lib/protocol.js";

// An answer of the server with these records.
function answerOf(header, metrics, images) {
  const text = new TextEncoder().encode(JSON.stringify({ ...header, count: metrics.length, images: images.length }));
  const size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, text.length, true);
  const bytes = [...metrics, ...images].map(({ buffer, layout, at }) => buffer.slice(at, at + layout.itemsize));
  return new Blob([size, text, ...bytes]).arrayBuffer();
}

const NO_RECORDS = { itemsize: 0, fields: {} };
const COMPUTED = { first: 0, total: 0, status: "finished", message: "", current: true, layout: { metrics: NO_RECORDS, images: NO_RECORDS } };

// The frames before `after`, or all at once; none of a run that was computed in advance.
export async function requestFrames({ url }, after) {
  const whole = await window.saved.file(url);
  if (!whole) return answerOf(COMPUTED, [], []);
  if (after === Infinity) return whole;
  const { header, metrics, images } = decode(whole);
  const isBefore = (record) => read(record, "frame")[0] < after;
  return answerOf(header, metrics.slice(0, after), images.filter(isBefore));
}

export async function requestMove(_, __, values) {
  const url = window.saved.runAt(values);
  const buffer = url && (await window.saved.file(url));
  return buffer ? { url, buffer } : null;
}

export const requestGrid = (path) => window.saved.file(path);
