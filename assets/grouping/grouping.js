// The grouping effect, in four steps: six samples, two of their columns as a cloud, the same columns of W
// below them, and how alike these are as C grows. All is solved anew under the hand.

import { answer } from "../lib/answer.js";
import { isStill, listenTo, sleep } from "../lib/dom.js";
import { placeOf } from "../lib/settings.js";
import { makeSteps, stepIn } from "../lib/steps.js";
import { ARROWS, afterKeys, animate, canvasOf, drag, invalidate, isHeld, onPress, place, sayMoved, sections, slide, toy, watchSlider } from "../lib/toy.js";
import { draw } from "./draw.js";
import { COLUMNS, correlationOf, distanceOf, openSamples, purityOf, rightOf, samplesAt, solve } from "./samples.js";
import { GOALS, GUESSES, NAMES, nice, replyTo, sentenceOf } from "./words.js";

const [SAMPLES, CLOUD, W, PRICE] = [1, 2, 3, 4]; // the steps
const ORDERS = {
  shuffled: [8, 3, 17, 12, 0, 14, 6, 19, 10, 4, 1, 16, 7, 13, 18, 2, 11, 5, 15, 9], // the column at each place
  sorted: [...Array(COLUMNS).keys()],
};
const TRAVEL = 1500; // ms
const [EVERY, ROUGH] = [3, 1e-5]; // places of C along its curve, and the gap of its solutions
const PINS = ["first", "second"];
const KNOBS = { delta: "δ, noise", C: "C, price of an error", tau: "τ, price of rank" };

const sliderOf = ([name, label]) => {
  const slider = `<input type="range" min="0" aria-label="${label}">`;
  const groove = name === "C" ? `<span class="groove sheet">${slider}<canvas></canvas></span>` : slider;
  return `<label class="${name}">${label} ${groove}<output></output></label>`;
};
const SKELETON = `
  <div class="panels">${sections({ stack: ["", "", PINS.map((name) => `<button class="handle" role="slider" aria-label="The ${name} column" aria-valuemin="1" aria-valuemax="${COLUMNS}"></button>`).join("")], side: [""] })}</div>
  <div class="row first"><p class="note" role="status"></p></div>
  <div class="row">
    ${Object.entries(KNOBS).map(sliderOf).join("")}
    <span class="guess"><b>C grows 100 times.</b> What falls? ${Object.entries(GUESSES).map(([name, text]) => `<button value="${name}">${text}</button>`).join(" ")}</span>
    <button class="sort"></button>
    <button class="other">Other samples</button>
  </div>`;

function createView(parent) {
  const root = place(parent, "grouping", SKELETON);
  const view = {
    root,
    knobs: Object.fromEntries(Object.keys(KNOBS).map((name) => [name, root.querySelector(`.${name} input`)])),
    pins: [...root.querySelectorAll(".handle")],
    cells: new OffscreenCanvas(1, 1),
    step: 0,
    done: new Set(), // steps whose act was done
    isAsked: false, // what falls as C grows
    news: "", // what the step has set
    reply: "",
    curves: { smm: [], svm: [] }, // places of C, and G there
  };
  view.steps = makeSteps(view, NAMES, GOALS, {}, (step) => opening(view, step));
  root.prepend(view.steps.top);
  root.querySelector(".note").after(view.steps.next);
  for (const name of Object.keys(KNOBS)) watchSlider(view, view.knobs[name], (to) => turnKnob(view, name, to), () => report(view));
  view.pins.forEach((pin, i) => watchPin(view, pin, i));
  root.querySelector(".sort").onclick = () => act(view, { order: view.order === "sorted" ? "shuffled" : "sorted" });
  root.querySelector(".other").onclick = () => sayMoved(view, [[view.data.draw, view.data.number % view.data.draw.texts.length]]);
  for (const chip of root.querySelectorAll(".guess button")) chip.onclick = () => grow(view, chip.value);
  for (const event of ["pointerdown", "keydown"]) root.addEventListener(event, () => (view.animation = null), true);
  listenTo(view, "reveal", () => view.adopt());
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

// What an act sets goes into the address when the hand rests.
function act(view, news) {
  Object.assign(view, { news: "", reply: "" }, news);
  if (view.step === CLOUD || (view.step === SAMPLES && news.order)) view.done.add(view.step);
  if (news.order) travel(view, {});
  else see(view);
  if (!view.held) afterKeys(view, () => report(view));
}

function turnKnob(view, name, to) {
  if (name === "C") ask(view);
  act(view, { at: { ...view.at, [name]: to } });
}

function ask(view) {
  view.isAsked = true;
  view.done.add(PRICE);
}

function watchPin(view, pin, i) {
  const move = (to) => {
    const column = ORDERS[view.order][to];
    if (column === undefined || view.pair.includes(column) || view.isCovered) return;
    act(view, { pair: view.pair.map((old, k) => (k === i ? column : old)) });
  };
  const follow = ({ clientX }) => {
    const { x, cell } = view.measures;
    move(Math.floor((clientX - canvasOf(view.root, "stack").getBoundingClientRect().left - x) / cell));
  };
  onPress(pin, (event) => drag(view, pin, event, follow, () => report(view)));
  pin.onkeydown = (event) => {
    const [by] = ARROWS[event.key] ?? [0];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation(); // keys of Streamlit
    const to = ORDERS[view.order].indexOf(view.pair[i]) + by;
    move(view.pair.includes(ORDERS[view.order][to]) ? to + by : to);
  };
}

// C grows 100 times, from where the step opens; then the line says what has fallen.
function grow(view, guess) {
  const { C } = view.data;
  ask(view);
  act(view, { at: { ...view.at, C: C.default } });
  const before = { G: view.G, right: view.right };
  view.at = { ...view.at, C: C.texts.length - 1 };
  travel(view, { C: C.default }, () => Object.assign(view, { reply: replyTo(guess, before, view) }));
}

// ---- from one state to another -------------------------------------------------------------

// Columns, and the knobs that begin elsewhere, go to where they belong; then call `end`.
function travel(view, from, end = () => {}) {
  const [places, target] = [view.places, placesOf(view.order)];
  const goTo = (share) => {
    view.places = target.map((to, column) => places[column] + share * (to - places[column]));
    const on = Object.entries(from).map(([name, begin]) => [name, Math.round(begin + share * (view.at[name] - begin))]);
    see(view, { ...view.at, ...Object.fromEntries(on) });
  };
  animate(view, (time) => {
    const share = isStill() ? 1 : 0.5 - Math.cos((Math.PI * Math.min(time, TRAVEL)) / TRAVEL) / 2;
    goTo(share);
    if (share === 1) end();
    return share < 1;
  });
}

const placesOf = (order) => Float64Array.from({ length: COLUMNS }, (_, column) => ORDERS[order].indexOf(column));

// Compute what is drawn, with the knobs at some places: nothing of W while it is covered.
function see(view, at = view.at) {
  const { data, samples, pair, step } = view;
  const [delta, C, tau] = [data.noises[at.delta], data.prices[at.C], data.taus[at.tau]];
  if (delta !== view.delta || !view.set) view.set = samplesAt(samples, delta);
  Object.assign(view, { drawn: at, delta, C, tau, correlation: correlationOf(view.set, pair), isCovered: step === W && !answer.isShown() });
  if (step >= W && !view.isCovered) {
    const found = solve(samples, view.set, view, view.found?.alpha);
    Object.assign(view, { found, G: purityOf(found.W), right: rightOf(samples, found, delta), distance: distanceOf(found.W, pair) });
  }
  if (step === PRICE && view.isAsked) followPrice(view);
  invalidate(view);
}

// G along C, a solution at a time.
async function followPrice(view) {
  const { samples, set, tau, data: { prices } } = view;
  if (view.followed?.set === set && view.followed.tau === tau) return;
  const own = (view.followed = { set, tau });
  const curves = (view.curves = { smm: [], svm: [] });
  for (const name of Object.keys(curves)) {
    let start = null;
    for (let place = 0; place < prices.length; place += EVERY) {
      await sleep(0);
      if (view.followed !== own || !view.root.isConnected) return;
      const { W, alpha } = solve(samples, set, { C: prices[place], tau: name === "svm" ? 0 : tau }, start, ROUGH);
      start = alpha;
      const G = purityOf(W);
      if (!Number.isNaN(G)) curves[name].push([place, G]);
      invalidate(view);
    }
  }
}

// ---- the address ---------------------------------------------------------------------------

// The settings with which a step opens.
function opening(view, step) {
  const { delta, order, first, second, own, noises } = view.data;
  const changes = [[delta, own[step]]];
  if (step > SAMPLES) changes.push([order, 1]);
  if (step >= W && !answer.isShown()) changes.push([first, first.default], [second, second.default]);
  view.opens = { step, news: view.at.delta === own[step] ? "" : `δ is ${nice(noises[own[step]])} now. ` };
  return changes;
}

function report(view) {
  const { data, at, order, pair } = view;
  const columns = PINS.map((name, i) => [data[name], pair[i]]);
  sayMoved(view, [...Object.keys(KNOBS).map((name) => [data[name], at[name]]), [data.order, Number(order === "sorted")], ...columns]);
}

function readAddress(view) {
  const { data, step: before, at: from } = view;
  if (view.number !== data.number) Object.assign(view, { number: data.number, shown: data.shown, samples: openSamples(data.samples), set: null, found: null });
  const next = {
    step: stepIn(view, PRICE),
    at: Object.fromEntries(Object.keys(KNOBS).map((name) => [name, placeOf(data[name])])),
    order: data.order.texts[placeOf(data.order)],
    pair: PINS.map((name) => placeOf(data[name])),
  };
  if (next.pair[0] === next.pair[1]) next.pair = PINS.map((name) => data[name].default);
  const isOpened = before > 0 && view.opens?.step === next.step;
  const isMoved = ["step", "at", "order"].some((name) => JSON.stringify(view[name]) !== JSON.stringify(next[name]));
  Object.assign(view, next, isOpened && { news: view.opens.news, reply: "" }, isMoved && !isOpened && { news: "", reply: "" }, { opens: null });
  if (answer.isShown()) view.done.add(W);
  if (view.step === PRICE && ["C", "tau"].some((name) => view.at[name] !== data[name].default)) ask(view);
  if (isOpened) travel(view, { delta: from.delta });
  else if (isMoved || !view.animation) {
    Object.assign(view, { animation: null, places: placesOf(view.order) });
    see(view);
  }
}

function paint(view) {
  draw(view);
  const { root, step, order, pair, isAsked, isCovered, data, places, measures: { x, cell, pins }, drawn, delta, C, tau } = view;
  const sentence = sentenceOf(view);
  if (view.sentence !== sentence) root.querySelector(".note").innerHTML = view.sentence = sentence; // read aloud once
  root.querySelector(".sort").textContent = order === "sorted" ? "Shuffle" : "Sort";
  for (const [name, value] of Object.entries({ delta, C, tau })) {
    const slider = view.knobs[name];
    slider.max = data[name].texts.length - 1;
    slide(slider, drawn[name], String(value));
    slider.closest("label").querySelector("output").textContent = value;
  }
  view.pins.forEach((pin, i) => {
    pin.hidden = step < CLOUD;
    pin.disabled = isCovered;
    pin.textContent = pin.ariaValueNow = pair[i] + 1;
    pin.style.translate = `${x + (places[pair[i]] + 0.5) * cell}px ${pins / 2}px`;
  });
  Object.assign(root.dataset, { step, asked: isAsked, covered: isCovered, film: Boolean(view.animation) });
  view.steps.draw();
}

export default toy(createView, (view, data) => {
  view.data = data;
  if (!isHeld(view)) readAddress(view);
}, { paint });
