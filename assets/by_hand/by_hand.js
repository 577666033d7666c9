// Be the SVM: the reader paints W, and 24 samples move. In five steps: sort them, keep a distance, pay for
// it, see the best W and which samples hold it, and ask a price for layers, too. It needs no server.

import { isStill, listenTo } from "../lib/dom.js";
import { copyText } from "../lib/give.js";
import { nearest } from "../lib/numbers.js";
import { fillCells } from "../lib/pictures.js";
import { get, placeOf, set } from "../lib/settings.js";
import { makeSteps, stepIn } from "../lib/steps.js";
import { afterKeys, animate, canvasOf, drag, invalidate, isHeld, layOver, onArrows, onPress, place, sayMoved, saySentence, sections, slide, title, toy, watchSlider } from "../lib/toy.js";
import { drawAxis, drawBar, drawLayers, drawMistakes, drawW, toSteps } from "./draw.js";
import { BEST, CELLS, COUNT, HALF, LETTERS, NONE, SAMPLES, SHADES, SIDE, bestHint, costOf, distance, excess, kindOf, paintedW, pushed, reachedBy, solve, trainBoth, y } from "./samples.js";
import { GOALS, GOOD, SHORT, decimals, sayReached, sentence, titles } from "./words.js";

const STEPS = ["Sort", "Distance", "Pay", "The best", "Few layers"];
const [PAY, SHOW] = [3, 4]; // the steps: the one that asks, the one that shows the answer
const ORANGE = 5; // the shade to begin with
const OPENING = [6, 0, 1, 29, 35, 34]; // cells that are painted at the beginning, the wrong way round
const OPENS = Array.from({ length: CELLS }, (_, k) => LETTERS[OPENING.includes(k) ? ORANGE : NONE]).join("");
const EXAMPLE = HALF; // the first frame, whose ink is then laid on W, until a press
const [WAIT, STROKE, WALK] = [600, 300, 1800]; // ms
const REACH = 22; // px, to a sample
const NEAR = 0.4; // of a score: so far goes the line at once, and both edges stay in view
const [PUSH, FAR] = [0.15, 2.2]; // of a score, that a sample is moved by a key, and at most

const FACES = ["−1½", "−1", "−½", "0", "+½", "+1", "+1½"]; // of the shades
const slider = (name, label, low = "", high = "") =>
  `<label class="${name}"><b>${label}</b> <i>${low}</i> <input type="range" min="0" aria-label="${label}"> <i>${high}</i> <span class="value"></span></label>`;

const SKELETON = `
  <div class="panels">
    ${sections({ W: [""], axis: ["", "", `<input type="range" class="line" step="0.02" aria-label="Line at 0">`], bar: [""] })}
    <div class="palette" role="radiogroup" aria-label="Weight to paint with">
      ${FACES.map((face, i) => `<button role="radio" value="${i}"><span>${face}</span></button>`).join("")}
    </div>
    ${slider("size", "size of W", "smaller", "larger")}
    ${slider("tau", "τ, price of rank")}
    <p class="note" role="status"></p>
    <div class="ends"><button class="hint"></button><button class="back">Put the samples back</button><button class="boast"></button></div>
  </div>`;

function createView(parent) {
  const root = place(parent, "by_hand", SKELETON);
  const view = {
    root,
    canvases: Object.fromEntries(["W", "axis", "bar"].map((name) => [name, canvasOf(root, name)])),
    knobs: Object.fromEntries(["size", "tau", "line"].map((name) => [name, root.querySelector(`input.${name}, .${name} input`)])),
    cells: new OffscreenCanvas(1, 1),
    step: 0,
    done: new Set(),
    brush: ORANGE,
    cell: 14, // of the keyboard
    pointed: -1, // the sample
    hint: null,
    isHinted: false, // whether it is shown
    isOwn: false, // whether the reader has changed W: what a link brings is not done by hand
    record: Infinity, // % above the floor
    moved: new Set(), // whether a sample with a load, and one without, were dragged
    stroke: null, // the cell that is painted at the beginning
    shown: { W: new Float64Array(CELLS), b: 0 },
    centre: 0, // of the axis
  };
  view.steps = makeSteps(view, STEPS, GOALS, { h: () => view.step === PAY && takeHint(view) });
  root.prepend(view.steps.top);
  root.querySelector(".ends").append(view.steps.next);
  watchW(view);
  watchSamples(view);
  watchKnobs(view);
  for (const event of ["pointerdown", "keydown"]) root.addEventListener(event, () => stop(view), true);
  listenTo(view, "reveal", () => {
    if (view.settling) report(view); // what comes later would stop the way to the answer
    view.adopt();
  });
  return view;
}

// ---- what the reader does --------------------------------------------------------------------

const isInside = (row, column) => Math.min(row, column) >= 0 && Math.max(row, column) < SIDE;

function watchW(view) {
  const { W } = view.canvases;
  const paintUnder = ({ clientX, clientY }) => {
    const { left, top, width, height } = W.getBoundingClientRect();
    const [row, column] = [(clientY - top) / height, (clientX - left) / width].map((share) => Math.floor(share * SIDE));
    if (isInside(row, column)) paintCell(view, row * SIDE + column);
  };
  const rest = () => afterKeys(view, () => report(view));
  Object.assign(W, { tabIndex: 0, role: "application" });
  W.onfocus = W.onblur = () => invalidate(view);
  onPress(W, (event) => {
    if (view.step > 3) return;
    paintUnder(event);
    drag(view, W, event, (moved) => (moved.getCoalescedEvents?.() ?? [moved]).forEach(paintUnder), rest);
  });
  W.onkeydown = onArrows(([right, up]) => {
    if (view.step > 3) return;
    const [row, column] = [Math.floor(view.cell / SIDE) - up, (view.cell % SIDE) + right];
    if (!(right || up)) paintCell(view, view.cell);
    else if (isInside(row, column)) view.cell = row * SIDE + column;
    rest();
    invalidate(view);
  }, " ", "Enter");
}

// A stroke sets cells, whatever they were before.
function paintCell(view, cell) {
  view.levels = view.levels.map((level, k) => (k === cell ? view.brush : level));
  change(view);
}

function change(view, pace = 50) {
  Object.assign(view, { isHinted: false, pace });
  invalidate(view);
}

function watchSamples(view) {
  const { axis } = view.canvases;
  const sampleUnder = ({ clientX, clientY }) => {
    if (view.step === 5) return -1;
    const { left, top } = axis.getBoundingClientRect();
    const { tips, side } = view.places;
    const far = tips.map(([x, middle], i) => Math.hypot(x - 0.65 * y[i] * side - (clientX - left), middle - (clientY - top)));
    const nearest = far.indexOf(Math.min(...far));
    return far[nearest] < REACH ? nearest : -1;
  };
  Object.assign(axis, { tabIndex: 0, role: "application" });
  axis.onmousemove = (event) => point(view, sampleUnder(event));
  axis.onmouseleave = axis.onblur = () => point(view, -1);
  onPress(axis, (event) => {
    point(view, sampleUnder(event));
    if (view.pointed >= 0 && view.step === 4) dragSample(view, event);
  });
  axis.onkeydown = onArrows(([right, up]) => {
    if (view.step === 5) return;
    if (up) point(view, (Math.max(view.pointed, up > 0 ? 0 : -1) - up + COUNT) % COUNT);
    else if (view.step === 4 && view.pointed >= 0) {
      if (view.pull?.i !== view.pointed) grasp(view, view.pointed);
      push(view, view.pull.by + PUSH * right);
    }
  });
}

function point(view, sample) {
  if (view.held || view.pull?.isShown || view.pointed === sample) return;
  view.pointed = sample;
  invalidate(view);
}

function dragSample(view, event) {
  const { canvases: { axis }, places: { unit } } = view;
  const { left } = axis.getBoundingClientRect();
  grasp(view, view.pointed);
  drag(view, axis, event, ({ clientX }) => {
    view.pull.pointer = clientX - left;
    push(view, (clientX - event.clientX) / unit);
  }, () => {
    view.pull.pointer = null;
    invalidate(view);
  });
}

function grasp(view, i) {
  const { X, best: { W, alpha } } = view;
  view.pull = { i, sample: X[i], W, wasHeld: alpha[i] > 0, load: alpha[i], by: 0, far: 0 };
}

// Move the score of the sample, and solve.
function push(view, by) {
  const { pull, moved } = view;
  view.X[pull.i] = pushed(pull.sample, pull.W, Math.max(-FAR, Math.min(FAR, by)));
  view.best = solve(view.X, { start: view.best.alpha });
  Object.assign(pull, { by, load: view.best.alpha[pull.i], far: distance(view.best.W, pull.W) });
  if (!pull.isShown && Math.abs(by) > 0.1) moved.add(pull.wasHeld ? "held" : "free");
  change(view, 0);
}

function putBack(view, pace = 200) {
  Object.assign(view, { X: [...SAMPLES], best: BEST, pull: null, pointed: -1 });
  change(view, pace);
}

function watchKnobs(view) {
  const { root, knobs: { size, tau, line } } = view;
  const watch = (knob, act) => watchSlider(view, knob, act, () => report(view));
  watch(size, (at) => change(Object.assign(view, { size: view.data.sizes[at] })));
  watch(line, (at) => change(Object.assign(view, { b: -at })));
  watch(tau, (at) => {
    view.done.add(5);
    view.tau = view.data.taus[at];
    Object.assign(view, trainBoth(view.tau, view));
  });
  const palette = root.querySelector(".palette");
  const take = (brush) => {
    if (brush in SHADES) view.brush = brush;
    invalidate(view);
  };
  palette.onclick = ({ target }) => take(Number(target.closest("button")?.value ?? view.brush));
  palette.onkeydown = onArrows(([right, up]) => {
    take(view.brush + right + up);
    palette.children[view.brush].focus();
  });
  root.querySelector(".hint").onclick = () => takeHint(view);
  root.querySelector(".back").onclick = () => putBack(view);
  root.querySelector(".boast").onclick = () => boast(view);
}

// What the reader has reached by hand, with a link to it.
async function boast(view) {
  if (view.settling) report(view);
  const { step } = view.data;
  const link = new URL(location.href.split("?")[0]);
  for (const key of [view.data.W, view.data.size.key, view.data.line.key]) if (get(key) !== null) link.searchParams.set(key, get(key));
  link.searchParams.set(step.key, step.texts[PAY - 1]);
  const said = await copyText(`${sayReached(view)}: ${link}`).then(() => "Copied", () => "The browser did not allow it");
  view.root.querySelector(".boast").textContent = said;
}

// The first click shows the hint, the second one does it.
function takeHint(view) {
  if (view.isHinted) {
    change(Object.assign(view, view.hint));
    afterKeys(view, () => report(view));
  } else {
    view.hint = bestHint(SAMPLES, view, view.best, view.data);
    view.isHinted = view.hint !== null;
  }
  invalidate(view);
}

function report(view) {
  clearTimeout(view.settling);
  Object.assign(view, { settling: 0, isOwn: true });
  const { data, size, b, tau } = view;
  const text = textOf(view);
  set({ [data.W]: text === OPENS ? null : text }, false);
  sayMoved(view, [[data.size, data.sizes.indexOf(size)], [data.line, nearest(data.lines, -b)], [data.tau, data.taus.indexOf(tau)]]);
}

const textOf = ({ levels }) => levels.map((level) => LETTERS[level]).join("");

// ---- steps -----------------------------------------------------------------------------------

function enter(view, step) {
  const isFirst = view.step === 0;
  view.step = step;
  view.stroke = view.animation = null;
  view.moved.clear();
  putBack(view, isFirst ? 0 : 230);
  if (step === 4 && !isFirst && !isStill()) showFree(view);
}

// ---- what moves by itself --------------------------------------------------------------------

function showOpening(view) {
  animate(view, (time) => {
    const count = Math.max(0, Math.ceil((time - WAIT) / STROKE));
    view.stroke = OPENING[count] ?? null;
    if (view.stroke === null) showExample(view);
    change(view, 90);
    return view.stroke !== null;
  });
}

const showExample = (view) => Object.assign(view, { pointed: EXAMPLE, isExample: true });

// The answer: a sample without a load goes further out, and comes back.
function showFree(view) {
  const i = view.best.alpha.lastIndexOf(0, HALF - 1);
  grasp(view, i);
  Object.assign(view, { pointed: i, pull: { ...view.pull, isShown: true } });
  animate(view, (time) => {
    push(view, 0.3 * y[i] * Math.sin(Math.PI * Math.min(1, time / WALK)));
    if (time >= WALK) putBack(view);
    return time < WALK;
  });
}

function stop(view) {
  if (view.pull?.isShown) putBack(view);
  if (view.isExample) point(view, -1); // the hand is to see all of W
  view.isExample = false;
  view.stroke = view.animation = null;
}

// ---- frames ----------------------------------------------------------------------------------

function machineOf(view) {
  if (view.step > 3) return view.best;
  const { levels, stroke, b } = view;
  const isToCome = (k) => stroke !== null && OPENING.includes(k) && OPENING.indexOf(k) > OPENING.indexOf(stroke);
  return { W: paintedW({ ...view, levels: levels.map((level, k) => (isToCome(k) ? NONE : level)) }), b };
}

// Go a part of the way to where W, b and the axis should be; return whether there is more.
function glide(view) {
  const { shown, held, knobs, before = 0, pace } = view;
  const { W, b } = machineOf(view);
  const centre = held === knobs.line ? view.centre : -b; // it follows when the line is left
  const far = Math.max(distance(W, shown.W), Math.abs(b - shown.b), Math.abs(centre - view.centre));
  view.before = performance.now();
  const share = isStill() || !pace || far < 2e-3 ? 1 : 1 - Math.exp(-Math.min(64, view.before - before) / pace);
  view.shown = { W: shown.W.map((weight, k) => weight + share * (W[k] - weight)), b: shown.b + share * (b - shown.b) };
  view.centre += share * (centre - view.centre);
  return share < 1;
}

function paint(view) {
  view.isGliding = glide(view);
  view.cost = costOf(view.X, view.shown);
  if (!view.isGliding && view.stroke === null) judge(view);
  drawW(view);
  if (view.step < 5) {
    drawAxis(view);
    drawBar(view);
  } else {
    drawLayers(view);
    drawMistakes(view);
  }
  readOut(view);
  if (view.isGliding) invalidate(view);
}

// What was reached, once W rests.
function judge(view) {
  const { step, cost: { right, loss, objective }, best, done, moved, data, isOwn } = view;
  const above = excess(objective, best.dual);
  const isDone = [right === COUNT, right === COUNT && loss <= SHORT, above <= GOOD, moved.size === 2][step - 1];
  if (isDone && (isOwn || step === SHOW)) done.add(step);
  if (step !== 3) return;
  view.record = Math.min(view.record, above);
  if (!isHeld(view)) view.hint = bestHint(SAMPLES, view, best, data);
}

function readOut(view) {
  const { root, step, cost, best, pointed, canvases, knobs, data, size, tau, b, brush, cell, places } = view;
  canvases.W.tabIndex = step < SHOW ? 0 : -1;
  canvases.axis.tabIndex = step < STEPS.length ? 0 : -1;
  saySentence(view, sentence(view));
  for (const [name, texts] of Object.entries(titles(view))) title(root, name, ...texts);
  if (step < 4) canvases.W.ariaLabel += `. Row ${Math.floor(cell / SIDE) + 1}, column ${(cell % SIDE) + 1}: ${SHADES[view.levels[cell]]}. Arrows move, space paints.`;
  if (pointed >= 0) canvases.axis.ariaLabel += `. ${kindOf(pointed)} at ${decimals(cost.scores[pointed], 2)}`;
  slide(knobs.size, data.sizes.indexOf(size), decimals(cost.size));
  slide(knobs.tau, data.taus.indexOf(tau), decimals(tau));
  if (step < 5 && view.held !== knobs.line) {
    const ends = [-1, 1].map((way) => data.lines[nearest(data.lines, way * NEAR - b)]);
    [knobs.line.min, knobs.line.max] = ends;
    slide(knobs.line, -b, decimals(-b, 2));
    layOver(knobs.line, ...ends.map((end) => places.middle + places.unit * end));
  }
  root.querySelector(".size .value").textContent = decimals(cost.size);
  root.querySelector(".tau .value").textContent = decimals(tau);
  root.querySelector(".hint").textContent = view.isHinted ? "Do it" : "Hint";
  view.reached = reachedBy(view);
  const boast = root.querySelector(".boast");
  boast.hidden = ![PAY, STEPS.length].includes(step) || view.reached > GOOD;
  if (boast.title !== sayReached(view)) Object.assign(boast, { title: sayReached(view), textContent: `Copy “${sayReached(view)}”` });
  root.querySelectorAll(".palette button").forEach((button, i) => {
    button.ariaChecked = i === brush;
    button.tabIndex = i === brush ? 0 : -1;
  });
  view.steps.draw();
  Object.assign(root.dataset, { step, right: cost.right, loss: cost.loss, objective: cost.objective, floor: best.dual, far: view.pull?.far ?? "", opens: view.stroke !== null });
}

function paintPalette({ root, theme }) {
  const stamp = document.createElement("canvas");
  root.querySelectorAll(".palette button").forEach(({ style }, i) => {
    fillCells(stamp, [1, 1], toSteps([SHADES[i]]), theme.diverging);
    style.backgroundImage = `url(${stamp.toDataURL()})`;
  });
}

function adopt(view, data) {
  view.data = data;
  [view.knobs.size.max, view.knobs.tau.max] = [data.sizes.length - 1, data.taus.length - 1];
  if (!isHeld(view)) {
    const text = get(data.W) ?? "";
    view.levels = [...(/^[a-g]{36}$/.test(text) ? text : OPENS)].map((letter) => LETTERS.indexOf(letter));
    view.size = data.sizes[placeOf(data.size)];
    view.b = -data.lines[placeOf(data.line)];
    view.tau = data.taus[placeOf(data.tau)];
  }
  paintPalette(view);
  const [before, step] = [view.step, stepIn(view, SHOW)];
  if (step !== before) enter(view, step);
  if (before === 0 && step === 1 && textOf(view) === OPENS) {
    if (isStill()) showExample(view);
    else {
      [view.stroke] = OPENING;
      showOpening(view);
    }
  }
  if (step === 5) Object.assign(view, trainBoth(view.tau, view));
}

export default toy(createView, adopt, { paint });
