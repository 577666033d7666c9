// The sentences of the second picture of "From vectors to matrices". All numbers in them come from what
// is drawn: a `view` has step, isTold, isAtStart, guess, film, touched, and ends in the last two steps.

import { CURVED, FAR, FLAT, INSIDE, MINIMA, NEAR, RIM, distance } from "./drum.js";

export const NAMES = ["Touch", "Why there?", "500 minima", "Other ball"];
export const GOALS = [
  "The balloon grows until it touches the drum. Where will that be?",
  "Which other minima end at the same point?",
  "500 minima, each with its own balloon: where do they end?",
  "The same 500 minima on the ball of the Frobenius norm.",
];
export const PARTS = { [FLAT]: "Flat side", [CURVED]: "Curved side", [RIM]: "Rim" };
const MIDDLE = 2; // between near and far minima
const DRAG = "<b>Drag the minimum.</b>";

export function sentenceOf(view) {
  if (view.film < 1) return view.step === 1 ? "The balloon grows …" : "Each minimum goes to the point that its balloon touches …";
  return [sayTouch, sayWhy, sayMany, sayOther][view.step - 1](view);
}

function sayTouch({ isTold, isAtStart, guess, touched: { part } }) {
  if (!isTold) return "A matrix turns a circle into an ellipse: some are drawn on the drum. The half axes are the heights σ₁ and σ₂. <b>Tap the drum where the balloon will touch it, or choose.</b>";
  if (!isAtStart) return tell(part);
  const why = `At the rim σ₂ = 0: the ellipse is only a line, and the matrix has <b>rank 1</b>. ${DRAG}`;
  if (guess === part) return `<b>✓ Yes.</b> It touches the rim. ${why}`;
  return guess in PARTS ? `<b>✗ No.</b> The balloon is tilted, so it touches the rim first. ${why}` : `It touches the rim. ${why}`;
}

function tell(part) {
  if (part === INSIDE) return "The minimum is inside the drum, so it is the solution.";
  return part === RIM ? "<b>The balloon touches a rim: rank 1.</b>" : `<b>The balloon touches ${part === FLAT ? "a flat" : "the curved"} side: rank 2.</b>`;
}

function sayWhy({ touched: { part } }) {
  const edge = "At a rim the drum has an edge: all minima of a whole sector, the fan, end at this one point.";
  const smooth = "Here the drum is smooth: only the minima on the dotted line end at this one point.";
  return [tell(part), { [RIM]: edge, [INSIDE]: "" }[part] ?? smooth, DRAG, "Turn the drum to move it in depth."].join(" ");
}

// How many of the minima closer than a distance end on these parts.
const count = (ends, parts, below = FAR) => ends.filter(({ part }, i) => parts.includes(part) && distance(MINIMA[i]) < below).length;

function sayMany({ ends }) {
  const [rim, near] = [count(ends, [RIM]), count(ends, [RIM], MIDDLE)];
  const allNear = count(ends, Object.keys(PARTS), MIDDLE);
  return `Of ${ends.length} minima between distance ${NEAR} and ${FAR} from 0, <b>${rim} end on a rim</b>, ${count(ends, [CURVED])} on the curved side, ${count(ends, [FLAT])} on a flat side. Between ${NEAR} and ${MIDDLE} it is ${near} of ${allNear}, further out ${rim - near} of ${ends.length - allNear}. <b>Turn the drum.</b>`;
}

function sayOther({ ends }) {
  return `Here √(σ₁² + σ₂²) is at most 1. The dashed circles are the matrices of rank 1: <b>${count(ends, [RIM])} of ${ends.length} minima end there.</b> This ball has no edge, so at no point a whole sector of minima ends. <b>Turn the ball.</b>`;
}
