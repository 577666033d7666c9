// Where a saved page has its runs: in the file itself. It takes the place of assets/lib/source.js.

import { decode, read } from "../lib/protocol.js";

const NOTHING = { first: 0, count: 0, total: 0, images: 0, status: "finished", message: "", current: true };

function noFrames() {
  const layout = { itemsize: 0, fields: {} };
  const text = new TextEncoder().encode(JSON.stringify({ ...NOTHING, layout: { metrics: layout, images: layout } }));
  const bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  return bytes.buffer;
}

// The frames before `after`, or all at once; none of a run that was computed in advance.
export async function requestFrames({ url }, after) {
  const whole = window.saved.file(url) ?? noFrames();
  return after === Infinity ? whole : begin(whole, after);
}

async function begin(whole, after) {
  const { header, metrics, images } = decode(whole);
  const kept = [metrics.slice(0, after), images.filter((record) => read(record, "frame")[0] < after)];
  const text = new TextEncoder().encode(JSON.stringify({ ...header, count: kept[0].length, images: kept[1].length }));
  const size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, text.length, true);
  const bytes = kept.flat().map(({ buffer, layout, at }) => buffer.slice(at, at + layout.itemsize));
  return new Blob([size, text, ...bytes]).arrayBuffer();
}

export async function requestMove(_, __, values) {
  const url = window.saved.runAt(values);
  return url && window.saved.file(url) ? { url, buffer: window.saved.file(url) } : null;
}

export const requestGrid = async (path) => window.saved.file(path);
