// What a knob or a picture (a `view`) tells the page by its trigger "moved": values by name, each with
// a number. The page hears each once, and says with its data the newest number of all that it has
// heard: what it says before that is old.

const ANSWER_TIME = 10_000; // ms, for the page's answer

let newest = 0; // number of a move
export const next = () => (newest = Math.max(newest + 1, Date.now())); // it grows, also over a reload

export const awaitAnswer = (view, number) => Object.assign(view, { number, patience: performance.now() + ANSWER_TIME });
export const isOld = (view, data) => data.number < view.number && performance.now() < view.patience;

export function sendMoved(view, values) {
  const number = next();
  for (const [name, value] of Object.entries(values)) view.unheard = { ...view.unheard, [name]: { value, number } };
  sayMoves(view, number);
}

// All that the page may not have heard: of messages that come together Streamlit passes on the last
// one, and one that is sent while there is no connection is lost.
function sayMoves(view, number) {
  if (!view.root.isConnected || !view.unheard) return;
  awaitAnswer(view, number);
  view.send("moved", view.unheard);
  clearTimeout(view.repeat);
  view.repeat = setTimeout(() => sayMoves(view, number), ANSWER_TIME);
}

export function hear(view, data) {
  if (data.number >= view.number) view.unheard = null;
}
