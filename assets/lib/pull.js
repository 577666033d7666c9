// Fetches the frames of a run that a view shows, and tells the page when they have ended.

import { sleep } from "./dom.js";
import { pageTurns, scriptState } from "./pages.js";
import { decode } from "./protocol.js";
import { requestFrames } from "./source.js";
import { ENDED, append, framesToAsk } from "./store.js";

export async function pull(view, run) {
  run.pulling = true;
  let failures = 0;
  while (!run.over && view.root.isConnected) {
    const after = view.host.isCovered(view) ? framesToAsk(run) : Infinity;
    if (run.count >= after) break;
    const held = run.count;
    const buffer = await requestFrames(run, after).catch(() => undefined);
    if (view.latest !== run) break;
    failures = buffer === undefined ? failures + 1 : 0;
    if (failures === 0) receive(view, run, buffer);
    else Object.assign(run, { phase: "reconnecting", stopping: false }); // a stop may be lost, too
    view.host.invalidate(view);
    if (failures > 0) await sleep(Math.min(8000, 250 * 2 ** failures));
    else if (document.hidden) await sleep(3000);
    // A trickle is gathered, a backlog fetched at once.
    else if (run.count >= run.total || run.count === held) await sleep(150);
  }
  run.pulling = false;
}

function receive(view, run, buffer) {
  try {
    if (buffer === null) run.phase = "lost";
    else append(run, decode(buffer));
  } catch (error) {
    console.error("player:", error);
    run.phase = "unreadable";
  }
  const ended = ENDED.includes(run.phase);
  if (run.phase === "lost" || run.phase === "unreadable") run.over = true;
  if (run === view.shown) view.host.arrange(view);
  else if (view.host.isCurrent(view)) {
    if (run.over && run.count > 0) view.host.replaceRun(view, run);
  }
  else if (run.count > 0 || ended) view.host.show(view, run);
  if (run.phase === "lost") tellOfLoss(view, run);
  if (ended && run.over && !run.current) tell(view, "finished", run);
}

// News makes Streamlit rerun the page that it believes to be on. So news waits until the page has
// turned. It also waits a moment after any other click, and while a script runs, and after the back
// button: a rerun before the answer would bring back the settings that the reader left.
const PATIENCE = 2000;
const SCRIPT_PATIENCE = 10_000; // a script may wait for somebody else's long job
// A click may have come before this script did.
const click = { at: performance.now() - PATIENCE / 2 };

document.addEventListener("click", heed, true);
window.addEventListener("popstate", () => (click.at = performance.now()));

function heed(event) {
  if (event.composedPath().some((node) => node.classList?.contains("player"))) return;
  click.at = performance.now();
}

function mustWait(view, since) {
  const now = performance.now();
  if (pageTurns()) return true;
  if (["running", "rerunRequested"].includes(scriptState()) && now < since + SCRIPT_PATIENCE) return true;
  return view.answered < click.at && now < click.at + PATIENCE;
}

async function tell(view, event, run) {
  const news = `${event} ${run.url}`;
  if (view.told.has(news)) return;
  view.told.add(news);
  const since = performance.now();
  const wanted = () => view.latest === run && location.pathname === view.path;
  while (wanted() && mustWait(view, since)) await sleep(100);
  if (wanted() && view.root.isConnected) view.send(event, run.url);
}

// A page that is not connected again yet hears nothing, so this is said until it has another run.
async function tellOfLoss(view, run) {
  while (view.latest === run && view.root.isConnected) {
    view.told.delete(`lost ${run.url}`);
    await tell(view, "lost", run);
    await sleep(3000);
  }
}
