// Where a saved page has its runs: in the file itself. It takes the place of assets/lib/source.js.

const NOTHING = { first: 0, count: 0, total: 0, images: 0, status: "finished", message: "", current: true };

function noFrames() {
  const layout = { itemsize: 0, fields: {} };
  const text = new TextEncoder().encode(JSON.stringify({ ...NOTHING, layout: { metrics: layout, images: layout } }));
  const bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  return bytes.buffer;
}

// All frames at once; none of a run that was computed in advance, which is in the grid.
export const requestFrames = async ({ url }) => window.saved.file(url) ?? noFrames();

export async function requestMove(_, __, values) {
  const url = window.saved.runAt(values);
  return url && window.saved.file(url) ? { url, buffer: window.saved.file(url) } : null;
}

export const requestGrid = async (path) => window.saved.file(path);
