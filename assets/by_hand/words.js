// The words of "Be the SVM", each true of the numbers that it is told. Nothing is drawn here.

import { typeset } from "../lib/numbers.js";
import { C, COUNT, INK, SIDE, excess, kindOf } from "./samples.js";

export const GOALS = [
  "Paint W so that crosses go right and frames go left.",
  "Now each sample wants a distance of 1 from the line.",
  "A thread costs C = 3 times its length, and W its size. Bring the bar down.",
  "No W is better than this one. Drag the samples.",
  "The SMM has one more price: for rank, the number of layers.",
];
export const [SHORT, GOOD] = [3, 10]; // loss at which the distance is kept; % above the floor
const WORTH = 50; // % above the floor: a W that is worth a word
export const decimals = (value, digits = 1) => typeset(value.toFixed(digits));
const percent = (value) => `${decimals(value, value < 9.95 ? 1 : 0)} %`;

export const sayReached = ({ reached }) => `Within ${percent(reached)} of the floor, by hand`;

// What the line says of the view: of what W costs, the best W, and what the step is about.
export const sentence = (view) => [sort, keepDistance, pay, hold, layer][view.step - 1](view);

function sort({ cost: { right, scores }, stroke, isExample, pointed }) {
  if (stroke !== null) return "Each cell of W is a number, a <b>weight</b>. Watch the samples while some cells are painted orange.";
  if (right === COUNT) return `✓ All ${COUNT} are on their side. Your W is a <b>classifier</b>: it tells crosses from frames.`;
  if (isExample && pointed >= 0) {
    const score = scores[pointed];
    return `The marked cells are the ink of one frame. Their weights add up to ${decimals(score / INK, 0)}; a tenth of that, ${decimals(score)}, is its
      <b>score</b>. So it stands right of 0: the wrong way. <b>Your turn: paint.</b>`;
  }
  return `<b>${right} of ${COUNT}</b> are on their side. Point at a sample: W shows what is added up for it.
    You can also drag the line, by its 0.`;
}

function keepDistance({ cost: { right, loss }, size, data }) {
  const begin = `The threads are the <b>loss</b>: what the samples miss to their edge, −1 or 1. All threads: <b>${decimals(loss)}</b>.`;
  if (right === COUNT && loss <= SHORT) return `✓ ${begin} Between the edges is the <b>margin</b>.`;
  const canGrow = size < data.sizes.at(-1);
  const order = right < COUNT ? `First sort all ${COUNT}.` : canGrow ? "Make W larger: do they get shorter?" : "Paint, or drag the line.";
  return `${begin} Bring them to ${SHORT}. ${order}`;
}

const ADVICE = { levels: "Change some cells, or take a hint.", size: "Try another size of W.", b: "Try to move the line." };

function pay({ cost: { objective }, best: { dual }, hint, isHinted, isGliding, size, b }) {
  if (isHinted) return `${order(hint, size, b)} The bar falls by ${decimals(hint.gain, 2)}.`;
  const above = excess(objective, dual);
  const praise = above > GOOD ? `Nobody gets below it. Come within ${GOOD} %.` : "Nobody gets below it: well done.";
  const advice = isGliding ? "" : hint ? ADVICE[Object.keys(ADVICE).find((name) => name in hint)] : "No small change lowers the bar now.";
  return `${above > GOOD ? "" : "✓ "}Your W is <b>${percent(above)} above the floor</b>. ${praise} ${advice}`;
}

function order(hint, size, b) {
  if (hint.levels) return "Make each marked cell one shade more orange (+) or more blue (−).";
  return hint.size ? `Make W ${hint.size > size ? "larger" : "smaller"}.` : `Drag the line at 0 to the ${hint.b < b ? "right" : "left"}.`;
}

// `pull` is the sample that was moved last, its load, and how far W has gone since.
function hold({ cost: { objective, losses, size }, best: { dual }, record, pull, moved, isGliding, isOwn }) {
  if (!pull && isGliding) return "W and the line go to the best place, and the bar to the floor …";
  if (!pull) {
    return `Objective ${decimals(objective, 2)} = floor ${decimals(dual, 2)} ✓: this is the <b>support vector machine</b> (SVM).
      ${record < WORTH ? `You came within ${percent(record)}. ` : ""}${isOwn ? "Your own W is kept in step 3. " : ""}Filled tips have a load, empty ones have none. <b>Drag both.</b>`;
  }
  const [kind, load] = [kindOf(pull.i), decimals(pull.load)];
  const begin = pull.far > 1e-9 ? `W has changed by ${percent(100 * pull.far / Math.sqrt(2 * size))}` : "W has not changed";
  if (pull.isShown) return `This ${kind} moves further out, and back. It has no thread and no load: W stays.`;
  if (pull.wasHeld && pull.load === 0) return `${begin}: this ${kind} is outside its edge now. It has lost its load, and W goes on without it.`;
  if (pull.wasHeld) return `${begin}: this ${kind} has load ${load} of at most ${C}. It holds W, it is a <b>support matrix</b>.`;
  const place = losses[pull.i] > 1e-6 ? "has come inside its edge" : "is on its edge";
  if (pull.load > 0) return `${begin}: this ${kind} ${place}, so now it has a load, ${load}.`;
  return `${begin}: this ${kind} is outside its edge, and has no load. ${moved.has("held") ? "" : "<b>Now drag one with a filled tip.</b>"}`;
}

const NUMBERS = ["no layer", "one layer", "two layers", "three layers", "four layers", "five layers", "six layers"];

function layer({ svm, smm, tau }) {
  if (tau === 0) return "At τ = 0 rank has no price, and the <b>SMM</b> is the SVM.";
  const sorts = smm.right === COUNT ? `sorts the ${COUNT} with` : `gets ${smm.right} of ${COUNT} right, with`;
  const numbers = smm.rank < SIDE / 2 ? ` of ${SIDE} + ${SIDE} numbers, not 36` : "";
  const [one, other] = [svm, smm].map(({ mistakes }) => decimals(mistakes, 0));
  const next = other < one ? "This is not always so: lesson 5 tells when." : "";
  return `The <b>SMM</b> ${sorts} ${NUMBERS[smm.rank]}${numbers}. At C = ${C} the SVM makes ${one} mistakes, the SMM ${other}. ${next}`;
}

// The titles of the panels, and what stands beside them.
export function titles(view) {
  const { step, cost, best, pointed, X, shown, pull, smm, isGliding } = view;
  const above = excess(cost.objective, best.dual);
  const [threads, size, objective] = [cost.loss, cost.size, cost.objective].map((value) => decimals(value));
  const W = step > 3 ? [pull ? "small squares: before" : `of the SVM, ${NUMBERS[best.rank]}`] : ["36 weights", "orange +, blue −"];
  const isPointed = pointed >= 0 && step < 5;
  const price = `= ${C} × threads ${threads} + size ${size}`;
  return {
    W: ["W", ...(isPointed && step < 4 ? [sumUp(X[pointed], shown, pointed)] : W)],
    axis: [
      [`${COUNT} samples`, "the tip of each is at its score"],
      [`${COUNT} samples`, "thread: the missing distance"],
      [`Objective ${objective}`, price, `C = ${C}, price of an error`],
      [`${COUNT} samples`, isPointed ? `this ${kindOf(pointed)}: load ${decimals(best.alpha[pointed])}` : "filled tip: its load", `at most C = ${C}`],
      ["W", `of the SMM, ${NUMBERS[smm?.rank]}`, "each a column times a row"],
    ][step - 1],
    bar: [[`${COUNT - cost.right} wrong`, ""], [threads, "of thread"], [percent(above), "above floor"], isGliding ? [percent(above), "above floor"] : ["On the floor", "✓"], ["Mistakes", "of 1,000", "new samples"]][step - 1],
  };
}

// How a score comes about.
function sumUp(sample, { W, b }, i) {
  const sum = (sign) => decimals(sample.reduce((all, entry, k) => all + Math.max(0, (sign * entry * W[k]) / INK), 0));
  const offset = Math.abs(b) < 0.005 ? "" : ` ${b < 0 ? "−" : "+"} ${decimals(Math.abs(b), 2)}`;
  const score = sample.reduce((all, entry, k) => all + entry * W[k], b);
  return `this ${kindOf(i)}: (${sum(1)} − ${sum(-1)}) / 10${offset} = ${decimals(score, 2)}`;
}
