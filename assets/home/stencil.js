// The first page: W is a stencil for faces. A line sweeps over a picture, the products of the pixels
// and W add up in a meter, and the reader guesses where it ends; a slider sets the rank of W.
//
// The W of each rank comes as a frame of a run, which `pull` in lib/pull.js fetches; the pictures come
// with the page. What the hand has set is told to the page when it rests, for the address.

import { answer as classAnswer } from "../lib/answer.js";
import { isStill, listenTo } from "../lib/dom.js";
import { ink, openSheet, trace, write } from "../lib/canvas.js";
import { focusReply } from "../lib/guess.js";
import { plain, typeset } from "../lib/numbers.js";
import { SIDE, encode, paintingOf } from "../lib/painting.js";
import { photoPill, watchPhoto } from "../lib/photo.js";
import { fillCells } from "../lib/pictures.js";
import { valuesAt } from "../lib/store.js";
import { bytesOf } from "../lib/packed.js";
import { placeOf } from "../lib/settings.js";
import { GREYS, afterKeys, animate, canvasOf, drag, invalidate, isHeld, onPress, paintMatrix, place, sayMoved, sections, slide, toy, watchRun, watchSlider } from "../lib/toy.js";

const PACE = 70; // ms for a column of the sweep
const WIDE = 3; // px, of a line over a picture
const STRONGEST = 0.75; // of the largest entry of all W: what is larger has the same colour
const TITLES = {
  X: ["X", "a new picture"],
  W: ["W", "orange +, blue −"],
  product: ["X ∘ W", "pixel × pixel"],
  meter: ["⟨W, X⟩", "sum"],
};

const SKELETON = `
  <div class="maps">
    ${sections(TITLES)}
    <div class="next"><button>Next picture →</button>${photoPill("Paint from a photo →")}</div>
    <label class="knob">
      <b></b>
      <input type="range" min="1" aria-label="Rank of W">
    </label>
    <div class="ask" role="status"></div>
  </div>
  <div class="new">
    <p class="score"><b></b><span></span><i></i></p>
    <div class="sheet" role="radiogroup" aria-label="New pictures" title="Try one of these"></div>
  </div>`;

const CARD = `<label><input type="radio" name="picture"><canvas></canvas></label>`;

function createView(parent, data) {
  const root = place(parent, "stencil", SKELETON);
  const view = {
    root,
    maps: Object.fromEntries(["X", "W", "product"].map((name) => [name, canvasOf(root, name)])),
    meter: canvasOf(root, "meter"),
    cards: [], // of all pictures
    slider: root.querySelector("[type=range]"),
    cells: new OffscreenCanvas(1, 1),
    pictures: decodePictures(data),
    picture: data.picture,
    rank: data.rank,
    column: 0, // up to which the products are added
    end: 0, // the column to which the sweep goes
    guess: null,
    done: false, // whether the sweep has come to the end
    dragged: false, // whether the reader has moved the slider
    hunts: !document.documentElement.matches(".presenting"), // whether the pictures that W gets wrong are still to be found
    shown: null, // the run, from its first frame on
  };
  listenTo(view, "reveal", () => hearClass(view));
  const { order } = data;
  root.querySelector(".next button").onclick = () => turnTo(view, order[(order.indexOf(view.picture) + 1) % order.length]);
  // A photo becomes a W* to find: it is painted in the lesson on low rank.
  const say = (sentence) => (root.querySelector(".score span").textContent = sentence); // until the next paint
  watchPhoto(root, [SIDE, SIDE], (greys, name) => {
    const painting = paintingOf(greys);
    if (painting.some(Boolean)) location.assign(data.painter + encode(painting));
    else say(`${name} has a single grey: there is nothing to paint.`);
  }, say);
  const chooseRank = (rank) => {
    Object.assign(view, { rank, dragged: true, hunts: false });
    ask(view);
  };
  watchSlider(view, view.slider, chooseRank, () => report(view));
  for (const canvas of Object.values(view.maps)) {
    onPress(canvas, (event) => drag(view, canvas, event, (moved) => moveLine(view, canvas, moved), () => {}));
  }
  const sheet = root.querySelector(".new .sheet");
  sheet.innerHTML = CARD.repeat(view.pictures.length);
  sheet.onkeydown = (event) => event.stopPropagation(); // keys of Streamlit
  view.cards = [...sheet.children];
  view.cards.forEach(({ control, lastChild: canvas }, i) => {
    const { steps, shape } = view.pictures[i];
    fillCells(canvas, shape, steps, GREYS);
    control.onchange = () => turnTo(view, i);
  });
  return view;
}

// Grey values 0 ... 255 as bytes in base64, a picture after the other.
function decodePictures({ greys, shape: [count, p, q], isFace }) {
  const bytes = bytesOf(greys);
  return Array.from({ length: count }, (_, i) => ({
    greys: bytes.subarray(i * p * q, (i + 1) * p * q),
    isFace: isFace[i],
    steps: Float32Array.from(bytes.subarray(i * p * q, (i + 1) * p * q), (grey) => grey - 127),
    shape: [p, q],
  }));
}

// ---- what the reader does ------------------------------------------------------------------

function turnTo(view, picture) {
  Object.assign(view, { picture, column: 0, guess: null, done: false });
  begin(view);
  afterKeys(view, () => report(view));
}

// The sweep stops half way, and asks.
function begin(view) {
  sweepTo(view, Math.floor(view.pictures[0].shape[1] / 2));
}

const finish = (view) => sweepTo(view, view.pictures[0].shape[1]);

// In a class the question above asks: the line goes on when its answer is shown.
function hearClass(view) {
  if (classAnswer.isShown()) finish(view);
  else turnTo(view, view.picture);
}

function sweepTo(view, end) {
  const { column: start, machines } = view;
  if (!machines) return; // it begins once they are here
  view.end = end;
  ask(view);
  animate(view, (time) => {
    view.column = isStill() ? end : Math.min(end, start + time / PACE);
    view.done = view.column === view.pictures[0].shape[1];
    if (view.column < end) paintSweep(view);
    else {
      ask(view);
      paint(view);
    }
    return view.column < end;
  });
}

// The line of the sweep follows the hand; the reader who brings it to the end needs no guess.
function moveLine(view, canvas, { clientX }) {
  if (!view.machines) return;
  const { left, width } = canvas.getBoundingClientRect();
  const q = view.pictures[0].shape[1];
  view.animation = null; // of the sweep
  view.column = Math.max(1, Math.min(q, Math.round(((clientX - left) / width) * q)));
  view.done ||= view.column === q;
  ask(view);
  invalidate(view);
}

function report(view) {
  const [rank, picture] = view.knobs;
  sayMoved(view, [[rank, view.rank - 1], [picture, view.picture]]);
}

// ---- the machines that come ----------------------------------------------------------------

function show(view, run) {
  view.shown = run;
  if (run.over) judge(view);
  if (run.over && view.column === 0) {
    if (classAnswer.isShown() && !classAnswer.away().length) finish(view); // the page was loaded again
    else begin(view);
  }
  invalidate(view);
}

// W of a rank, its entries as numbers, with b.
function machineOf({ shown: run }, rank) {
  const [scale] = valuesAt(run, rank - 1, "W_scale");
  const W = Float64Array.from(valuesAt(run, rank - 1, "W"), (step) => (step * scale) / 127);
  return { W, b: run.metrics.b[rank - 1], largest: scale };
}

// The sum of the products in the columns before one.
function sumUpTo({ W }, { greys, shape: [, q] }, column) {
  return W.reduce((sum, weight, i) => (i % q < column ? sum + (weight * greys[i]) / 255 : sum), 0);
}

// All machines, whether each says face of each picture, and the range of the sums.
function judge(view) {
  const { shown: run, pictures } = view;
  view.machines = Array.from({ length: run.count }, (_, i) => machineOf(view, i + 1));
  view.strongest = STRONGEST * Math.max(...view.machines.map(({ largest }) => largest));
  view.range = [0, 0];
  view.verdicts = view.machines.map((machine) =>
    pictures.map((picture) => {
      const sum = sumUpTo(machine, picture, Infinity);
      view.range = [Math.min(view.range[0], sum), Math.max(view.range[1], sum, -machine.b)];
      return sum + machine.b >= 0;
    }),
  );
}

// ---- what is drawn -------------------------------------------------------------------------

function paint(view) {
  const { root, shown: run, latest } = view;
  root.dataset.status = latest.phase;
  if (!run?.over) {
    root.querySelector(".ask").textContent = latest.message || "W is being learned …";
    return;
  }
  view.rank = Math.max(1, Math.min(view.rank, run.count));
  paintSweep(view);
  readOut(view);
}

// What changes while the products are added.
function paintSweep(view) {
  const { theme, strongest, root } = view;
  const isHidden = classAnswer.isHidden(); // X would be the answer
  root.classList.toggle("guessing", isHidden);
  const machine = view.machines[view.rank - 1];
  const picture = view.pictures[view.picture];
  const { W } = machine;
  const { greys, steps, shape } = picture;
  const [column, limit] = [Math.floor(view.column), 127 / strongest];
  const products = W.map((weight, i) => (i % shape[1] < column ? weight * (greys[i] / 255) * limit : NaN));
  paintSquare(view, "X", isHidden ? steps.map(() => NaN) : steps, GREYS);
  paintSquare(view, "W", W.map((weight) => weight * limit), theme.diverging);
  paintSquare(view, "product", products, theme.diverging);
  paintMeter(view, machine, sumUpTo(machine, picture, column));
}

function paintSquare(view, name, steps, colours) {
  const { theme, column } = view;
  const { shape } = view.pictures[0];
  const { context, width, height } = paintMatrix(view, view.maps[name], shape, steps, colours);
  if (column === 0 || column >= shape[1]) return;
  ink(context, theme.accent);
  context.fillRect((column / shape[1]) * width - WIDE / 2, 0, WIDE, height);
}

function paintMeter(view, { b }, sum) {
  const { theme, range: [low, high] } = view;
  const { context, width, height, size } = openSheet(view.meter);
  const y = (value) => height - size - ((value - low) / (high - low)) * (height - 2 * size);
  const [left, wide, line] = [1.7 * size, 1.7 * size, y(-b)];
  ink(context, theme.text, 0.08);
  context.fillRect(left, 0, wide, height);
  ink(context, theme.text, 0.85);
  context.fillRect(left, Math.min(y(0), y(sum)), wide, Math.max(2, Math.abs(y(0) - y(sum))));
  write(context, "0", left - 6, y(0), "right", "middle");
  ink(context, theme.accent, 1, WIDE);
  trace(context, [left - 4, line], [width, line]).stroke();
  context.font = `600 ${context.font}`;
  write(context, "face", width, line - 5, "right", "bottom");
  write(context, "no face", width, line + 5, "right", "top");
  if (Math.abs(line - y(0)) > size) write(context, plain(-b, 2), left - 6, line, "right", "middle");
  const [beyond, baseline] = sum >= 0 ? [-4, "bottom"] : [4, "top"];
  ink(context, theme.text);
  write(context, typeset(sum.toFixed(2)), left + wide / 2, y(sum) + beyond, "center", baseline);
}

// ---- words ---------------------------------------------------------------------------------

function readOut(view) {
  const { root, rank, slider, verdicts, pictures, cards } = view;
  const right = pictures.filter(({ isFace }, i) => verdicts[rank - 1][i] === isFace).length;
  const layers = rank === 1 ? "One layer" : `${rank} layers`;
  slider.max = verdicts.length;
  slide(slider, rank, `rank ${rank}, ${right} of ${pictures.length} right`);
  root.querySelector(".knob b").textContent = `rank ${rank}`;
  root.querySelector(".score b").textContent = `W gets ${right} of ${pictures.length} new pictures right`;
  const [p, q] = pictures[0].shape;
  root.querySelector(".score span").textContent =
    rank * (p + q) < p * q
      ? `${layers} of ${p} + ${q} numbers, instead of ${p * q}.`
      : `${layers} of ${p} + ${q} numbers, more than ${p * q}: more detail, but no better.`;
  const isWrongAt = (i) => verdicts[rank - 1][i] !== pictures[i].isFace;
  if (view.done && isWrongAt(view.picture)) view.hunts = false;
  const fools = pictures.length - right;
  root.querySelector(".score i").textContent = !view.hunts || !fools ? "" : `${fools === 1 ? "Which one fools" : "Which ones fool"} W? Try the small pictures.`;
  cards.forEach((card, i) => {
    const isWrong = !view.hunts && isWrongAt(i);
    card.classList.toggle("wrong", isWrong);
    card.control.checked = i === view.picture && !classAnswer.isHidden(); // X is among them
    card.control.ariaLabel = `${pictures[i].isFace ? "face" : "background"} ${i + 1}${isWrong ? ", wrong" : ""}`;
  });
  Object.assign(root.dataset, { rank, right, picture: view.picture, done: view.done });
  view.maps.X.ariaLabel = classAnswer.isHidden() ? "A picture, hidden until the answer is shown" : `A picture of a ${view.pictures[view.picture].isFace ? "face" : "background"}, 25 × 25 grey values`;
  view.maps.W.ariaLabel = `W of rank ${rank}`;
  view.maps.product.ariaLabel = "The products of the pixels and W, positive and negative";
  view.meter.ariaLabel = "The sum of the products";
}

// The question while the sweep waits, and what came of it.
function ask(view) {
  const place = view.root.querySelector(".ask");
  const { done, end, pictures } = view;
  if (done) place.innerHTML = `<span>${verdict(view)}</span>`;
  else if (end === pictures[0].shape[1]) place.innerHTML = "<b>Adding up …</b>";
  else if (classAnswer.isHidden()) place.innerHTML = "<b>Guess above.</b>";
  else if (!place.querySelector("button")) {
    place.innerHTML = "<b>Where will it end?</b><button>Face</button><button>No face</button>";
    place.querySelectorAll("button").forEach((button, i) => (button.onclick = () => answer(view, i === 0)));
  }
}

function verdict({ pictures, picture, verdicts, rank, guess, dragged }) {
  const { isFace } = pictures[picture];
  const says = verdicts[rank - 1][picture];
  const truth = says === isFace ? `✓ ${isFace ? "it is one" : "it is none"}` : `✗ ${isFace ? "it is one" : "it is none"}, and fools W`;
  const guessed = guess === null ? "" : guess === says ? "As you guessed." : "You guessed the other.";
  const next = dragged ? "" : "Now drag the rank.";
  return `W says <b>${says ? "face" : "no face"}</b>: <b>${truth}.</b> ${guessed} ${next}`;
}

function answer(view, guess) {
  view.guess = guess;
  focusReply(view);
  finish(view);
}

export default toy(createView, (view, data) => {
  view.knobs = data.knobs;
  if (!isHeld(view)) {
    const [rank, picture] = view.knobs.map(placeOf);
    view.rank = rank + 1;
    if (picture !== view.picture) turnTo(view, picture);
  }
  watchRun(view, data.url);
}, { paint, show });
