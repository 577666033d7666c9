// Be the SVM: the reader paints W, and 24 samples move. In five steps: sort them, keep a distance, pay for
// it, see the best W and which samples hold it, and ask a price for layers, too. It needs no server.

import { answer } from "../lib/answer.js";
import { listenTo } from "../lib/dom.js";
import { get, placeOf, set } from "../lib/settings.js";
import { makeSteps } from "../lib/steps.js";
import { ARROWS, afterKeys, animate, canvasOf, drag, invalidate, isHeld, isStill, onPress, place, say, sayMoved, sections, slide, toy, watchSlider } from "../lib/toy.js";
import { colourOf, drawAxis, drawBar, drawLayers, drawMistakes, drawW } from "./draw.js";
import { CELLS, COUNT, INK, LETTERS, NONE, SAMPLES, SHADES, SIDE, bestHint, costOf, distance, excess, kindOf, mistakesOf, paintedW, pushed, solve, y } from "./samples.js";
import { GOALS, GOOD, SHORT, decimals, percent, sentence } from "./words.js";

const STEPS = ["Sort", "Distance", "Pay", "The best", "Few layers"];
const OPENING = [6, 0, 1, 29, 35, 34]; // cells that a hand paints at the beginning, the wrong way round
const [ORANGE, LOWER] = [5, 1]; // its shade; another price of an error
const [WAIT, STROKE, WALK] = [700, 300, 1800]; // ms
const REACH = 22; // px, to a sample
const NEAR = 0.4; // of a score: so far from the middle may the line be dragged before the axis follows
const PUSH = 0.15; // of a score, by a key

const SKELETON = `
  <div class="top"><b class="goal"></b></div>
  <div class="panels">
    ${sections({ W: ["W"], axis: [`${COUNT} samples`, "", `<div class="handle" role="slider" tabindex="0" aria-label="Line at 0"></div>`], bar: [""] })}
    <div class="palette" role="radiogroup" aria-label="Weight to paint with">
      ${SHADES.map((shade, i) => `<button role="radio" value="${i}">${shade > 0 ? "+" : shade < 0 ? "−" : ""}${String(Math.abs(shade)).replace("0.5", "½").replace("1.5", "1½")}</button>`).join("")}
    </div>
    <label class="size"><b>size of W</b> smaller <input type="range" min="0" aria-label="size of W"> larger <output></output></label>
    <label class="tau"><b>τ, price of layers</b> <input type="range" min="0" aria-label="price of layers, tau"> <output></output></label>
    <p class="note" role="status"></p>
    <div class="ends"><button class="hint">Hint</button><button class="back">Put the samples back</button></div>
  </div>`;

function createView(parent) {
  const root = place(parent, "by_hand", SKELETON);
  const view = {
    root,
    canvases: Object.fromEntries(["W", "axis", "bar"].map((name) => [name, canvasOf(root, name)])),
    cells: new OffscreenCanvas(1, 1),
    opening: OPENING,
    step: 0,
    done: new Set(),
    X: [...SAMPLES],
    best: solve(SAMPLES), // the SVM
    levels: [],
    brush: ORANGE,
    cell: 14, // of the keyboard
    spot: -1, // the cell that is pointed at
    pointed: -1, // the sample
    hint: null,
    isHinted: false,
    record: Infinity, // % above the floor
    moved: new Set(), // kinds of samples that were dragged
    pull: null,
    demo: null, // strokes of the hand at the beginning
    shown: { W: new Float64Array(CELLS), b: 0 },
    centre: 0, // of the axis
    before: 0, // ms, of the last frame
  };
  view.steps = makeSteps(view, STEPS, (step) => goTo(view, step));
  root.querySelector(".top").prepend(view.steps.row);
  root.querySelector(".ends").append(view.steps.next);
  watchW(view);
  watchAxis(view);
  watchKnobs(view);
  for (const event of ["pointerdown", "keydown"]) root.addEventListener(event, () => stopDemo(view), true);
  listenTo(view, "reveal", () => view.adopt());
  return view;
}

// ---- W is painted ----------------------------------------------------------------------------

function watchW(view) {
  const { W } = view.canvases;
  Object.assign(W, { tabIndex: 0, role: "application" });
  const cellUnder = ({ clientX, clientY }) => {
    const { left, top, width, height } = W.getBoundingClientRect();
    const [column, row] = [(clientX - left) / width, (clientY - top) / height].map((share) => Math.floor(share * SIDE));
    return Math.min(row, column) >= 0 && Math.max(row, column) < SIDE ? row * SIDE + column : -1;
  };
  const stroke = (event) => {
    for (const each of event.getCoalescedEvents?.() ?? [event]) setCell(view, cellUnder(each), view.brush);
  };
  onPress(W, (event) => {
    if (view.step > 3) return;
    setCell(view, cellUnder(event), view.brush);
    drag(view, W, event, stroke, () => afterKeys(view, () => report(view)));
  });
  W.onpointerover = W.onpointerleave = () => point(view, "spot", -1);
  W.onmousemove = (event) => point(view, "spot", cellUnder(event));
  W.onfocus = W.onblur = () => invalidate(view);
  W.onkeydown = (event) => {
    const [right, up] = ARROWS[event.key] ?? [0, 0];
    const [row, column] = [Math.floor(view.cell / SIDE) - up, (view.cell % SIDE) + right];
    const level = { " ": view.brush, Enter: view.brush, "+": view.levels[view.cell] + 1, "-": view.levels[view.cell] - 1 }[event.key];
    if (view.step > 3 || !(event.key in ARROWS || level in SHADES)) return;
    event.preventDefault();
    event.stopPropagation();
    if (Math.min(row, column) >= 0 && Math.max(row, column) < SIDE) view.cell = row * SIDE + column;
    if (level in SHADES) setCell(view, view.cell, level);
    afterKeys(view, () => report(view));
    invalidate(view);
  };
}

// A stroke sets cells, whatever they were before.
function setCell(view, cell, level) {
  if (cell < 0 || view.levels[cell] === level) return;
  view.levels = view.levels.map((each, k) => (k === cell ? level : each));
  change(view);
}

function change(view) {
  Object.assign(view, { isHinted: false, pace: 50 });
  invalidate(view);
}

function point(view, what, at) {
  if (view[what] === at || view.held) return;
  view[what] = at;
  invalidate(view);
}

// ---- samples and the line are dragged ----------------------------------------------------------

function watchAxis(view) {
  const { axis } = view.canvases;
  const handle = view.root.querySelector(".handle");
  Object.assign(axis, { tabIndex: 0, role: "application" });
  const sampleUnder = ({ clientX, clientY }) => {
    const { left, top } = axis.getBoundingClientRect();
    const { tips, side } = view.places;
    const far = tips.map(([x, middle], i) => Math.hypot(x - 0.6 * y[i] * side - (clientX - left), middle - (clientY - top)));
    const nearest = far.indexOf(Math.min(...far));
    return view.step < 5 && far[nearest] < REACH ? nearest : -1;
  };
  axis.onpointermove = (event) => {
    if (event.pointerType !== "touch") point(view, "pointed", sampleUnder(event));
  };
  axis.onpointerleave = axis.onblur = () => point(view, "pointed", -1);
  onPress(axis, (event) => {
    const i = sampleUnder(event);
    const isAtLine = Math.abs(event.clientX - axis.getBoundingClientRect().left - view.places.line) < REACH;
    if (i < 0 && view.step < 4 && isAtLine) return dragLine(view, axis, event);
    point(view, "pointed", view.pointed === i && event.pointerType === "touch" ? -1 : i);
    if (i >= 0 && view.step === 4) dragSample(view, i, event);
  });
  onPress(handle, (event) => view.step < 4 && dragLine(view, handle, event));
  axis.onkeydown = (event) => {
    const [right, up] = ARROWS[event.key] ?? [0, 0];
    if (!(right || up) || view.step === 5) return;
    event.preventDefault();
    event.stopPropagation();
    if (up) point(view, "pointed", (Math.max(view.pointed, up > 0 ? 0 : -1) - up + COUNT) % COUNT);
    if (right && view.step === 4 && view.pointed >= 0) {
      grasp(view, view.pointed);
      push(view, PUSH * right);
    }
  };
  handle.onkeydown = (event) => {
    const [right] = ARROWS[event.key] ?? [0];
    if (!right) return;
    event.preventDefault();
    event.stopPropagation();
    moveLine(view, -view.b + right * (view.data.lines[1] - view.data.lines[0]));
    afterKeys(view, () => report(view));
  };
}

// The axis stays as long as both edges are in view, and follows when the line is left.
function dragLine(view, handle, event) {
  const [start, line, { unit }] = [event.clientX, -view.b, view.places];
  view.isLineHeld = true;
  drag(view, handle, event, ({ clientX }) => moveLine(view, line + (clientX - start) / unit), () => {
    view.isLineHeld = false;
    report(view);
  });
}

function moveLine(view, at) {
  view.b = -view.data.lines[nearest(view.data.lines, at)];
  change(view);
}

function dragSample(view, i, event) {
  const { left } = view.canvases.axis.getBoundingClientRect();
  const [start, { unit }] = [event.clientX, view.places];
  grasp(view, i);
  drag(view, view.canvases.axis, event, ({ clientX }) => {
    view.pull.pointer = clientX - left;
    push(view, (clientX - start) / unit);
  }, () => {
    delete view.pull.pointer;
    invalidate(view);
  });
}

function grasp(view, i) {
  const { X, best } = view;
  view.pull = { i, sample: X[i], W: best.W, wasHeld: best.alpha[i] > 0, load: best.alpha[i], far: 0 };
}

// Move the sample so far, and solve.
function push(view, by) {
  const { pull, moved } = view;
  view.X[pull.i] = pushed(pull.sample, pull.W, Math.max(-2.2, Math.min(2.2, by)));
  view.best = solve(view.X, { start: view.best.alpha });
  Object.assign(pull, { load: view.best.alpha[pull.i], far: distance(view.best.W, pull.W) });
  if (!pull.isShown && Math.abs(by) > 0.1) moved.add(pull.wasHeld ? "held" : "free");
  view.pace = 0;
  invalidate(view);
}

function putBack(view) {
  Object.assign(view, { X: [...SAMPLES], best: solve(SAMPLES), pull: null, pace: 150 });
  invalidate(view);
}

// ---- knobs and steps ---------------------------------------------------------------------------

const nearest = (values, at) => values.reduce((best, value, i) => (Math.abs(value - at) < Math.abs(values[best] - at) ? i : best), 0);

function watchKnobs(view) {
  const { root } = view;
  const [size, tau] = root.querySelectorAll("[type=range]");
  Object.assign(view, { sizeKnob: size, tauKnob: tau });
  watchSlider(view, size, (at) => {
    view.size = view.data.sizes[at];
    change(view);
  }, () => report(view));
  watchSlider(view, tau, (at) => {
    view.tau = view.data.taus[at];
    view.done.add(5);
    trainBoth(view);
  }, () => report(view));
  root.querySelector(".palette").onclick = ({ target }) => {
    if (target.value) view.brush = Number(target.value);
    invalidate(view);
  };
  root.querySelector(".hint").onclick = () => takeHint(view);
  root.querySelector(".back").onclick = () => putBack(view);
}

// The first click shows the hint, the second one does it.
function takeHint(view) {
  if (view.isHinted && view.hint) {
    const { levels, size, b } = { ...view, ...view.hint };
    Object.assign(view, { levels, size, b: -view.data.lines[nearest(view.data.lines, -b)] });
    afterKeys(view, () => report(view));
    change(view);
  } else view.isHinted = view.hint !== null;
  invalidate(view);
}

function report(view) {
  const { data, levels, size, b, tau } = view;
  const text = levels.map((level) => LETTERS[level]).join("");
  set({ [data.W]: text === OPENS ? null : text }, false);
  sayMoved(view, [[data.size, data.sizes.indexOf(size)], [data.line, nearest(data.lines, -b)], [data.tau, data.taus.indexOf(tau)]]);
}

function goTo(view, step) {
  if (step > 3 && !answer.reveal()) return;
  sayMoved(view, [[view.data.step, step - 1]]);
}

function enter(view, step) {
  const before = view.step;
  if (step === before) return;
  Object.assign(view, { step, isHinted: false, pointed: -1, spot: -1, pace: before ? 230 : 0, before: performance.now() });
  if (before) view.demo = view.animation = null;
  view.moved.clear();
  putBack(view);
  if (step === 4 && before) showFree(view);
  if (step === 5) trainBoth(view);
}

function trainBoth(view) {
  const describe = (machine) => ({ ...machine, right: costOf(SAMPLES, machine).right, mistakes: mistakesOf(machine) });
  view.svm ??= { ...describe(view.best), low: { price: LOWER, ...describe(solve(SAMPLES, { price: LOWER })) } };
  view.smm = describe(solve(SAMPLES, { tau: view.tau, start: view.smm?.alpha }));
}

// ---- what moves by itself ------------------------------------------------------------------------

const OPENS = Array.from({ length: CELLS }, (_, k) => LETTERS[OPENING.includes(k) ? ORANGE : NONE]).join("");

function showOpening(view) {
  if (isStill()) return;
  view.demo = 0;
  animate(view, (time) => {
    const strokes = (time - WAIT) / STROKE;
    view.demo = strokes < OPENING.length ? strokes : null;
    invalidate(view);
    return view.demo !== null;
  });
}

function stopDemo(view) {
  if (view.demo === null && !view.pull?.isShown) return;
  Object.assign(view, { demo: null, animation: null });
  if (view.pull) putBack(view);
}

// The answer: a sample without a load goes further out, and comes back.
function showFree(view) {
  if (isStill()) return;
  const i = view.best.alpha.lastIndexOf(0, COUNT / 2 - 1);
  grasp(view, i);
  Object.assign(view, { pointed: i });
  Object.assign(view.pull, { isShown: true });
  animate(view, (time) => {
    const share = Math.min(1, time / WALK);
    push(view, 0.3 * y[i] * Math.sin(Math.PI * share));
    if (share === 1) Object.assign(view, { pull: null, pointed: -1 });
    return share < 1;
  });
}

// ---- frames --------------------------------------------------------------------------------------

const isPainted = (view, k) => view.demo === null || !OPENING.includes(k) || view.demo > OPENING.indexOf(k) + 0.85;

function machineOf(view) {
  if (view.step > 3) return view.best;
  const levels = view.levels.map((level, k) => (isPainted(view, k) ? level : NONE));
  return { W: paintedW({ ...view, levels }), b: view.b };
}

// Go a part of the way to where W, b and the axis should be; return whether there is more.
function glide(view) {
  const { shown, isLineHeld } = view;
  const { W, b } = machineOf(view);
  const now = performance.now();
  const part = isStill() || !view.pace ? 1 : 1 - Math.exp(-Math.min(64, now - view.before) / view.pace);
  const centre = isLineHeld ? Math.max(-b - NEAR, Math.min(-b + NEAR, view.centre)) : -b;
  const far = Math.max(distance(W, shown.W), Math.abs(b - shown.b), Math.abs(centre - view.centre));
  const share = far < 2e-3 ? 1 : part;
  view.before = now;
  view.shown = { W: shown.W.map((weight, k) => weight + share * (W[k] - weight)), b: shown.b + share * (b - shown.b) };
  view.centre += share * (centre - view.centre);
  return share < 1;
}

function paint(view) {
  const moves = glide(view);
  view.cost = costOf(view.X, view.shown);
  if (!moves && view.step < 4) judge(view);
  drawW(view);
  if (view.step < 5) drawAxis(view);
  else drawLayers(view);
  if (view.step < 5) drawBar(view);
  else drawMistakes(view);
  readOut(view);
  if (moves) invalidate(view);
}

// What was reached, once W rests.
function judge(view) {
  const { step, cost: { right, loss, objective }, best, done } = view;
  const above = excess(objective, best.dual);
  if (view.demo !== null) return;
  if (step === 3) view.record = Math.min(view.record, above);
  if ([right === COUNT, right === COUNT && loss <= SHORT, above <= GOOD][step - 1]) done.add(step);
  view.hint = step === 3 && !isHeld(view) ? bestHint(SAMPLES, view, best, view.data.sizes.slice(1)) : view.hint;
}

// ---- words ---------------------------------------------------------------------------------------

function readOut(view) {
  const { root, step, cost, best, smm, pointed, canvases, places, data, size, tau, b } = view;
  if (step === 4 && view.moved.size === 2) view.done.add(4);
  const now = {
    ...view,
    floor: best.dual,
    own: view,
    isOpening: view.levels.map((level) => LETTERS[level]).join("") === OPENS,
    canGrow: size < data.sizes.at(-1),
  };
  root.querySelector(".goal").textContent = GOALS[step - 1];
  const note = root.querySelector(".note");
  const text = sentence(now);
  if (note.dataset.text !== text) note.innerHTML = note.dataset.text = text;
  const sum = (sign) => view.X[pointed].reduce((all, entry, k) => all + Math.max(0, (sign * entry * view.shown.W[k]) / INK), 0);
  const offset = Math.abs(b) < 1e-9 ? "" : ` ${b < 0 ? "−" : "+"} ${decimals(Math.abs(b), 2)}`;
  const isPointed = pointed >= 0 && step < 5;
  say(root, "W", [
    isPointed && step < 4 ? `score of this ${kindOf(pointed)}: (${decimals(sum(1))} − ${decimals(sum(-1))}) / 10${offset} = ${decimals(cost.scores[pointed], 2)}` : "36 weights: orange +, blue −",
    view.pull && step === 4 ? "small squares: before" : `of the SVM, ${best.rank} layers`,
  ][isPointed && step < 4 ? 0 : step < 4 ? 0 : 1]);
  const load = isPointed ? `this ${kindOf(pointed)}: load ${decimals(best.alpha[pointed])}` : "tip filled: load, at most C = 3";
  const axis = ["the tip of each is at its score", "thread: what a sample misses to its edge", "objective = C × threads + size of W, C = 3", load, `W of the SMM, ${smm?.rank} layers, each a column times a row`][step - 1];
  say(root, "axis", axis);
  root.querySelector("[data-panel=axis] b").textContent = step < 5 ? `${COUNT} samples` : "SMM";
  const bar = [`${COUNT - cost.right} wrong`, `threads ${decimals(cost.loss)}`, `${percent(excess(cost.objective, best.dual))} above floor`, "on the floor ✓", "Mistakes of 1,000"][step - 1];
  root.querySelector("[data-panel=bar] b").textContent = bar;
  canvases.bar.ariaLabel = `${bar}. Threads ${decimals(cost.loss)}, size of W ${decimals(cost.size)}`;
  const level = view.levels[view.cell];
  canvases.W.ariaLabel = `W, row ${Math.floor(view.cell / SIDE) + 1}, column ${(view.cell % SIDE) + 1}: ${SHADES[level]}. Arrows move, space paints, plus and minus change the shade.`;
  canvases.axis.ariaLabel = isPointed ? `${kindOf(pointed)} at ${decimals(cost.scores[pointed], 2)}${step === 4 ? `, ${load}` : ""}` : `${COUNT} samples. Arrow up and down choose one.`;
  const handle = root.querySelector(".handle");
  handle.ariaValueNow = handle.ariaValueText = decimals(-b, 2);
  handle.hidden = step > 3;
  Object.assign(handle.style, places && { translate: `${places.line}px ${places.bottom + places.foot / 2}px` });
  view.sizeKnob.max = data.sizes.length - 1;
  view.tauKnob.max = data.taus.length - 1;
  slide(view.sizeKnob, data.sizes.indexOf(size), decimals(cost.size));
  slide(view.tauKnob, data.taus.indexOf(tau), decimals(tau));
  root.querySelector(".size output").textContent = decimals(cost.size);
  root.querySelector(".tau output").textContent = decimals(tau);
  root.querySelector(".hint").textContent = view.isHinted && view.hint ? "Do it" : "Hint";
  root.querySelectorAll(".palette button").forEach((button, i) => {
    button.ariaChecked = i === view.brush;
    button.style.background = colourOf(view.theme, SHADES[i]);
  });
  view.steps.draw();
  Object.assign(root.dataset, { step, right: cost.right, loss: cost.loss, objective: cost.objective, floor: best.dual, moves: view.demo !== null });
}

// A link to a step behind the question opens it, like any touch; asking again leads back before it.
function stepIn(view, { step }) {
  const at = placeOf(step) + 1;
  if (at < 4 || !answer.isHidden()) return at;
  return view.step === 0 && answer.reveal() ? at : 3;
}

function adopt(view, data) {
  view.data = data;
  if (!isHeld(view)) {
    const text = get(data.W) ?? "";
    const isNew = view.step === 0 && !text;
    view.levels = [...(/^[a-g]{36}$/.test(text) ? text : OPENS)].map((letter) => LETTERS.indexOf(letter));
    view.size = data.sizes[placeOf(data.size)];
    view.b = -data.lines[placeOf(data.line)];
    view.tau = data.taus[placeOf(data.tau)];
    if (isNew && placeOf(data.step) === 0) showOpening(view);
  }
  enter(view, stepIn(view, data));
  if (view.step === 5) trainBoth(view);
}

export default toy(createView, adopt, { paint });
