// The sentences of the first picture of "Meet the SMM". All numbers in them come from what is drawn: a
// `view` has samples, found, out, step, tau, C, film, note, touched, layer, curve.

import { dipOf, likenessOf, rightOf, sharesOf } from "./samples.js";

export const NAMES = ["Samples", "Add up", "Layers", "Cut", "Why cut?"];
export const GOALS = [
  "Each sample is a cross or a frame, bold or faint, plus noise.",
  "Add crosses, subtract frames, each times its load: Ω (omega).",
  "Ω is a sum of 12 layers. How much of the cross does each hold?",
  "Cut at τ: each height loses τ, but not below 0. What is left is W.",
  "Why cut? New samples bring new noise, but the same cross.",
];
const HOLDS = "Multiply layer and pattern cell by cell, and add up. Divide by the same sum for Ω.";
const OFF = 10; // new samples, of 1,000, that an offset costs when it is worth a word
export const isOff = ({ right, centred }) => countOf(centred) - countOf(right) > OFF;
const percent = (share) => `${Math.round(100 * share)} %`.replace("-", "−");
const countOf = (right) => Math.round(1000 * right);

export const kindOf = ({ y, isBold }, i) => `${isBold[i] ? "bold" : "faint"} ${y[i] > 0 ? "cross" : "frame"}`;

export function loadOf({ out, found: { alpha }, C }, i) {
  if (out.has(i)) return "taken out";
  if (alpha[i] === 0) return "load 0: beyond the edge";
  return `load ${alpha[i].toFixed(2)}: ${alpha[i] === C ? "inside the margin" : "on the edge"}`;
}

export function sentenceOf(view, isHidden) {
  if (!view.found.hasBoth) return "One class is gone, so there is nothing to tell apart: <b>W = 0</b>. Put a sample back.";
  return view.note || [sayOfSamples, sayOfLoads, sayOfLayers, sayOfCut, sayOfNewSamples][view.step - 1](view, isHidden);
}

function sayOfSamples(_, isHidden) {
  const next = isHidden ? "Then answer the question above." : "Then add them up.";
  return `<b>Point at a sample:</b> it is a pattern, hidden in noise about 4 times as strong. ${next}`;
}

// How many bold or faint samples have a load, and how many there are: "3 of the 12".
function countLoads({ samples: { isBold }, found: { alpha }, out }, bold) {
  const all = [...isBold.keys()].filter((i) => isBold[i] === bold && !out.has(i));
  const loaded = all.filter((i) => alpha[i] > 0).length;
  return { loaded, text: `${loaded} of the ${all.length}` };
}

function sayOfLoads(view) {
  if (view.film !== null) return "The samples with a load are added, one by one …";
  const [bold, faint] = [countLoads(view, true), countLoads(view, false)];
  const why = bold.loaded ? "A sample beyond the edge is right without help." : "All bold ones lie beyond the edge at 1: they are right without help.";
  return `${faint.text} faint samples get a load, and ${bold.text} bold ones. ${why} <b>Take a sample out: click it.</b>`;
}

function sayOfLayers({ found, touched, layer }) {
  if (touched.size < 2) return "Each bar is the height of a layer, and a layer is a column times a row. <b>Point at two bars:</b> how much of the cross is in each?";
  const shares = sharesOf(found);
  const two = shares[0] + shares[1];
  return `Layer ${layer + 1} <abbr title="${HOLDS}">holds</abbr> <b>${percent(shares[layer])}</b> of the cross in Ω, layers 1 and 2 together <b>${percent(two)}</b>. The other ten hold ${percent(1 - two)}.`;
}

function sayOfCut(view) {
  const { found: { rank, kept }, film, tau, hasDragged } = view;
  if (film !== null) return "The line rises. Each height loses, and the low layers go first …";
  if (tau === 0) return "Nothing is cut, so <b>W = Ω</b>. This is the linear SVM. <b>Drag the line up.</b>";
  if (rank === 0) return `No height is above τ = ${tau.toFixed(2)}: <b>W = 0</b>.`;
  const heights = Array.from(kept.slice(0, rank), (height) => height.toFixed(2));
  const left = rank > 3 ? rank : heights.join(rank === 2 ? " and " : ", ");
  const bold = countLoads(view, true);
  const depends = `The loads, and so <b>Ω</b>, depend on τ${bold.loaded ? `: ${bold.text} bold samples have a load now` : ""}.`;
  const next = hasDragged ? depends : "Without a cut W is Ω. <b>Drag the line.</b>";
  return `Each height loses ${tau.toFixed(2)}: ${left} ${rank === 1 ? "is" : "are"} left, ${12 - rank} of 12 become 0. <b>W has rank ${rank}.</b> ${next}`;
}

function sayOfNewSamples({ found, curve, tau }) {
  if (!curve) return "New samples are being counted …";
  const now = { right: found.right, centred: rightOf(found.W, 0) };
  const dip = dipOf(curve.path);
  const name = tau === 0 ? "At this C the linear SVM (τ = 0)" : `The SMM at τ = ${tau.toFixed(2)}`;
  const isCleaner = likenessOf(found.W) > likenessOf(found.omega) + 0.01;
  const isBest = isCleaner && countOf(now.right) > countOf(Math.max(curve.svm, curve.mean));
  const offset = `W shrinks as τ grows, so its offset b = ${found.b.toFixed(2).replace("-", "−")} now tips many samples over: <b>the same W with b = 0 gets ${countOf(now.centred)}</b>.`;
  const why = isOff(now) ? offset : isBest ? "W is more like the cross than Ω is. Not always: lesson 5 tells when." : "<b>Drag τ.</b>";
  const mean = curve.mean > curve.svm ? "The mean averages the noise of all samples, the SVM of those with a load." : "";
  const other = isOff(dip) ? `Where the curve dips, at τ = ${dip.tau.toFixed(1)}, only b is off: with b = 0 the same W gets ${countOf(dip.centred)}.` : mean;
  return `${name} gets <b>${countOf(now.right)}</b> of 1,000 new samples right. ${why} ${isOff(now) ? "" : other}`;
}

// What taking a sample out, or putting it back, has changed.
export function sayChange({ samples, found, out, tried }, i, before) {
  const load = out.has(i) ? before.alpha[i] : found.alpha[i];
  const change = sizeOf(found.omega.map((cell, at) => cell - before.omega[at])) / sizeOf(before.omega);
  const sizes = load ? `<b>Ω changes by ${percent(change)}.</b>` : "<b>Nothing changes</b>: none of the 144 cells of Ω moves.";
  if (!out.has(i)) return `${sizes} This ${kindOf(samples, i)} is back, with load ${load ? load.toFixed(2) : "0"}.`;
  const next = tried.free && tried.loaded ? "Ω needs its support matrices only." : `<b>Now take out one ${load ? "of load 0" : "with a load"}.</b>`;
  return `${sizes} This ${kindOf(samples, i)} had load ${load ? `${load.toFixed(2)}: it is a <b>support matrix</b>` : "0"}. ${next}`;
}

const sizeOf = (values) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));

export const proofOf = ({ primal, dual, gap }) =>
  gap < 1e-6 ? `objective ${primal.toFixed(2)} = floor ${dual.toFixed(2)} ✓` : `${(100 * (primal / dual - 1)).toFixed(0)} % above the floor`;
