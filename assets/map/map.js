// The map of where low rank pays off: a place for each rank of W* and each number of samples. What was found
// there is in a file; one uncovers it by a tap. Only other samples of a place need the server.

import { isStill, listenTo } from "../lib/dom.js";
import { answer } from "../lib/answer.js";
import { makeGuess, readGuess } from "../lib/guess.js";
import { drawCurves, whole } from "../lib/learning.js";
import { placeOf } from "../lib/settings.js";
import { requestGrid } from "../lib/source.js";
import { makeSteps } from "../lib/steps.js";
import { afterKeys, canvasOf, drag, invalidate, isHeld, onArrows, onPress, paintMatrix, place, say, sayMoved, saySentence, sections, toy } from "../lib/toy.js";
import { drawMap } from "./draw.js";
import { BORDER, CURVES, ENOUGH, EXPLORE, GUESS, LAYERS, SIDE, bestOf, column, curvesAt, placeAt, rankOf, readPlaces, row, rowOf, tileAt } from "./places.js";
import { GOALS, sentence } from "./words.js";

const STEPS = ["Guess", "Explore", "Which border?"];
const OPENS = placeAt(2, 5); // the place that is seen at first
const [PACE, ALL, FADE] = [60, 1500, 260]; // ms from a place to the next, for all, and for one

const TITLES = {
  map: ["SMM minus SVM", "right of 1,000 new samples: <span><i class='smm'></i> SMM better,</span> <span><i class='svm'></i> SVM better,</span> <span><b>·</b> too close to tell</span>"],
  truth: ["W*"],
  svm: ["SVM"],
  smm: ["SMM"],
  column: [""],
};
const choices = (name, values, textOf) => values.map((value) => `<button class="${name}" value="${value}">${textOf(value)}</button>`).join("");

const SKELETON = `
  <div class="panels">
    ${sections(TITLES)}
    <p class="note" role="status"></p>
    <div class="ends">
      ${choices("curve", Object.keys(CURVES), (name) => CURVES[name].name)}
      <button class="all">All</button><button class="clear">Clear</button>
      ${choices("layers", LAYERS, (name) => `layers of ${name} height`)}
      <button class="again">Other samples here</button>
    </div>
  </div>`;

function createView(parent, data) {
  const root = place(parent, "map", SKELETON);
  const view = {
    root,
    canvases: Object.fromEntries(Object.keys(TITLES).map((name) => [name, canvasOf(root, name)])),
    cells: new OffscreenCanvas(1, 1),
    done: new Set(),
    seen: new Map([[OPENS, -FADE]]), // the time at which a place is uncovered
    isKnown: (k) => view.seen.get(k) <= performance.now(),
    tried: new Set(), // borders, each with its layers
    cursor: OPENS, // of the keys
    votes: null, // of a class, a number for each place
  };
  view.guessing = makeGuess(view, "", Object.fromEntries(data.guesses.map((n) => [n, whole(n)])), () => {
    const best = bestOf(view.places, view.layers, column(1, view.places));
    return [[view.data.rank, 0], [view.data.samples, rowOf(best)]];
  });
  view.steps = makeSteps(view, STEPS, GOALS);
  root.prepend(view.steps.top);
  root.querySelector(".ends").prepend(view.guessing.row);
  root.querySelector(".ends").append(view.steps.next);
  listenTo(view, "votes", (votes) => showVotes(view, votes));
  const begin = (places) => {
    view.places = places;
    watchMap(view);
    root.querySelector(".ends").onclick = ({ target }) => choose(view, target);
    view.adopt();
    if (view.votes) showVotes(view, view.votes);
  };
  requestGrid(data.url).then(readPlaces).then(begin);
  return view;
}

const everywhere = ({ count }) => Array.from({ length: count }, (_, k) => (89 * k) % count); // as if shuffled

// ---- what the reader does --------------------------------------------------------------------

// Uncover places one after the other, but before the guess none of rank 1; return whether there is one.
function uncover(view, all, pace = PACE) {
  const isLocked = !view.guess && (view.step === GUESS || answer.isAskedFirst());
  const open = all.filter((k) => !(isLocked && rankOf(k) === 1));
  const [start, wait] = isStill() ? [-FADE, 0] : [performance.now(), pace];
  open.filter((k) => !view.seen.has(k)).forEach((k, i) => view.seen.set(k, start + wait * i));
  invalidate(view);
  return open.length > 0;
}

// In a class each phone uncovers a place, and the answer the rest; another round begins anew, and so does
// the question when it is asked again.
function showVotes(view, votes) {
  const isAnew = view.wasShown || (view.votes?.some(Boolean) && !votes.some(Boolean));
  Object.assign(view, { votes, wasShown: answer.isShown() });
  view.root.classList.add("wall");
  if (!view.places) return;
  if (isAnew && !answer.isShown()) choose(view, { className: "clear" });
  const all = everywhere(view.places);
  if (answer.isShown()) uncover(view, all, ALL / all.length);
  else uncover(view, all.filter((k) => votes[k]));
}

function go(view, k) {
  view.isLocked = !uncover(view, [k]);
  if (!view.isLocked) Object.assign(view, { at: k, cursor: k, isReplying: false });
}

// A number of an axis stands for its row or column.
function press(view, { place: k, label }) {
  if (label) uncover(view, label === "n" ? row(rowOf(k)) : column(rankOf(k), view.places));
  else go(view, k);
}

function watchMap(view) {
  const { map } = view.canvases;
  const under = ({ clientX, clientY }) => {
    const { left, top } = map.getBoundingClientRect();
    return view.layout.under(clientX - left, clientY - top);
  };
  Object.assign(map, { tabIndex: 0, role: "application" });
  map.onfocus = map.onblur = () => invalidate(view);
  onPress(map, (event) => {
    const begun = under(event);
    let isOn = event.pointerType !== "touch"; // a finger may scroll the page, until it goes sideways
    const begin = () => {
      isOn = true;
      press(view, begun);
    };
    if (isOn) begin();
    const pass = (moved) => {
      const { place: k } = under(moved);
      if (!isOn && rankOf(k) !== rankOf(begun.place)) begin();
      if (isOn && !begun.label) go(view, k);
    };
    drag(view, map, event, (moved) => (moved.getCoalescedEvents?.() ?? [moved]).forEach(pass), (end) => {
      if (!isOn && end === "pointerup") begin();
      report(view);
    });
  });
  map.onkeydown = onArrows(([right, up], { shiftKey }) => {
    const [rank, at] = [rankOf(view.cursor) + right, rowOf(view.cursor) + up];
    if (rank >= 1 && rank <= SIDE && at >= 0 && at < view.places.counts.length) view.cursor = placeAt(rank, at);
    if (shiftKey || !(right || up)) go(view, view.cursor);
    afterKeys(view, () => report(view));
    invalidate(view);
  }, "Enter", " ");
}

function choose(view, { className, value }) {
  const { places, layers, at, data } = view;
  const acts = {
    curve: () => (view.curve = value),
    layers: () => (view.layers = value),
    all: () => uncover(view, everywhere(places), ALL / places.count),
    clear: () => {
      view.seen.clear();
      view.curve = null;
    },
    again: () => {
      view.asked = data.again?.number ?? 0;
      view.send("again", [layers, rankOf(at), places.counts[rowOf(at)]]);
    },
  };
  if (!(className in acts)) return;
  acts[className]();
  report(view);
}

function report(view) {
  const { data, at, layers, curve } = view;
  sayMoved(view, [
    [data.rank, rankOf(at) - 1],
    [data.samples, rowOf(at)],
    [data.layers, LAYERS.indexOf(layers)],
    [data.curve, Object.keys(CURVES).indexOf(curve) + 1],
  ]);
}

// ---- what is drawn -------------------------------------------------------------------------

function paint(view) {
  const { places, layers, at, canvases, theme, isKnown, seen, data: { again }, root, step } = view;
  if (!places) return;
  const [now, tile] = [performance.now(), tileAt(places, layers, at)];
  view.known = everywhere(places).filter(isKnown);
  if (view.known.length >= ENOUGH && !view.curve) view.done.add(EXPLORE); // a curve uncovers all
  view.trial = again?.layers === layers && again.rank === tile.rank && again.n === tile.n ? again : null;
  view.isWaiting = view.asked === (again?.number ?? 0);
  view.layout = drawMap(view, (k) => Math.min(1, (now - seen.get(k)) / FADE));
  for (const name of ["truth", "svm", "smm"]) {
    const levels = view.trial?.W[name] ?? places[layers].matrixOf(name, at);
    paintMatrix(view, canvases[name], [SIDE, SIDE], Array.from(levels, (level) => (127 / places.levels) * level));
  }
  drawCurves(canvases.column, curvesAt(places, layers, at, isKnown), theme);
  readOut(view, tile);
  Object.assign(root.dataset, { step, known: view.known.length, rank: tile.rank, n: tile.n, layers });
  if (now < Math.max(...seen.values()) + FADE) invalidate(view);
}

function readOut(view, tile) {
  const { root, places, layers, canvases, known, trial, cursor, isKnown, step, curve } = view;
  saySentence(view, sentence(view));
  say(root, "truth", `rank ${tile.rank}`);
  for (const name of ["svm", "smm"]) say(root, name, `${whole((trial?.right ?? tile)[name])} right`);
  root.querySelector("[data-panel=column] b").textContent = `Rank ${tile.rank}`;
  say(root, "column", `right of 1,000. ${known.length} of ${places.count} places seen`);
  for (const canvas of Object.values(canvases)) canvas.ariaLabel = canvas.closest("section").querySelector("header").textContent;
  const its = tileAt(places, layers, cursor);
  const found = isKnown(cursor) ? `SMM ${whole(its.smm)} right, SVM ${whole(its.svm)}` : "not seen yet";
  canvases.map.ariaLabel = `Rank ${its.rank}, n = ${whole(its.n)}: ${found}. Arrows move, Enter uncovers.`;
  for (const button of root.querySelectorAll(".curve, .ends .layers")) {
    button.ariaPressed = String(view[button.className]) === button.value;
    button.hidden = button.className === "layers" && step === BORDER && !curve; // first choose a curve
  }
  const best = bestOf(places, layers, column(1, places));
  view.guessing.draw(view.step === GUESS, String(places.counts[rowOf(best)]));
  view.steps.draw();
}

function adopt(view, data) {
  const { places, done, tried, guess: before } = Object.assign(view, { data });
  if (!places) return;
  if (!isHeld(view)) {
    view.curve = [null, ...Object.keys(CURVES)][placeOf(data.curve)];
    view.layers = LAYERS[placeOf(data.layers)];
    view.at = placeAt(placeOf(data.rank) + 1, placeOf(data.samples));
  }
  view.guess = readGuess(view);
  const step = placeOf(data.step) + 1;
  view.step = view.guess || !answer.isAskedFirst() ? step : GUESS;
  view.isLastBefore = step > GUESS; // where phones tap
  if (!uncover(view, [view.at])) view.at = OPENS;
  if (!isHeld(view)) view.cursor = view.at;
  const { guess, curve, layers } = view;
  const key = [step, guess, curve, layers].join();
  if (key === view.key) return;
  Object.assign(view, { key, isReplying: true, isLocked: step !== view.step });
  if (guess && !before) uncover(view, column(1, places));
  if (curve) uncover(view, everywhere(places), ALL / places.count);
  if (curve && view.step === BORDER) tried.add(`${curve} ${layers}`);
  if (tried.size > 1) done.add(BORDER);
}

export default toy(createView, adopt, { paint });
