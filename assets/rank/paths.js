// What the frames of a run say: for each number of samples a path of solutions along tau, from the
// highest tau downwards. A `view` has paths, n, k (the place of tau), taus, step, guess, isTold,
// the truth, with its rank, the heights of the layers of W, and the latest run.

export const NAMES = ["Cut", "New samples", "Fewer samples"];
export const GOALS = [
  "Drag the line τ. What is above it is left in W.",
  "Drag the line to where W gets the most new samples right.",
  "With half as many training samples: where is the best line?",
];
export const GUESSES = { higher: "Higher", same: "The same", lower: "Lower" };
export const countOf = (share) => Math.round(1000 * share);

// The paths in the order of n: where each begins among the frames, its values along tau, and once it is
// complete the place of its best tau.
export function pathsOf({ n = [], ...values }, points) {
  const paths = [];
  for (let first = 0; first < n.length; first += points) {
    const [rank, train, right] = ["rank", "train", "new"].map((name) => values[name].slice(first, first + points));
    paths.push([n[first], { first, rank, train, new: right, best: right.length < points ? null : right.indexOf(Math.max(...right)) }]);
  }
  return new Map(paths.sort(([a], [b]) => a - b));
}

// Whether the best line at fewer samples is higher than that with which the lesson opens; null if it is
// not known yet.
export function answerOf({ paths, data: { fewer, opens } }) {
  const [few, many] = [fewer, opens].map((n) => paths.get(n)?.best ?? null);
  return few === null || many === null ? null : few < many ? "higher" : few > many ? "lower" : "same";
}

export function sentenceOf(view, path, isHidden) {
  if (!path || path.best === null) return `The SMM is being trained with each τ and n: ${view.latest.count} of ${view.taus.length * view.data.counts.length} are done …`;
  return [sayOfCut, sayOfNewSamples, sayOfMore][view.step - 1](view, path, isHidden);
}

// Of how many samples which part is right.
export function sayRight({ n, k }, { train }) {
  const right = Math.round(n * train[k]);
  return right === n ? `all ${n} training samples` : `${right} of the ${n} training samples`;
}

function sayOfCut(view, path, isHidden) {
  const { k, taus } = view;
  const next = isHidden ? "How many of new samples? <b>Guess above.</b>" : "And new samples?";
  if (path.rank[k] === 0) return `No height of Ω is above τ = ${taus[k]}, so <b>W = 0</b>. Drag the line down.`;
  return `At τ = ${taus[k]} <b>W has rank ${path.rank[k]}</b> and gets ${sayRight(view, path)} right. ${next}`;
}

function sayOfNewSamples(view, path) {
  const { k, taus } = view;
  if (path.rank[k] === 0) return "W = 0 can only guess: <b>500</b> of 1,000.";
  return `At τ = ${taus[k]}, rank ${path.rank[k]}, W gets <b>${countOf(path.new[k])}</b> of 1,000 new samples right, and ${sayRight(view, path)}. ${judge(view, path)}`;
}

function judge({ k, taus, truth, heights }, path) {
  const less = countOf(path.new[path.best]) - countOf(path.new[k]);
  if (k === path.best && k === taus.length - 1) return `<b>No line gets more:</b> W* has rank ${truth.rank}, and each layer that is cut is a loss.`;
  if (k === path.best) return `<b>No line gets more.</b> ${sayExtra(path.rank[k], truth.rank, heights)}`;
  if (k < path.best) return `That is ${less} fewer than the best: <b>the line is too high</b>, W* needs more layers, or higher ones. Drag it down.`;
  return `That is ${less} fewer than the best: <b>the line is too low</b>, the low layers are noise. Drag it up.`;
}

// What the layers beyond those of W* are, if there are any.
function sayExtra(rank, wanted, heights) {
  if (rank <= wanted) return "";
  const [first, extra] = [heights[0], heights[wanted]].map((height) => Number(height.toPrecision(2)));
  return `W has rank ${rank}, W* ${wanted}: layer ${wanted + 1} is only ${extra} high, layer 1 ${first}. A line above it would lower layer 1, too.`;
}

function sayOfMore(view, path) {
  const { paths, n, taus, data, guess, isTold } = view;
  const at = ({ best, rank, ...own }) => `τ = ${taus[best]} (rank ${rank[best]}, <b>${countOf(own.new[best])}</b> of 1,000)`;
  const here = `With ${n} samples the best line is at ${at(path)}.`;
  if (!isTold) return `${here} <b>And with ${data.fewer}?</b>`;
  const truth = answerOf(view);
  const verdict = n === data.fewer && guess in GUESSES && truth ? (guess === truth ? "✓ Yes. " : "✗ No. ") : "";
  return `${verdict}${here} ${isComplete(paths, data) ? compare(paths, taus) : ""}`;
}

const isComplete = (paths, { counts }) => paths.size === counts.length && [...paths.values()].every(({ best }) => best !== null);

// From which n on the best line goes down.
function compare(paths, taus) {
  const best = [...paths].map(([n, path]) => ({ n, k: path.best }));
  if (best.every(({ k }) => k === taus.length - 1)) return "For every n the best line is the lowest one: no layer of this W* is too much.";
  const from = best.findLastIndex(({ k }, i) => i > 0 && k <= best[i - 1].k);
  if (from < 0) return "<b>With more samples the best line goes down:</b> there is less noise in Ω to cut. Drag n.";
  if (from < best.length - 1) return `<b>From n = ${best[from].n} on the best line goes down:</b> there is less noise in Ω to cut. This is one draw of samples.`;
  return "In this draw of samples the best line does not go down with n.";
}
