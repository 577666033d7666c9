// ---- store ---------------------------------------------------------------------------------

const ENDED = ["finished", "stopped", "failed"];

function newRun(url, axis) {
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

function widen(extents, name, value) {
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
function limitOf(run, field) {
  if (run.limits?.[field]) return run.limits[field];
  const later = run.images.filter(({ frame }) => 2 * frame >= run.count - 1);
  return roundUp(Math.max(0, ...later.map(({ sizes }) => sizes[field])) || 1);
}

// Idempotent: what is held already is skipped, an answer that would leave a hole is dropped, and so
// is what exceeds `most` frames.
function append(run, { header, metrics, images }, most) {
  run.phase = header.status;
  run.message = header.message;
  run.total = header.total;
  if (header.first <= run.count) {
    const news = metrics.slice(run.count - header.first, most - header.first);
    for (const record of news) appendMetrics(run, record);
    for (const record of images) appendImages(run, record);
  }
  run.current = header.current;
  run.over = ENDED.includes(run.phase) && run.count >= run.total;
}

// A field of the last image at or before a frame: long runs keep every second, fourth, ... only.
function valuesAt(run, frame, field) {
  let [low, high] = [0, run.images.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.images[middle].frame <= frame) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? [] : read(run.images[low - 1], field);
}

// The frames up to the one that makes one want to guess; no others are fetched before the answer.
const framesToAsk = ({ axis }) => (axis.asks ?? axis.opens ?? 0) + 1;

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

async function pull(player, run) {
  run.pulling = true;
  let failures = 0;
  while (!run.over && player.root.isConnected && !(isCovered(player) && run.count >= framesToAsk(run))) {
    const held = run.count;
    const buffer = await request(run).catch(() => undefined);
    if (player.latest !== run) break;
    failures = buffer === undefined ? failures + 1 : 0;
    if (failures === 0) receive(player, run, buffer);
    else Object.assign(run, { phase: "reconnecting", stopping: false }); // a stop may be lost, too
    invalidate(player);
    if (failures > 0) await sleep(Math.min(8000, 250 * 2 ** failures));
    else if (document.hidden) await sleep(3000);
    // A trickle is gathered, a backlog fetched at once.
    else if (run.count >= run.total || run.count === held) await sleep(150);
  }
  run.pulling = false;
}

function receive(player, run, buffer) {
  try {
    if (buffer === null) run.phase = "lost";
    else append(run, decode(buffer), isCovered(player) ? framesToAsk(run) : Infinity);
  } catch (error) {
    console.error("player:", error);
    run.phase = "unreadable";
  }
  const ended = ENDED.includes(run.phase);
  if (run.phase === "lost" || run.phase === "unreadable") run.over = true;
  if (run === player.shown) arrange(player);
  else if (isCurrent(player)) {
    if (run.over && run.count > 0) replaceRun(player, run);
  }
  else if (run.count > 0 || ended) show(player, run);
  if (run.phase === "lost") tellOfLoss(player, run);
  if (ended && run.over && !run.current) tell(player, "finished", run);
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

function mustWait(player, since) {
  const now = performance.now();
  if (window.pageTurns()) return true;
  if (scriptRuns() && now < since + SCRIPT_PATIENCE) return true;
  return player.answered < click.at && now < click.at + PATIENCE;
}

function scriptRuns() {
  const app = document.querySelector("[data-test-script-state]");
  return ["running", "rerunRequested"].includes(app?.dataset.testScriptState);
}

async function tell(player, event, run) {
  const news = `${event} ${run.url}`;
  if (player.told.has(news)) return;
  player.told.add(news);
  const since = performance.now();
  const wanted = () => player.latest === run && location.pathname === player.path;
  while (wanted() && mustWait(player, since)) await sleep(100);
  if (wanted() && player.root.isConnected) player.send(event, run.url);
}

// A page that is not connected again yet hears nothing, so this is said until it has another run.
async function tellOfLoss(player, run) {
  while (player.latest === run && player.root.isConnected) {
    player.told.delete(`lost ${run.url}`);
    await tell(player, "lost", run);
    await sleep(3000);
  }
}
