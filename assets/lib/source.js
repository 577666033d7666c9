// The three requests of a picture to the server. A page without a server has another file in this place.

// The frames of a run from the first that is missing to the one before `after`; null if the server no
// longer holds the run.
export async function requestFrames({ url, count, abort }, after) {
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(30000)]);
  const end = after === Infinity ? "" : `&after=${after}`;
  const query = `first=${count}${end}&wait=${document.hidden ? 0 : 1}`;
  const response = await fetch(`${url}?${query}`, { cache: "no-store", signal });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}

// The run at the new values of settings, and its first frames; null if the server refuses.
export async function requestMove(url, rests, values) {
  const response = await fetch(`${url.replace(/frames$/, "move")}?wait=0.25&rests=${Number(rests)}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(values),
  });
  if (!response.ok) return null;
  return { url: response.headers.get("Run"), buffer: await response.arrayBuffer() };
}

// The runs that were computed in advance, as one file.
export const requestGrid = async (file) => (await fetch(file)).arrayBuffer();
