// Omega and its samples, in five steps: samples, each with its load, are added up to Omega; its layers
// are cut at tau; what is left is W, and new samples tell why. All is solved anew under the hand.

import { answer } from "../lib/answer.js";
import { circle, drawNumbers, drawVerticalAxis, ink, openSheet, trace, write, writeOver } from "../lib/canvas.js";
import { isStill, listenTo } from "../lib/dom.js";
import { ordinals } from "../lib/numbers.js";
import { drawCells, fillCells } from "../lib/pictures.js";
import { get, placeOf, set } from "../lib/settings.js";
import { makeSteps, stepIn } from "../lib/steps.js";
import { threshold } from "../lib/svd.js";
import { THUMB, afterKeys, animate, canvasOf, dragSlider, invalidate, isHeld, layOver, onArrows, paintMatrix, place, putUnder, sayMoved, saySentence, sections, slide, title, toy, watchSlider } from "../lib/toy.js";
import { SIDE, dipOf, drawSamples, layerOf, solve, tryNewSamples } from "./samples.js";
import { GOALS, NAMES, isOff, kindOf, loadOf, proofOf, sayChange, sentenceOf } from "./words.js";

const [SAMPLES, ADD, LAYERS, CUT, WHY] = [1, 2, 3, 4, 5]; // the steps
const SHAPE = [SIDE, SIDE];
const ROW = 18; // samples of a class
const STRONGER = 4; // times, the colours of what is weak beside the rest
const COUNTING = 8; // ms of each frame
const FILM = 2600; // ms, of the samples that are added, and of the line that rises
const HIGHEST = 11.4; // height at the end of an axis
const [LOWEST, TICK] = [0.8, 0.05]; // share of new samples where its axis begins, unless one is lower
const TITLES = { left: [""], middle: ["", "", `<input type="range" min="0">`], right: [""] };

const samplesOf = (name) => `<p><b>${name}</b><span></span></p>${`<button class="${name}"><canvas></canvas></button>`.repeat(ROW)}`;
const SKELETON = `
  <div class="strip" role="group" aria-label="Samples">${samplesOf("crosses")}${samplesOf("frames")}</div>
  <div class="panels">${sections(TITLES)}</div>
  <p class="note" role="status"></p>
  <div class="row">
    <label class="slider price"><b>C</b> <span>price of an error, the most load</span> <input type="range" min="0" aria-label="C, price of an error"><output></output></label>
    <button class="back"></button>
    <button class="other">Other samples</button>
    <span class="proof"></span>
  </div>`;

function createView(parent, data) {
  const root = place(parent, "omega", SKELETON);
  const view = {
    root,
    data,
    ...Object.fromEntries(Object.keys(TITLES).map((name) => [name, canvasOf(root, name)])),
    slider: root.querySelector(".sheet input"), // of the layer in the step of the layers, else of tau
    price: root.querySelector(".price input"),
    cells: new OffscreenCanvas(1, 1),
    strip: [...root.querySelectorAll(".strip button")],
    step: 0,
    done: new Set(), // steps whose act was done
    out: new Set(), // samples that are taken out
    tried: { free: false, loaded: false }, // which kinds of samples have been taken out
    touched: new Set(), // layers
    layer: 0,
    pointed: 0, // the sample
    film: null, // from 0 to 1 while one runs
    note: "", // what the last act has changed
    curve: null, // what new samples say along tau
    lowest: LOWEST, // share on the axis of the last curve
    hasDragged: false, // tau
  };
  view.steps = makeSteps(view, NAMES, GOALS);
  root.prepend(view.steps.top);
  root.querySelector(".row").append(view.steps.next);
  watchSamples(view);
  watchLine(view);
  watchSlider(view, view.price, (at) => change(view, { C: data.prices[at] }), () => report(view));
  root.querySelector(".back").onclick = () => act(view, () => change(view, { out: new Set() }));
  root.querySelector(".other").onclick = () => act(view, () => change(view, { draw: (view.draw + 1) % data.seeds.length, out: new Set() }));
  listenTo(view, "reveal", () => view.adopt());
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

const stopFilm = (view) => Object.assign(view, { animation: null, film: null });

// What an act has changed goes into the address when the hand rests.
function act(view, then) {
  stopFilm(view);
  then();
  afterKeys(view, () => report(view));
  invalidate(view);
}

function watchSamples(view) {
  const { strip } = view;
  strip.forEach((cell, i) => {
    cell.onpointerenter = cell.onfocus = () => {
      view.pointed = i;
      if (view.step === SAMPLES) view.done.add(SAMPLES);
      invalidate(view);
    };
    cell.onclick = () => view.step > SAMPLES && act(view, () => toggle(view, i));
  });
  const moveOn = ([right, up], { target }) => strip[strip.indexOf(target) + right - ROW * up]?.focus();
  view.root.querySelector(".strip").onkeydown = onArrows(moveOn);
}

// Take a sample out, or put it back.
function toggle(view, i) {
  const { found: before, tried } = view;
  const out = new Set(view.out);
  if (!out.delete(i)) {
    out.add(i);
    tried[before.alpha[i] ? "loaded" : "free"] = true;
  }
  change(view, { out });
  view.note = sayChange(view, i, before);
  if (tried.free && tried.loaded) view.done.add(ADD);
}

// The slider over the middle: upright in the step of the cut. In that of the layers it needs no button.
function watchLine(view) {
  const { slider, data } = view;
  const move = (at) => {
    stopFilm(view);
    if (view.step === LAYERS) touch(view, at);
    else cut(view, data.cuts[at]);
  };
  watchSlider(view, slider, move, () => report(view));
  dragSlider(view, slider);
  slider.onmousemove = (event) => view.step === LAYERS && touch(view, putUnder(slider, event));
}

function touch(view, layer) {
  view.layer = layer;
  view.touched.add(layer);
  if (view.touched.size > 1) view.done.add(LAYERS);
  invalidate(view);
}

function cut(view, tau) {
  change(view, { tau, hasDragged: true });
  if (view.step === WHY || Math.abs(tau - view.data.tau) > 1) view.done.add(view.step);
}

function enter(view, step) {
  const before = view.step;
  stopFilm(view);
  Object.assign(view, { step, note: "" });
  const isPlayed = (step === ADD && before === SAMPLES) || (step === CUT && before === LAYERS);
  if (isPlayed && !isStill() && view.found.hasBoth) play(view);
  if (step === ADD && !view.found.alpha[view.pointed]) view.pointed = added(view).at(-1) ?? 0;
  tryLater(view);
}

function play(view) {
  view.film = 0;
  animate(view, (time) => {
    view.film = time < FILM ? time / FILM : null;
    invalidate(view);
    return view.film !== null;
  });
}

// Solve anew where something has changed, from the loads before.
function change(view, news) {
  const isOther = "draw" in news && news.draw !== view.draw;
  Object.assign(view, { note: "", curve: "tau" in news && !("C" in news) ? view.curve : null }, news);
  if (isOther) view.samples = drawSamples(view.data.seeds[view.draw]);
  if (isOther) fillStrip(view);
  view.found = solve(view.samples, view, isOther ? null : view.found?.alpha);
  tryLater(view);
}

// New samples along tau, once the hand rests.
function tryLater(view) {
  clearTimeout(view.later);
  view.counting = null;
  if (view.step !== WHY || view.curve) return;
  view.later = setTimeout(() => {
    if (!view.root.isConnected) return;
    if (isHeld(view)) return tryLater(view);
    view.counting = tryNewSamples(view.samples, view, view.data.cuts.filter((_, k) => k % 5 === 0));
    count(view, view.counting);
  }, 50);
}

// A few settings in each frame.
function count(view, counting) {
  const end = performance.now() + COUNTING;
  let next = counting.next();
  while (!next.done && performance.now() < end) next = counting.next();
  if (view.counting !== counting || !view.root.isConnected) return;
  if (!next.done) return requestAnimationFrame(() => count(view, counting));
  view.curve = next.value;
  invalidate(view);
}

// ---- the address ---------------------------------------------------------------------------

const codeOf = (out) => [...out].reduce((sum, i) => sum + 2 ** i, 0);

function report(view) {
  const { cut, price, draw, cuts, prices, out } = view.data;
  set({ [out]: codeOf(view.out).toString(36).replace(/^0$/, "") || null }, false);
  sayMoved(view, [[cut, cuts.indexOf(view.tau)], [price, prices.indexOf(view.C)], [draw, view.draw]]);
}

function readAddress(view) {
  const { cut, price, draw, cuts, prices, out } = view.data;
  const code = Number.parseInt(get(out) ?? 0, 36) || 0;
  const next = { tau: cuts[placeOf(cut)], C: prices[placeOf(price)], draw: placeOf(draw) };
  if (Object.keys(next).some((name) => view[name] !== next[name]) || codeOf(view.out) !== code) {
    change(view, { ...next, out: new Set([...view.strip.keys()].filter((i) => Math.floor(code / 2 ** i) % 2)) });
  }
  const step = stepIn(view, ADD);
  if (step !== view.step) enter(view, step);
}

// ---- what is drawn -------------------------------------------------------------------------

const toSteps = (entries, limit) => entries.map((entry) => (127 * entry) / limit);
const limitOf = (entries) => 2.2 * Math.sqrt(entries.reduce((sum, entry) => sum + entry * entry, 0) / entries.length) || 1;

// The samples that are in the sum, crosses and frames by turns; in a film, the first ones.
function added({ found: { alpha }, step, film }) {
  const all = [...alpha.keys()].filter((i) => alpha[i] > 0).sort((a, b) => (a % ROW) - (b % ROW) || a - b);
  return step === ADD && film !== null ? all.slice(0, 1 + Math.floor(film * all.length)) : all;
}

function paint(view) {
  [paintSamples, paintAdding, paintLayers, paintCut, paintWhy][view.step - 1](view);
  dressStrip(view);
  readOut(view);
}

function show(view, name, entries, limit, ...texts) {
  paintMatrix(view, view[name], SHAPE, toSteps(entries, limit));
  title(view.root, name, ...texts);
}

function fillStrip({ strip, samples, theme }) {
  strip.forEach((cell, i) => fillCells(cell.firstChild, SHAPE, toSteps(samples.X[i], 0.7), theme.diverging));
}

// A sample is as large as its load; before the answer, all are equal.
function dressStrip(view) {
  const { root, strip, samples, step, pointed, out } = view;
  const [isKnown, inSum] = [step > SAMPLES, added(view)];
  const states = isKnown ? ["added", "subtracted"] : ["label +1", "label −1"];
  root.querySelectorAll(".strip span").forEach((span, k) => (span.textContent = states[k]));
  strip.forEach((cell, i) => {
    const load = inSum.includes(i) ? view.found.alpha[i] / view.C : 0;
    cell.style.setProperty("--load", isKnown ? load : 0.2);
    cell.style.setProperty("--size", isKnown ? (load ? 0.6 + 0.28 * load : 0.4) : 0.85);
    cell.classList.toggle("out", out.has(i));
    cell.classList.toggle("pointed", i === pointed);
    cell.tabIndex = i === pointed ? 0 : -1;
    cell.title = cell.ariaLabel = `Sample ${i + 1}, ${kindOf(samples, i)}${isKnown ? `, ${loadOf(view, i)}` : ""}`;
  });
}

// Step 1: a sample is its hidden pattern plus noise.
function paintSamples(view) {
  const { samples: { X, y, hidden, contrasts }, samples, pointed: i, theme } = view;
  const limit = 1.3 * contrasts[i];
  const { context, width, height, size } = openSheet(view.middle);
  const side = Math.min(height, width - 5 * size);
  const x = (width - side) / 2;
  ink(context, theme.border);
  drawCells(context, view, SHAPE, toSteps(hidden[i], limit / STRONGER), theme.diverging, { x, y: 0, w: side, h: side });
  ink(context, theme.text);
  context.font = context.font.replace(/[\d.]+px/, `${2 * size}px`);
  write(context, "=", x / 2, height / 2, "center", "middle");
  write(context, "+", width - x / 2, height / 2, "center", "middle");
  show(view, "left", X[i], limit, `Sample ${i + 1}`, kindOf(samples, i));
  title(view.root, "middle", y[i] > 0 ? "Cross" : "Frame", "hidden in it", `drawn ${STRONGER} × as strong`);
  show(view, "right", X[i].map((cell, at) => cell - hidden[i][at]), limit, "Noise", "drawn anew");
}

// Step 2: the loads, and the sum.
function paintAdding(view) {
  const { samples: { X, y }, found: { alpha, omega }, film, out } = view;
  const inSum = added(view);
  if (film !== null) view.pointed = inSum.at(-1);
  const i = view.pointed;
  const part = (k) => X[k].map((cell) => alpha[k] * y[k] * cell);
  const sum = inSum.map(part).reduce((all, own) => all.map((cell, at) => cell + own[at]), new Float64Array(SIDE * SIDE));
  const sign = y[i] > 0 ? "" : "−";
  show(view, "left", sum, limitOf(omega), "Ω", `sum of ${inSum.length} samples`);
  title(view.root, "middle", "Loads", "large marks: bold samples");
  paintLoads(view);
  show(view, "right", part(i), limitOf(omega) / STRONGER, `Sample ${i + 1}`, out.has(i) ? "taken out" : `× ${sign}${alpha[i].toFixed(2)}`, `colours ${STRONGER} × as strong`);
}

// The samples in three rooms, which go down from the margin over the edge to what lies beyond: in the upper
// one all loads are C, in the lower one 0, and a mark stands beside others; between them it stands where its
// load is.
function paintLoads(view) {
  const { theme, samples: { y, isBold }, found: { alpha, scores }, C, film, out, pointed } = view;
  const { context, width, height, size } = openSheet(view.middle);
  const [left, top, bottom, low, high] = [size, 0.3 * size, height - 1.7 * size, -0.3, 4.8];
  const radius = Math.min(0.36 * size, 0.018 * height);
  const room = Math.max(0.28 * (bottom - top), 1.5 * size + 4 * radius); // of load 0, with its name above the marks
  const yOf = (share) => bottom - room - 0.27 * share * (bottom - top); // of the loads between 0 and C
  const xOf = (value) => left + ((Math.max(low, Math.min(high, value)) - low) / (high - low)) * (width - left - size);
  const own = (i) => y[i] * scores[i];
  const [atC, atZero] = [[], []]; // the last mark in each row
  const drawn = film === null ? [...y.keys()].filter((i) => !out.has(i)) : added(view);
  const rooms = [
    ["inside the margin: full load C", left, 0, xOf(1), yOf(1) - 3, (load) => load === C],
    ["on the edge: a load between", xOf(1) - size, yOf(1), xOf(1) + size, yOf(0), (load) => load > 0 && load < C],
    ["beyond the edge: load 0", xOf(1), yOf(0) + 3, width, bottom, (load) => load === 0],
  ];
  for (const [name, from, high, to, low, isIn] of rooms) {
    ink(context, theme.text, 0.09);
    context.fillRect(from, high, to - from, low - high);
    ink(context, theme.text);
    const isLast = low === bottom; // whose room is as wide as the picture
    const where = isLast ? [to - 6, high + 4, "right", "top"] : [to + 8, (high + low) / 2, "left", "middle"];
    write(context, `${drawn.filter((i) => isIn(alpha[i])).length} ${name}`, ...where);
  }
  drawNumbers(context, [0, 1, 2, 3, 4], xOf, bottom + 5, theme);
  write(context, "y f(X)", width, bottom + 5, "right", "top");
  for (const i of drawn.sort((a, b) => own(a) - own(b))) {
    const at = { x: xOf(own(i)), y: yOf(alpha[i] / C), radius: isBold[i] ? 1.3 * radius : radius };
    const down = (rows) => radius * (2 + 2.7 * takeRow(rows, at.x, 2.8 * radius));
    if (alpha[i] === C) at.y = top + down(atC);
    if (alpha[i] === 0) at.y = bottom - down(atZero);
    paintMark(context, at, y[i], i === pointed ? theme.accent : own(i) < 0 ? theme.event : theme.text);
  }
}

// The first row with room for a mark; marks come from left to right.
function takeRow(rows, x, room) {
  const free = rows.findIndex((last) => x - last > room);
  const row = free < 0 ? rows.length : free;
  rows[row] = x;
  return row;
}

// A cross or a frame.
function paintMark(context, { x, y, radius: r }, sign, colour) {
  ink(context, colour, 1, 0.6 * r);
  if (sign < 0) return context.strokeRect(x - 0.7 * r, y - 0.7 * r, 1.4 * r, 1.4 * r);
  trace(context, [x - r, y], [x + r, y]).stroke();
  trace(context, [x, y - r], [x, y + r]).stroke();
}

// Step 3: the layers of Omega. A layer has its column at the left and its row above it.
function paintLayers(view) {
  const { found: { omega, layers: { U, V }, sigma }, layer, theme } = view;
  const { x } = paintHeights(view, 0, layer);
  layOver(view.slider, x(0), x(SIDE - 1));
  const { context, width, size } = openSheet(view.right);
  const [edge, begin] = [size, 1.4 * size];
  const side = width - begin - 1;
  const vector = (matrix) => Float64Array.from({ length: SIDE }, (_, i) => matrix[i * SIDE + layer]);
  const cells = (shape, entries, limit, box) => drawCells(context, view, shape, toSteps(entries, limit), theme.diverging, box);
  ink(context, theme.border);
  cells([SIDE, 1], vector(U), 0.6, { x: 0, y: begin, w: edge, h: side });
  cells([1, SIDE], vector(V), 0.6, { x: begin, y: 0, w: side, h: edge });
  cells(SHAPE, layerOf(view.found, layer), limitOf(omega) / sigma[layer], { x: begin, y: begin, w: side, h: side });
  show(view, "left", omega, limitOf(omega), "Ω", "sum of layers");
  title(view.root, "middle", "Heights", "of the 12 layers", "the singular values of Ω");
  title(view.root, "right", `Layer ${layer + 1}`, `height ${sigma[layer].toFixed(2)}`, "times column × row");
  setSlider(view, SIDE - 1, layer, "Layer of Ω", `layer ${layer + 1}, height ${sigma[layer].toFixed(2)}`);
}

// Bars of the heights; what is above the line is dark.
function paintHeights({ found: { sigma }, theme, step, middle }, line, chosen) {
  const { context, width, height, size } = openSheet(middle);
  const [left, right] = [2 * size, width - 1.2 * size];
  const slot = (right - left) / SIDE;
  const y = (value) => height - 1.6 * size - (Math.min(HIGHEST, value) / HIGHEST) * (height - 2 * size);
  const x = (k) => left + (k + 0.5) * slot;
  drawVerticalAxis(context, { ticks: [0, 2, 4, 6, 8, 10].map((value) => [y(value), String(value)]) }, left, right, theme);
  sigma.forEach((value, k) => {
    const bar = (from, to) => context.fillRect(x(k) - 0.34 * slot, y(to), 0.68 * slot, y(from) - y(to));
    ink(context, k === chosen ? theme.accent : theme.text, 0.2);
    bar(0, Math.min(value, line));
    ink(context, k === chosen ? theme.accent : theme.text, 0.9);
    bar(Math.min(value, line), value);
    if (value > HIGHEST) writeOver(context, value.toFixed(0), x(k), y(HIGHEST) + size, "center", "middle", theme);
  });
  drawNumbers(context, ordinals(SIDE, (right - left) / (1.5 * size)), (number) => x(number - 1), y(0) + 5, theme);
  if (step < CUT) return { x, y };
  ink(context, theme.accent, 1, 2.5);
  trace(context, [left, y(line)], [width - size, y(line)]).stroke();
  circle(context, width - size, y(line), 0.6 * size);
  context.fill();
  writeOver(context, `τ = ${line.toFixed(2)}`, right - size, y(line) - 5, "right", "bottom", theme, theme.accent);
  return { x, y };
}

// Step 4: the cut. In its film Omega stays, and the line rises.
function paintCut(view) {
  const { found: { layers, sigma }, film, tau, slider, data: { cuts } } = view;
  const line = film === null ? tau : tau * (0.5 - Math.cos(Math.PI * film) / 2);
  const { y } = paintHeights(view, line);
  Object.assign(slider.style, { left: "", width: "", top: `${y(cuts.at(-1)) - THUMB / 2}px`, height: `${y(0) - y(cuts.at(-1)) + THUMB}px` });
  title(view.root, "middle", "Heights of Ω", "above the line: those of W");
  paintCutting(view, line, threshold(layers, line, SIDE), sigma.filter((height) => height > line).length);
}

// Omega and what is left of it.
function paintCutting(view, line, W, rank) {
  const { found: { omega }, tau, data: { cuts } } = view;
  show(view, "left", omega, limitOf(omega), "Ω", line === 0 ? "= W, no cut" : "before the cut");
  const stronger = Math.round(limitOf(omega) / limitOf(W));
  const colours = stronger > 1 ? `colours ${stronger} × as strong` : "";
  show(view, "right", W, limitOf(W), "W", rank ? `rank ${rank} of 12` : "0: nothing is left", colours);
  setSlider(view, cuts.length - 1, cuts.indexOf(tau), "τ, price of rank", `τ = ${tau.toFixed(2)}, rank ${rank}`);
}

function setSlider({ slider, step }, max, value, label, text) {
  Object.assign(slider, { max, ariaLabel: label, ariaOrientation: step === CUT ? "vertical" : "horizontal" });
  if (step !== CUT) Object.assign(slider.style, { top: "", height: "" });
  slide(slider, value, text);
}

// Step 5: how many new samples are right.
function paintWhy(view) {
  const { theme, found: { W, rank, right: now }, curve, tau, data: { cuts } } = view;
  title(view.root, "middle", "New samples", "right of 1,000, along τ");
  paintCutting(view, tau, W, rank);
  const { context, width, height, size } = openSheet(view.middle);
  const [left, right, top, bottom] = [3.2 * size, width - 1.2 * size, 0.8 * size, height - 1.6 * size];
  const count = (share) => (share === 1 ? "1,000" : String(Math.round(1000 * share)));
  const x = (value) => left + (value / cuts.at(-1)) * (right - left);
  if (curve) view.lowest = Math.min(LOWEST, curve.mean, curve.svm, ...curve.path.map(({ right }) => right));
  const ticks = Math.ceil((1 - Math.min(view.lowest, now)) / TICK - 1e-9); // so far down reaches the axis
  const y = (share) => bottom - ((share - 1) / (TICK * ticks) + 1) * (bottom - top);
  const shares = Array.from({ length: ticks + 1 }, (_, k) => 1 - TICK * k).filter((_, k) => ticks <= 5 || k % 2 === 0);
  layOver(view.slider, left, right);
  drawVerticalAxis(context, { ticks: shares.map((share) => [y(share), count(share)]) }, left, right, theme);
  drawNumbers(context, [0, 2, 4, 6, 8, 10], x, bottom + 10, theme);
  const levels = [["mean, untrained", curve?.mean, theme.text, 3], ["best linear SVM", curve?.svm, theme.svm, 7]].sort((one, other) => other[1] - one[1]);
  for (const [, share, colour, dash] of curve ? levels : []) {
    ink(context, colour, 1, 1.5);
    context.setLineDash([dash, dash]);
    trace(context, [left, y(share)], [right, y(share)]).stroke();
    context.setLineDash([]);
  }
  const draw = (name) => trace(context, ...(curve?.path ?? []).map((at) => [x(at.tau), y(at[name])])).stroke();
  ink(context, theme.smm, 1, 1.2);
  draw("centred");
  ink(context, theme.smm, 1, 2.5);
  draw("right");
  if (curve && isOff(dipOf(curve.path))) {
    writeOver(context, "thin: b = 0", right, bottom - 0.5 * size, "right", "bottom", theme, theme.smm);
  }
  ink(context, theme.accent, 1, 2.5);
  trace(context, [x(tau), top], [x(tau), bottom]).stroke();
  circle(context, x(tau), bottom, 0.6 * size);
  context.fill();
  for (const [i, [label, share, colour]] of curve ? levels.entries() : []) {
    writeOver(context, `${label}: ${count(share)}`, left + 6, y(Math.min(curve.mean, curve.svm)) + (1 + 1.3 * i) * size, "left", "middle", theme, colour);
  }
  const [name, colour] = tau === 0 ? ["linear SVM", theme.svm] : ["SMM", theme.smm];
  ink(context, colour);
  circle(context, x(tau), y(now), 0.45 * size);
  context.fill();
  const isLeft = x(tau) > (left + right) / 2;
  writeOver(context, `${name}: ${count(now)}`, x(tau) + (isLeft ? -size : size), y(now) + (isLeft ? size : -size), isLeft ? "right" : "left", "middle", theme, colour);
}

// ---- words ---------------------------------------------------------------------------------

function readOut(view) {
  const { root, step, found, C, tau, out, film, data: { prices }, price } = view;
  const texts = { proof: step >= CUT && film === null ? proofOf(found) : "", back: `Put back ${out.size}` };
  for (const [name, text] of Object.entries(texts)) root.querySelector(`.${name}`).textContent = text;
  saySentence(view, sentenceOf(view, answer.isHidden()));
  root.querySelector(".back").hidden = out.size === 0;
  root.querySelector("output").textContent = C;
  price.max = prices.length - 1;
  slide(price, prices.indexOf(C), String(C));
  Object.assign(root.dataset, { step, tau, rank: step < CUT ? "" : found.rank, film: film !== null });
  view.steps.draw();
}

export default toy(createView, (view, data) => {
  view.data = data;
  if (!isHeld(view)) readAddress(view);
  fillStrip(view); // in the colours of the theme
}, { paint });
