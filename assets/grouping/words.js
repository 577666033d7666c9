// The words of the picture of "The grouping effect". All numbers come from what is drawn: a `view` has step,
// delta, C, tau, at, pair, correlation, news and, where W is not covered, found, distance, G, right.

import { typeset } from "../lib/numbers.js";
import { groupOf } from "./samples.js";

export const NAMES = ["Samples", "Two columns", "Columns of W", "How alike?"];
export const GOALS = [
  "The columns of a sample come in four groups. Which belong together?",
  "Two columns as a cloud: how alike are they in the samples?",
  "Each column of W stands under the same column of the samples.",
  "A group of W is pure if its five lines lie on one another.",
];
export const ASK = "<b>C, the price of an error, grows 100 times.</b> Which bar gets shorter?";
export const GUESSES = { G: "G", accuracy: "Right", both: "Both" };
const [LINE, WIDE] = [0.8, 0.3]; // correlations above which a cloud is nearly a line, or leans

export const hundredths = (value) => (Number.isNaN(value) ? "–" : typeset(value.toFixed(2)));
export const nice = (value) => (value < 1e-9 ? "0" : typeset(String(Number(value.toPrecision(2)))));
export const correlationText = (r) => (r > 0.9995 ? "1" : hundredths(r));
export const countOf = (share) => typeset(String(Math.round(1000 * share)));
export const columnsOf = (pair) => `columns ${pair.map((column) => column + 1).join(" and ")}`;

export const sentenceOf = (view) => (view.animation ? "" : view.news) + [sayOfSamples, sayOfCloud, sayOfTwo, sayOfPrice][view.step - 1](view);

function sayOfSamples({ delta, at }) {
  if (!at.order) return "Each sample is + or −: this is its <b>label</b>. Its columns are shuffled. <b>Press Sort.</b>";
  if (delta === 0) return "Without noise a sample is four stripes: <b>four numbers</b> say it all.";
  if (delta >= 0.95) return "The noise is at least as large as the stripes. Do you still see the groups?";
  return "Columns with the same mark repeat the same number, plus noise: they are a <b>group</b>. <b>Drag δ.</b>";
}

const isAlike = ([first, second]) => groupOf(first) === groupOf(second);

function sayOfCloud({ delta, pair, correlation }) {
  if (!isAlike(pair)) return `Now ${columnsOf(pair)} have different marks: no δ makes a line of this cloud.`;
  if (delta === 0) return `Without noise ${columnsOf(pair)} are equal: all dots are on the diagonal.`;
  const shape = correlation > LINE ? "The dots are near the diagonal" : correlation > WIDE ? "The cloud is wide, and leans a little" : "The cloud is nearly round";
  return `${shape}: correlation ${correlationText(correlation)}. <b>Drag δ</b>, or drag a number, ${pair[0] + 1} or ${pair[1] + 1}, to another mark.`;
}

function sayOfTwo({ delta, pair, distance, isCovered }) {
  if (isCovered) return "The SMM learns W from all 60 samples and their labels. W is covered until you <b>guess above</b>.";
  if (!isAlike(pair)) return `Now ${columnsOf(pair)} have different marks: they are not alike in the samples, and W tells them apart.`;
  if (delta === 0) return `δ = 0: ${columnsOf(pair)} of the samples are equal, and <b>so are those of W</b>. <b>Drag δ up.</b>`;
  return `In W these columns are ${nice(distance)} apart. Take δ to 0: equal columns of the samples get equal columns of W.`;
}

function sayOfPrice(view) {
  const { G, C, tau, delta, isTold, found, before } = view;
  if (view.animation && isTold) return "C grows …";
  if (!isTold) return "Each line is a column of W. <b>G</b> says how pure the groups are: 1 if all five lines of each group are equal, near 0 if W ignores the groups.";
  if (before) return replyTo(view);
  if (Number.isNaN(G)) return "τ is so high that nothing is left of W. Lower τ, or raise C.";
  if (delta === 0) return "Equal columns get equal columns of W, whatever C and τ are. Raise δ a little: then C decides.";
  if (tau === 0) return `τ = 0: this is the <b>linear SVM</b>. It groups, too: G = ${hundredths(G)}, and its curve along C falls, too.`;
  const full = found.alpha.filter((load) => load > C * (1 - 1e-6)).length;
  const loads = `${full || "None"} of 60 samples ${full > 1 ? "have" : "has"} the full load C`;
  const isPure = G > 0.7;
  if (full > 30) return `${loads}. ${isPure ? "Their noise averages out: the groups are pure." : "Yet the noise is large, so the groups are not pure."}`;
  if (isPure) return `${loads}. ${delta < 0.1 ? "Yet the noise is small: the groups are pure." : "The groups are still pure. Raise C: W follows more of the noise."}`;
  return `${loads}: W fits ${full ? "all others" : "them all"}, and their noise: in W the groups fade.`;
}

// Which bar is shorter after C has grown 100 times; null if neither is.
export function fallen({ before, G, right }) {
  const [isLess, isWorse] = [G < before.G, countOf(right) < countOf(before.right)];
  return isLess ? (isWorse ? "both" : "G") : isWorse ? "accuracy" : null;
}

function replyTo(view) {
  const { guess, before, G, right } = view;
  const truth = fallen(view);
  const verdict = guess in GUESSES ? (guess === truth ? "✓ Yes. " : "✗ No. ") : "";
  const why = truth === "G" ? "W follows the noise of single samples now." : "";
  return `${verdict}G falls from ${hundredths(before.G)} to ${hundredths(G)}; right were ${countOf(before.right)}, now ${countOf(right)}. ${why} <b>Drag C back.</b>`;
}
