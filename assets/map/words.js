// The words of the map, each true of what the view shows. Nothing is drawn here.

import { samplesFor, sayRight, sayVerdict, whole } from "../lib/learning.js";
import { BORDER, CURVES, GUESS, bestOf, column, curvesAt, judge, placeAt, rankOf, tileAt } from "./places.js";

export const GOALS = [
  "At rank 1: with how many samples does the SMM win by the most?",
  "Tap a place, drag, or press a number of an axis. Where does the SMM win by the most?",
  "Above which of the two curves does the SMM win? Choose one.",
];

const heading = ({ rank, n }) => `<b>Rank ${rank}, n = ${whole(n)}</b>`;

export function sentence(view) {
  const { step, guess, curve, places, layers, at, isReplying, isWaiting, isLocked } = view;
  if (isLocked) return "First guess: 50, 200 or 1,600 samples?";
  if (isWaiting) return `Both are being trained on ${whole(tileAt(places, layers, at).n)} other samples …`;
  if (isReplying && step === GUESS && guess && rankOf(at) === 1) return reply(view);
  if (isReplying && step === BORDER) return curve ? sayBorder(view) : INVITATION;
  if (step > GUESS || guess) return sayTile(view);
  const tile = tileAt(places, layers, at);
  return `In each place a random W* of this rank gives n samples their signs, and both look for it. ${heading(tile)}: ${sayRight(tile)}. <b>And where at rank 1? Guess below.</b>`;
}

function sayTile({ places, layers, at, trial, isKnown }) {
  const tile = tileAt(places, layers, at);
  if (trial) {
    return `${heading(tile)}, other samples: the SMM gets <b>${whole(trial.right.smm)}</b> right, the SVM <b>${whole(trial.right.svm)}</b>.
      The mean of ${places[layers].draws.length} draws is ${whole(tile.smm)} and ${whole(tile.svm)}.`;
  }
  const curves = curvesAt(places, layers, at, isKnown);
  const isOpen = tile.who === "smm" && Number.isNaN(samplesFor(curves));
  const order = `How many samples does the SVM need for that? Press the number ${tile.rank} below the map.`;
  return `${heading(tile)}: ${sayRight(tile)}. ${isOpen ? order : sayVerdict(curves)}`;
}

function reply({ places, layers, guess }) {
  const most = tileAt(places, layers, bestOf(places, layers, column(1, places)));
  const best = `The SMM wins by the most at n = ${most.n}: <b>${most.smm}</b> to <b>${most.svm}</b>.`;
  if (guess === "shown") return best;
  if (Number(guess) === most.n) return `✓ Yes. ${most.n} samples are enough for the SMM, not yet for the SVM: ${sayRight(most)}. <b>Now look at other ranks.</b>`;
  const own = tileAt(places, layers, placeAt(1, places.counts.indexOf(Number(guess))));
  const why = own.n < most.n ? "So few samples are too few for both" : "With so many samples the SVM catches up";
  return `✗ No. ${why}: ${sayRight(own)}. ${best}`;
}

const INVITATION = `r is the rank of W*. A matrix of rank r is described by r (40 − r) numbers: is it enough to have as many
  samples? Or are more needed at a high rank, 10 r²? <b>Your choice uncovers the map.</b>`;

function sayBorder({ places, layers, curve, tried }) {
  const { above, wins, below, winsBelow, right } = judge(places, layers, CURVES[curve]);
  const order = tried.size < 2 ? "<b>Try the other curve.</b>" : "<b>Now let the heights of the layers fall.</b>";
  return `Above ${CURVES[curve].name} the SMM is better at ${wins} of ${above} places, below at ${winsBelow} of ${below}. As a border
    it is right at <b>${right} of ${places.count}</b>. ${tried.size < 4 ? order : "Neither is a law: the heights of the layers count, too."}`;
}
