// The sentences of "Be the SVM", each true of the numbers that it is told. Nothing is drawn here.

import { typeset } from "../lib/numbers.js";
import { C, COUNT, SIDE, excess, kindOf, y } from "./samples.js";

export const GOALS = [
  "Paint W so that crosses go right and frames go left.",
  "Now each sample wants a distance of 1 from the line.",
  "A larger W has a price, too. Bring the bar down.",
  "No W is better than this one. Drag the samples.",
  "The SMM asks a price for layers, too.",
];
export const [SHORT, GOOD] = [3, 10]; // loss at which the distance is kept; % above the floor
export const decimals = (value, digits = 1) => typeset(value.toFixed(digits));
export const percent = (value) => `${decimals(value, value < 9.95 ? 1 : 0)} %`;

// What the line says: of `cost` of the W that is drawn, the `floor`, and what the step is about.
export const sentence = (now) => [sort, keepDistance, pay, hold, layer][now.step - 1](now);

function sort({ cost: { right }, isOpening }) {
  if (right === COUNT) return `✓ All ${COUNT} are on their side. Your W is a <b>classifier</b>: it tells crosses from frames.`;
  if (isOpening) {
    return `The <b>score</b> of a sample: the weights under its ink, added up, divided by 10. The frames have
      ink where W is orange, so they went right: the wrong way. <b>Your turn: paint.</b>`;
  }
  return `<b>${right} of ${COUNT}</b> are on their side. Point at a sample: W shows what is added up for it.
    You can drag the line at 0, too.`;
}

function keepDistance({ cost: { right, loss }, canGrow }) {
  const begin = `The threads are the <b>loss</b>: what the samples miss to their edge. All threads: <b>${decimals(loss)}</b>.`;
  if (right === COUNT && loss <= SHORT) return `✓ ${begin} The strip between the edges is the <b>margin</b>.`;
  const order = right < COUNT ? `First sort all ${COUNT}.` : canGrow ? "Make W larger: do they get shorter?" : "Paint, or drag the line.";
  return `${begin} Bring them to ${SHORT}. ${order}`;
}

const ADVICE = { levels: "Change some cells, or take a hint.", size: "Try another size of W.", b: "Try to move the line." };

function pay({ cost: { objective }, floor, hint, isHinted, own }) {
  if (isHinted) return `${orderOf(hint, own)} The bar falls by ${decimals(hint.gain, 2)}.`;
  const above = excess(objective, floor);
  const praise = above > GOOD ? `Nobody gets below it. Come within ${GOOD} %.` : above > GOOD / 2 ? "Good. Within 5 % is very good." : "Very good.";
  const advice = hint ? ADVICE[Object.keys(ADVICE).find((name) => name in hint)] : "No small change lowers the bar now.";
  return `${above > GOOD ? "" : "✓ "}Your W is <b>${percent(above)} above the floor</b>. ${praise} ${advice}`;
}

function orderOf({ levels, size, b }, own) {
  if (levels) return "Make each marked cell one shade more orange (+) or more blue (−).";
  if (size !== undefined) return `Make W ${size > own.size ? "larger" : "smaller"}.`;
  return `Drag the line at 0 to the ${b < own.b ? "right" : "left"}.`;
}

const EXACT = 1e-9; // a W that moves by less has not moved

// `pull` is the last sample that was moved, `load` its load now, and `far` how far W has gone since.
function hold({ cost: { objective }, floor, isMine, record, pull, moved }) {
  const yours = record < Infinity ? ` Your best was ${percent(record)} above it.` : "";
  if (isMine) return `This is your W: ${percent(excess(objective, floor))} above the floor.`;
  if (!pull) {
    return `Objective ${decimals(objective, 2)} = floor ${decimals(floor, 2)} ✓: this is the <b>support vector machine</b>
      (SVM).${yours} Dark samples have a load, pale ones have none. <b>Drag both.</b>`;
  }
  const { i, wasHeld, load, far } = pull;
  const kind = kindOf(i);
  if (pull.isShown) return `This ${kind} moves further out, and back. It has no thread and no load: W stays the same.`;
  if (far < EXACT && wasHeld) return `W has not moved yet. This ${kind} has load ${decimals(load)}.`;
  if (far < EXACT) return `W has not moved: this ${kind} is outside its edge, and has no load.${moved.has("held") ? "" : " <b>Now drag a dark one.</b>"}`;
  const begin = `W has moved by ${decimals(far, 2)}`;
  if (!wasHeld) return `${begin}: this ${kind} has come inside its edge ${y[i]}, so it has a load now, ${decimals(load)}.`.replace("-", "−");
  if (load === 0) return `${begin}. This ${kind} is outside its edge now: it has lost its load, and W goes on without it.`;
  return `${begin}: this ${kind} has load ${decimals(load)} of at most ${C}. It holds W, it is a <b>support matrix</b>.`;
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];

function layer({ svm, smm, tau }) {
  const layers = `${NUMBERS[smm.rank]} layer${smm.rank === 1 ? "" : "s"}`;
  const both = svm.right === COUNT && smm.right === COUNT ? `Both sort the ${COUNT}. ` : "";
  const made = tau === 0 ? "At τ = 0 the <b>SMM</b> is the SVM" : `The <b>SMM</b> needs ${layers} of ${SIDE} + ${SIDE} numbers${smm.rank < SIDE / 2 ? ", not 36" : ""}`;
  const [one, other, low] = [svm.mistakes, smm.mistakes, svm.low.mistakes].map((count) => decimals(count, 0));
  return `${both}${made}. Mistakes of 1,000 new samples: SVM ${one}, SMM ${other}. But with C = ${svm.low.price} the SVM makes ${low}.`;
}
