// A threshold that one drags over the singular values of Omega; W follows at once.
//
// The solutions along tau come as the frames of a run: `pull` in store.js fetches them and calls
// `show`, `arrange` and `invalidate` below. The line stands at one of them only, so whatever is drawn
// is a certified solution. The knob of tau and the line follow each other by the events "knob" and
// "turn": see `assets/knobs/knobs.js`.
//
// Above the line the bars are linear, on the same scale at every tau: they are the singular values
// of W. Below it they show how near to tau the others come.

const views = new WeakMap();
const isCovered = () => false; // `pull` and `receive` ask
const isCurrent = () => false;
const ANSWER_TIME = 2_000; // ms, for the page's answer to a drag
const STRIDE = 5; // points, by the keys for a page
const LOWEST = 0.12; // the place of the line at the smallest tau above 0, in the height of the picture
const HIGHEST = 0.88; // likewise at the largest
const PANELS = { omega: "Singular values of Ω = Σ αᵢ yᵢ Xᵢ", W: "W" };

const SKELETON = `
  <div class="panels">
    ${Object.entries(PANELS)
      .map(
        ([name, title]) => `<section data-panel="${name}">
          <header><b>${title}</b><span></span></header>
          <div class="sheet"><canvas role="img"></canvas></div>
        </section>`,
      )
      .join("")}
  </div>
  <p class="note" role="status"></p>`;

function createView(parent) {
  const root = document.createElement("div");
  root.className = "threshold";
  root.innerHTML = SKELETON;
  const panel = (name, spec) => {
    const canvas = root.querySelector(`[data-panel=${name}] canvas`);
    return { spec, canvas, cells: new OffscreenCanvas(1, 1) };
  };
  const handle = document.createElement("div");
  const view = {
    root,
    handle,
    omega: panel("omega"),
    W: Object.assign(panel("W", { field: "W" }), { bare: true }),
    tau: null,
    frame: 0, // of the solution that is drawn
    shown: null, // the run that is drawn
    latest: null, // the run that is asked for; the old one stays until its first frame is here
    dragged: false,
    settling: 0, // the timer since the last key
    asked: null, // what was told to the page, until it answers
    told: new Set(),
    path: location.pathname,
    answered: -Infinity, // the last time that the server asked for another run
  };
  handle.className = "handle";
  handle.tabIndex = 0;
  handle.role = "slider";
  handle.ariaOrientation = "vertical";
  handle.ariaLabel = "Threshold τ; arrow keys move it to the next solution";
  handle.onkeydown = (event) => onKey(view, event);
  view.omega.canvas.after(handle);
  for (const part of [handle, view.omega.canvas]) {
    part.onpointerdown = (event) => grasp(view, part, event);
  }
  new ResizeObserver(() => invalidate(view)).observe(root);
  parent.append(root);
  const onKnob = ({ detail: { key, place } }) => {
    if (key !== view.data.knob) return;
    view.tau = view.known = view.data.taus[place];
    invalidate(view);
  };
  document.addEventListener("knob", (event) => root.isConnected && onKnob(event));
  return view;
}

// ---- what is dragged -----------------------------------------------------------------------

function grasp(view, part, event) {
  const { handle } = view;
  if (!view.place || (part !== handle && event.pointerType !== "mouse")) return; // a finger may scroll
  view.dragged = true;
  const end = () => {
    view.dragged = false;
    invalidate(view);
    report(view);
  };
  drag(handle, event, (moved) => pullTo(view, moved), end);
  if (part !== handle) pullTo(view, event);
}

function pullTo(view, { clientY }) {
  const { top } = view.omega.canvas.getBoundingClientRect();
  const { taus, place } = view;
  const distance = (tau) => Math.abs(place.line(tau) - (clientY - top));
  moveTo(view, taus.reduce((best, tau, k) => (distance(tau) < distance(taus[best]) ? k : best), 0));
}

// Frames begin at the largest tau.
function moveTo(view, frame) {
  view.tau = view.taus[Math.max(0, Math.min(frame, view.taus.length - 1))];
  invalidate(view);
}

const MOVES = {
  ...{ ArrowUp: -1, ArrowRight: -1, PageUp: -STRIDE, Home: -Infinity },
  ...{ ArrowDown: 1, ArrowLeft: 1, PageDown: STRIDE, End: Infinity },
};

function onKey(view, event) {
  const step = MOVES[event.key];
  if (!step || !view.place) return;
  event.preventDefault();
  moveTo(view, nearest(view) + step);
  afterKeys(view, () => report(view));
}

function report(view) {
  if (view.tau === view.known) return;
  view.known = view.tau;
  view.asked = { tau: view.tau, until: performance.now() + ANSWER_TIME };
  const place = view.data.taus.indexOf(view.tau);
  document.dispatchEvent(new CustomEvent("turn", { detail: { key: view.data.knob, place } }));
}

// What the page says holds, unless it does not know yet what the hand has done since.
function adopt(view, data) {
  const { asked } = view;
  if (asked && (data.tau === asked.tau || performance.now() > asked.until)) view.asked = null;
  const news = data.tau !== view.data?.tau || data.url !== view.data?.url;
  view.data = data;
  if (view.tau !== null && (view.dragged || view.settling || view.asked || !news)) return;
  view.tau = view.known = data.tau;
}

// ---- the frames that come ------------------------------------------------------------------

function show(view, run) {
  view.shown = run;
  invalidate(view);
}

const arrange = invalidate;

function invalidate(view) {
  view.ticket ||= requestAnimationFrame(() => {
    view.ticket = 0;
    if (view.root.isConnected) paint(view);
  });
}

// The frame whose tau is the nearest: another one only where the path does not reach, or not yet.
function nearest({ tau, taus }) {
  const lowest = taus.at(-1) || taus.at(-2) || 1;
  const place = (value) => Math.log(Math.max(value, lowest / 2)); // 0 lies below all others
  const distance = (value) => Math.abs(place(value) - place(tau));
  return taus.reduce((best, value, k) => (distance(value) < distance(taus[best]) ? k : best), 0);
}

// ---- what is drawn -------------------------------------------------------------------------

function paint(view) {
  const { root, shown: run, latest, theme } = view;
  root.classList.toggle("pending", run !== latest);
  root.dataset.status = latest.phase;
  if (!run?.count) {
    root.querySelector(".note").textContent = latest.message || "The solutions are being computed …";
    return;
  }
  view.taus = run.metrics.tau;
  view.frame = nearest(view);
  const { frame } = view;
  paintOmega(view);
  paintPicture(view.W, { shown: run, frame, theme });
  readOut(view);
}

// Where the line stands: in equal steps for equal ratios of tau, and at the bottom for 0. The scale
// above it is the largest at which the bars of all solutions find room.
function placeLine({ taus, shown: run }, top, bottom) {
  const [least, most] = [taus.findLast((tau) => tau > 0), taus[0]];
  const tall = bottom - top;
  const line = (tau) => {
    if (tau === 0) return bottom;
    const share = Math.log(tau / least) / (Math.log(most / least) || 1);
    return bottom - (LOWEST + (HIGHEST - LOWEST) * share) * tall;
  };
  const room = ({ frame, sizes: { sigma } }) => (line(taus[frame]) - top) / sigma;
  return { line, scale: Math.min(...run.images.map(room).filter(Number.isFinite), 1e9) };
}

function paintOmega(view) {
  const { shown: run, frame, theme, handle } = view;
  const { context, width, height, size } = openSheet(view.omega.canvas);
  if (!width) return;
  const [top, bottom] = [1.6 * size, height - size - 14];
  const { line: lineOf, scale } = (view.place = placeLine(view, top, bottom));
  const [tau, rank, values] = [view.taus[frame], run.metrics.rank[frame], valuesAt(run, frame, "omega")];
  const line = lineOf(tau);
  ink(context, theme.text, 0.8);
  const [left, right] = [context.measureText("0.0000").width, width - 10];
  const step = stepFor(Math.max(1e-9, (line - top) / scale), (line - top) / (2.2 * size));
  for (const above of multiples(0, (line - top) / scale, step)) {
    if (above === 0 && tau > 0) continue; // the line has a label of its own
    const y = line - scale * above;
    ink(context, theme.border);
    trace(context, [left, y], [right, y]).stroke();
    ink(context, theme.text, 0.8);
    write(context, plain(above), left - 8, y, "right", "middle");
  }
  const slot = (right - left) / values.length;
  const x = (number) => left + (number - 0.5) * slot;
  drawNumbers(context, ordinals(values.length, (right - left) / 60), x, bottom + 9, theme);
  const thick = Math.min(22, Math.max(2, 0.6 * slot));
  values.forEach((value, i) => {
    const begin = x(i + 1) - thick / 2;
    const below = tau > 0 ? Math.min(1, value / tau) * (bottom - line) : 0;
    ink(context, theme.text, i < rank ? 0.35 : 0.16);
    context.fillRect(begin, bottom - below, thick, below);
    if (i >= rank) return;
    const tall = Math.max(3, scale * (value - tau));
    ink(context, theme.text, 0.9);
    context.fillRect(begin, line - tall, thick, tall);
  });
  ink(context, theme.accent, 1, 2.5);
  trace(context, [left, line], [right, line]).stroke();
  circle(context, right - 6, line, 8);
  context.fill();
  drawLabel(context, `τ = ${plain(tau)}`, right - 20, line, size, top, theme);
  handle.style.transform = `translateY(${line}px)`;
  handle.style.left = `${left}px`;
}

function drawLabel(context, text, x, line, size, top, theme) {
  const y = line - 9 - size < top ? line + 9 + size : line - 9;
  ink(context, theme.background, 0.85, 4);
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.strokeText(text, x, y);
  ink(context, theme.text);
  write(context, text, x, y, "right", "bottom");
}

function readOut(view) {
  const { root, handle, shown: run, frame, taus } = view;
  const at = Object.fromEntries(Object.entries(run.metrics).map(([name, values]) => [name, values[frame]]));
  const count = valuesAt(run, frame, "omega").length;
  const say = (name, text) => (root.querySelector(`[data-panel=${name}] header span`).textContent = text);
  say("omega", at.tau > 0 ? `${at.rank} of ${count} above the line` : `all ${count}`);
  say("W", `rank ${at.rank}, ${format(at.train, "percent")} correct`);
  root.querySelector(".note").textContent = [...remarks(view, at, count)].join(" ");
  Object.assign(root.dataset, { tau: at.tau, rank: at.rank, points: run.count });
  const state = `τ = ${plain(at.tau)}, rank ${at.rank} of ${count}, training accuracy ${format(at.train, "percent")}`;
  handle.ariaValueMin = Math.min(...taus);
  handle.ariaValueMax = taus[0];
  handle.ariaValueNow = at.tau;
  handle.ariaValueText = state;
  for (const [name, title] of Object.entries(PANELS)) view[name].canvas.ariaLabel = `${title} at ${state}`;
}

function* remarks({ tau, latest }, at, count) {
  if (at.tau === 0) yield "At τ = 0 nothing is cut off: this is the linear SVM.";
  else if (at.rank === 0) yield "No singular value of Ω exceeds τ: W = 0, and all samples get the same answer.";
  else {
    yield "W keeps what is above the line.";
    const gap = format(at.gap, "sci", 2);
    yield at.certain === at.rank
      ? `The gap, ${gap}, proves rank ≥ ${at.rank}.`
      : `The gap, ${gap}, only proves rank ≥ ${at.certain}.`;
  }
  if (latest.phase === "failed") yield latest.message;
  else if (!latest.over) yield `${latest.count} solutions so far; the line reaches further as they come.`;
  else if (tau !== at.tau) yield `The knob says τ = ${plain(tau)}, which is beyond this picture.`;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const view = views.get(parentElement) ?? createView(parentElement);
  views.set(parentElement, view);
  view.send = setTriggerValue;
  adopt(view, data);
  view.theme = readTheme(view.root);
  if (view.latest?.url !== data.url) {
    if (view.latest) view.answered = performance.now();
    view.latest?.abort.abort();
    view.latest = newRun(data.url, null);
  }
  if (!view.latest.pulling) pull(view, view.latest);
  invalidate(view);
  document.fonts.ready.then(() => {
    view.theme = readTheme(view.root); // letters on a canvas do not change by themselves
    invalidate(view);
  });
}
