// The grouping effect, in four steps: six samples, two of their columns as a cloud, the same columns of W
// below them, and how alike these are as C grows. All is solved anew under the hand.

import { answer } from "../lib/answer.js";
import { isStill, listenTo, sleep } from "../lib/dom.js";
import { makeGuess, readGuess } from "../lib/guess.js";
import { placeOf } from "../lib/settings.js";
import { makeSteps, stepIn } from "../lib/steps.js";
import { ARROWS, afterKeys, animate, canvasOf, drag, invalidate, isHeld, onPress, place, sayMoved, saySentence, sections, slide, toy, watchSlider } from "../lib/toy.js";
import { draw, hasPair } from "./draw.js";
import { COLUMNS, correlationOf, distanceOf, openSamples, purityOf, rightOf, samplesAt, solve } from "./samples.js";
import { ASK, GOALS, GUESSES, NAMES, fallen, nice, sentenceOf } from "./words.js";

const [SAMPLES, CLOUD, W, PRICE] = [1, 2, 3, 4]; // the steps
const PLACES = [[4, 11, 15, 1, 9, 17, 6, 12, 0, 19, 8, 16, 3, 13, 5, 18, 10, 2, 14, 7], [...Array(COLUMNS).keys()]]; // of the columns, shuffled and sorted
const TRAVEL = 1500; // ms
const [EVERY, ROUGH, FINE] = [3, 1e-6, 1e-10]; // places of C along its curve; gaps of solutions on the way, and at rest
const PINS = ["first", "second"];
const KNOBS = { delta: "δ, noise", C: "C, price of an error", tau: "τ, price of rank" };
const SETTINGS = [...Object.keys(KNOBS), ...PINS, "order"];

const sliderOf = ([name, label]) => {
  const slider = `<input type="range" min="0" aria-label="${label}">`;
  const groove = name === "C" ? `<span class="groove sheet">${slider}<canvas></canvas></span>` : slider;
  const [symbol, words] = label.split(", ");
  return `<label class="slider ${name}"><span>${symbol}<span>, ${words}</span></span> ${groove}<output></output></label>`;
};
const SKELETON = `
  <div class="panels">${sections({ stack: ["", "", PINS.map((name) => `<button class="handle" role="slider" aria-label="The ${name} column" aria-valuemin="1" aria-valuemax="${COLUMNS}"></button>`).join("")], side: [""] })}</div>
  <div class="row">
    <p class="note" role="status"></p>
    ${Object.entries(KNOBS).map(sliderOf).join("")}
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
    news: "", // what the step has set
  };
  view.guessing = makeGuess(view, ASK, GUESSES, () => grow(view));
  view.play = () => (view.step < PRICE ? answer.show({ guessed: true }) : travel(view, { C: view.data.C.default }));
  view.steps = makeSteps(view, NAMES, GOALS, {}, (step) => opening(view, step));
  root.prepend(view.steps.top);
  root.querySelector(".row").append(view.steps.next);
  for (const name of Object.keys(KNOBS)) watchSlider(view, view.knobs[name], (to) => act(view, { [name]: to }), () => report(view));
  view.pins.forEach((pin, i) => watchPin(view, pin, i));
  root.querySelector(".sort").onclick = () => act(view, { order: 1 - view.at.order });
  root.querySelector(".other").onclick = () => sayMoved(view, [[view.data.draw, view.data.number % view.data.draw.texts.length]]);
  root.querySelector(".sort").before(view.guessing.row);
  listenTo(view, "reveal", () => {
    if (answer.isShown() && placeOf(view.data.step) + 1 <= W) view.done.add(W); // a guess, not the chip of the last step
    view.adopt();
  });
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

// What an act sets goes into the address when the hand rests.
function act(view, changes) {
  Object.assign(view, { animation: null, news: "", at: { ...view.at, ...changes } });
  const isAct = { [SAMPLES]: "order" in changes, [CLOUD]: true, [PRICE]: view.isTold }[view.step];
  if (isAct) view.done.add(view.step);
  travel(view, {}, "order" in changes ? TRAVEL : 0);
  if (!view.held) afterKeys(view, () => report(view));
}

function watchPin(view, pin, i) {
  const move = (to) => {
    const column = PLACES[view.at.order].indexOf(to);
    if (column >= 0 && !view.pair.includes(column) && !view.isCovered) act(view, { [PINS[i]]: column });
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
    const [own, other] = [view.pair[i], view.pair[1 - i]].map((column) => PLACES[view.at.order][column]);
    move(own + by === other ? other + by : own + by);
  };
}

// C grows 100 times, from where the step opens.
function grow(view) {
  const { C } = view.data;
  view.opens = { step: PRICE, news: "", from: { C: C.default } };
  return [[C, C.texts.length - 1]];
}

// ---- from one state to another -------------------------------------------------------------

// Columns, and the knobs that begin elsewhere, go to where they belong in some ms.
function travel(view, from, duration = TRAVEL) {
  const [places, target] = [view.places, PLACES[view.at.order]];
  const goTo = (share) => {
    view.places = target.map((to, column) => places[column] + share * (to - places[column]));
    const on = Object.entries(from).map(([name, begin]) => [name, Math.round(begin + share * (view.at[name] - begin))]);
    if (share === 1) view.animation = null;
    see(view, { ...view.at, ...Object.fromEntries(on) });
    return share < 1;
  };
  if (isStill() || !duration) return goTo(1);
  goTo(0); // so that all is known when it is drawn
  animate(view, (time) => goTo(0.5 - Math.cos(Math.PI * Math.min(1, time / duration)) / 2));
}

// Compute what is drawn, with the knobs at some places: nothing of W while it is covered.
function see(view, at) {
  const { data, samples, step } = view;
  const pair = PINS.map((name) => at[name]);
  const [delta, C, tau] = [data.noises[at.delta], data.prices[at.C], data.taus[at.tau]];
  if (delta !== view.delta || !view.set) view.set = samplesAt(samples, delta);
  Object.assign(view, { drawn: at, delta, C, tau, pair, correlation: correlationOf(view.set, pair), isCovered: step === W && !answer.isShown() });
  if (step >= W && !view.isCovered) {
    const found = solve(samples, view.set, view, view.found?.alpha, view.animation || isHeld(view) ? ROUGH : FINE);
    Object.assign(view, { found, ...gradesOf(samples, found, delta), distance: distanceOf(found.W, pair) });
  }
  if (step === PRICE && view.isTold) followPrice(view);
  const isAsked = data.C.texts.length - 1 === at.C && ["delta", "tau"].every((name) => at[name] === (name === "tau" ? data.tau.default : data.own[PRICE]));
  view.before = view.guess && isAsked && !view.animation ? view.start : null;
  invalidate(view);
}

const gradesOf = (samples, found, delta) => ({ G: purityOf(found.W), right: rightOf(samples, found, delta) });

// Both grades along C, a solution at a time, and first where the step opens.
async function followPrice(view) {
  const { samples, set, delta, tau, data: { prices, C } } = view;
  if (view.followed?.set === set && view.followed.tau === tau) return;
  const own = (view.followed = { set, tau });
  view.start = gradesOf(samples, solve(samples, set, { C: prices[C.default], tau }), delta);
  view.curve = [];
  let start = null;
  for (let place = 0; place < prices.length; place += EVERY) {
    await sleep(isHeld(view) ? 50 : 0); // the hand goes first
    if (view.followed !== own || !view.root.isConnected) return;
    const found = solve(samples, set, { C: prices[place], tau }, start, ROUGH);
    start = found.alpha;
    view.curve.push({ place, ...gradesOf(samples, found, delta) });
    invalidate(view);
  }
}

// ---- the address ---------------------------------------------------------------------------

// The settings with which a step opens.
function opening(view, step) {
  const { delta, order, first, second, own, noises } = view.data;
  const changes = [[delta, own[step]]];
  if (step > SAMPLES) changes.push([order, 1]);
  if (step >= W && !answer.isShown()) changes.push([first, first.default], [second, second.default]);
  view.opens = { step, from: { delta: view.at.delta }, news: view.at.delta === own[step] ? "" : `δ is ${nice(noises[own[step]])} now. ` };
  return changes;
}

const report = (view) => sayMoved(view, SETTINGS.map((name) => [view.data[name], view.at[name]]));

function readAddress(view) {
  const { data, step: before, at: from, opens } = view;
  if (view.number !== data.number) Object.assign(view, { number: data.number, shown: data.samples.shown, samples: openSamples(data.samples), set: null, found: null });
  const [step, at] = [stepIn(view, PRICE), Object.fromEntries(SETTINGS.map((name) => [name, placeOf(data[name])]))];
  const isOpened = before > 0 && opens?.step === step;
  const isMoved = step !== before || SETTINGS.some((name) => at[name] !== from[name]);
  if (isMoved) Object.assign(view, { step, at, news: isOpened ? opens.news : "", animation: null });
  view.guess = readGuess(view);
  view.isTold = Boolean(view.guess) || ["C", "tau"].some((name) => at[name] !== data[name].default);
  view.places ??= PLACES[at.order];
  view.opens = null;
  if (isMoved || !view.animation) travel(view, isOpened ? opens.from : {}, isOpened ? TRAVEL : 0);
}

function paint(view) {
  draw(view);
  const { root, step, pair, isTold, isCovered, data, places, measures: { x, cell, pins }, drawn, delta, C, tau } = view;
  saySentence(view, sentenceOf(view));
  root.querySelector(".sort").textContent = view.at.order ? "Shuffle" : "Sort";
  for (const [name, value] of Object.entries({ delta, C, tau })) {
    const slider = view.knobs[name];
    slider.max = data[name].texts.length - 1;
    slide(slider, drawn[name], String(value));
    slider.closest("label").querySelector("output").textContent = value;
  }
  view.pins.forEach((pin, i) => {
    pin.hidden = !hasPair(view);
    pin.disabled = isCovered;
    pin.textContent = pin.ariaValueNow = pair[i] + 1;
    pin.style.translate = `${x + (places[pair[i]] + 0.5) * cell}px ${pins / 2}px`;
  });
  view.guessing.draw(step === PRICE, view.before ? fallen(view) : null);
  Object.assign(root.dataset, { step, told: isTold, covered: isCovered, film: Boolean(view.animation) });
  view.steps.draw();
}

export default toy(createView, (view, data) => {
  view.data = data;
  if (!isHeld(view)) readAddress(view);
}, { paint });
