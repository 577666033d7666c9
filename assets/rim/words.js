// The sentences of the second picture of "From vectors to matrices". All numbers in them come from what
// is drawn: a `view` has step, isTold, isAtStart, guess, film, touched, and ends in the last two steps.

import { CURVED, FAR, FLAT, INSIDE, MINIMA, NEAR, RIM, distance, layersOf } from "./drum.js";

export const NAMES = ["Touch", "Why there?", "500 minima", "Other ball"];
export const GOALS = [
  "The balloon grows until it touches the drum. Where will that be?",
  "Which other minima end at the same point?",
  "500 minima, each with its own balloon: where do they end?",
  "The same 500 minima on the ball of the Frobenius norm.",
];
export const PARTS = { [FLAT]: "Flat side", [CURVED]: "Curved side", [RIM]: "Rim" };
const MIDDLE = 2; // between near and far minima
const ASK = "The balloon joins points of equal loss round the minimum. Where it first touches the drum, the loss is least in the drum. The ellipse is what a matrix makes of a circle; its half axes are σ₁ and σ₂. <b>Tap the drum where it will be touched, or choose:</b>";
const WHY = "It touches the rim. There σ₂ = 0: the ellipse is only a line, so the matrix has <b>rank 1</b>. <b>Drag the minimum.</b>";
const TOUCHED = {
  [RIM]: "<b>The balloon touches a rim: rank 1.</b>",
  [CURVED]: "<b>The balloon touches the curved side: rank 2.</b>",
  [FLAT]: "<b>The balloon touches a flat side: rank 2.</b>",
  [INSIDE]: "<b>The minimum is in the drum:</b> nothing has to grow.",
};
const EDGE = "At the rim the drum has an edge. All minima of a whole sector end at this one point: the grey fan.";
const SMOOTH = "The drum is smooth here. Only the minima on the line end at this one point.";
const DEPTH = "<b>Drag the minimum.</b> Turn the drum to move it in depth.";

export function sentenceOf(view) {
  const { step, film, isTold, isAtStart, guess, touched: { part } } = view;
  if (!isTold) return ASK;
  if (film < 1) return step === 1 ? "The balloon grows …" : "Each minimum goes to the point that its balloon touches …";
  if (step > 2) return step === 3 ? sayMany(view) : sayOther(view);
  if (step === 2) return `${TOUCHED[part]} ${{ [RIM]: EDGE, [INSIDE]: "" }[part] ?? SMOOTH} ${DEPTH}`;
  if (!isAtStart) return TOUCHED[part];
  return guess in PARTS ? `<b>${guess === part ? "✓ Yes." : "✗ No."}</b> ${WHY}` : WHY; // else it was shown
}

function sayMany({ ends }) {
  const count = (part, below = FAR) => ends.filter((end, i) => end.part === part && distance(MINIMA[i]) < below).length;
  const [rim, near, all] = [count(RIM), count(RIM, MIDDLE), MINIMA.filter((M0) => distance(M0) < MIDDLE).length];
  return `Of ${ends.length} minima between distance ${NEAR} and ${FAR} from 0, <b>${rim} end on a rim</b>, ${count(CURVED)} on the curved side, ${count(FLAT)} on a flat side. Between ${NEAR} and ${MIDDLE} it is ${near} of ${all}, further out ${rim - near} of ${ends.length - all}. <b>Turn the drum.</b>`;
}

function sayOther({ ends }) {
  const isRank1 = ({ M }) => layersOf(M)[1].height < 1e-12;
  return `Here √(σ₁² + σ₂²) is at most 1. The two circles are the matrices of rank 1, and <b>${ends.filter(isRank1).length} of ${ends.length} minima end there.</b> This ball has no edge: at each point only the minima on one line end. <b>Turn it.</b>`;
}
