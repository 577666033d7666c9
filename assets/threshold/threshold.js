// A threshold that one drags over the singular values of Omega; W follows at once.
//
// The solutions along tau come as the frames of a run: `pull` in store.js fetches them and calls
// `show`, `arrange` and `invalidate` below. The line stands at one of them only, so whatever is drawn
// is a certified solution. Where a drag ended is told to the page by the trigger "moved"; the page's
// answer is the same tau. While the page's slider is held, the line follows what it shows.

const views = new WeakMap();
const isCovered = () => false; // `pull` and `receive` ask
const isCurrent = () => false;
const ANSWER_TIME = 2_000; // ms, for the page's answer to a drag
const STRIDE = 5; // points, by the keys for a page
const DECADES = 3; // of the axis at least, before the path has come so far down
const PANELS = { omega: "Singular values of Ω", sigma: "Singular values of W", W: "W" };

const SKELETON = `
  <div class="panels">
    ${Object.entries(PANELS)
      .map(
        ([name, title]) => `<section data-panel="${name}">
          <div class="title">${title}</div>
          <div class="sheet"><canvas role="img"></canvas></div>
        </section>`,
      )
      .join("")}
  </div>
  <dl>
    <div><dt>threshold τ</dt><dd data-field="tau"></dd></div>
    <div><dt>τ / τₘₐₓ</dt><dd data-field="share"></dd></div>
    <div><dt>rank of W</dt><dd data-field="rank"></dd></div>
    <div><dt>objective P</dt><dd data-field="primal"></dd></div>
    <div><dt>relative gap</dt><dd data-field="gap"></dd></div>
    <div><dt>training accuracy</dt><dd data-field="train"></dd></div>
  </dl>
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
    sigma: panel("sigma", { field: "sigma" }),
    W: panel("W", { field: "W", own: true }),
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
  watchSliders(root, () => follow(view) && invalidate(view));
  return view;
}

// ---- what is dragged -----------------------------------------------------------------------

function grasp(view, part, event) {
  const { handle } = view;
  if (!view.axis || (part !== handle && event.pointerType !== "mouse")) return; // a finger may scroll
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
  const { taus } = view;
  const distance = (tau) => Math.abs(view.axis.y(tau) - (clientY - top));
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
  if (!step || !view.axis) return;
  event.preventDefault();
  moveTo(view, nearest(view) + step);
  afterKeys(view, () => report(view));
}

function report(view) {
  if (view.tau === view.known) return;
  view.known = view.tau;
  view.asked = { tau: view.tau, until: performance.now() + ANSWER_TIME };
  view.send("moved", view.tau);
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

// While the page's slider is held, what it shows comes before what the page has said.
function follow(view) {
  const slider = document.querySelector(`.st-key-${view.data.slider} input`);
  if (!slider || slider !== document.activeElement) return false;
  view.tau = view.known = view.data.options[slider.getAttribute(SHOWN)] ?? view.tau;
  return true;
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
  const singular = { shown: run, frame, theme: { ...theme, lines: [theme.lines[1]] } };
  paintBars(view.sigma, singular);
  paintPicture(view.W, { shown: run, frame, theme });
  readOut(view);
}

// A log axis, with a place for tau = 0 at its foot.
function thresholdAxis(run, top, bottom) {
  const taus = run.metrics.tau;
  const largest = Math.max(taus[0], ...run.images.map(({ sizes }) => sizes.omega));
  const positive = taus.filter((tau) => tau > 0);
  const least = run.over ? Math.min(...positive) : Math.min(...positive, largest * 10 ** -DECADES);
  const floor = Math.log10(least) - 0.2;
  const ceiling = Math.log10(largest) + 0.1;
  const y = (value) => {
    const share = value > 0 ? (Math.log10(value) - floor) / (ceiling - floor) : 0;
    return bottom - Math.max(0, share) * (bottom - top);
  };
  const exponents = multiples(Math.ceil(floor), Math.floor(ceiling), 1);
  const ticks = exponents.map((exponent) => [y(10 ** exponent), power(exponent)]);
  return { y, ticks: [[bottom, "0"], ...ticks.filter(([at]) => bottom - at > 12)] };
}

function paintOmega(view) {
  const { shown: run, frame, theme, handle } = view;
  const { context, width, height, size } = openSheet(view.omega.canvas);
  if (!width) return;
  const [right, top, bottom] = [width - 10, 10, height - size - 14];
  const axis = (view.axis = thresholdAxis(run, top, bottom));
  const left = leftOf(context, axis);
  drawVerticalAxis(context, axis, left, right, theme);
  const values = valuesAt(run, frame, "omega");
  const slot = (right - left) / values.length;
  const x = (number) => left + (number - 0.5) * slot;
  drawNumbers(context, ordinals(values.length, (right - left) / 60), x, bottom + 9, theme);

  const [rank, line] = [run.metrics.rank[frame], axis.y(view.taus[frame])];
  const thick = Math.min(18, Math.max(2, 0.6 * slot));
  values.forEach((value, i) => {
    const [begin, height] = [x(i + 1) - thick / 2, axis.y(value)];
    if (i >= rank) {
      ink(context, theme.text, 0.75, 1.5);
      circle(context, x(i + 1), height, Math.min(4.5, 0.5 * thick));
      context.stroke();
      return;
    }
    ink(context, theme.text, 0.22);
    context.fillRect(begin, line, thick, bottom - line);
    ink(context, theme.lines[1]);
    context.fillRect(begin, Math.min(height, line - 4), thick, Math.max(4, line - height));
  });
  ink(context, theme.text, 1, 2.5);
  trace(context, [left, line], [right, line]).stroke();
  circle(context, right - 6, line, 7);
  context.fill();
  drawLabel(context, `τ = ${plain(view.taus[frame])}`, right - 18, line, size, top, theme);
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
  const say = (field, text) => (root.querySelector(`[data-field=${field}]`).textContent = text);
  say("tau", plain(at.tau));
  say("share", format(at.share, "sci"));
  say("rank", `${at.rank} of ${count}`);
  say("primal", plain(at.primal, 4));
  say("gap", format(at.gap, "sci", 2));
  say("train", format(at.train, "percent"));
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
    yield `${at.rank} of ${count} singular values of Ω exceed τ. W keeps ${at.rank === 1 ? "it" : "them"}, reduced by τ.`;
    yield at.certain === at.rank
      ? `The gap proves that the exact W has rank at least ${at.certain}.`
      : `The gap proves only that the exact W has rank at least ${at.certain}.`;
  }
  if (latest.phase === "failed") yield latest.message;
  else if (!latest.over) yield `${latest.count} solutions so far; the line reaches further as they come.`;
  else if (tau !== at.tau) yield `The sidebar says τ = ${plain(tau)}, which is beyond this picture.`;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const view = views.get(parentElement) ?? createView(parentElement);
  views.set(parentElement, view);
  view.send = setTriggerValue;
  adopt(view, data);
  follow(view);
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
