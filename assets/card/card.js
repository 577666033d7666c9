// The card at the end of the course: what the reader has painted, and what both classifiers found of it,
// as one picture to send. As a challenge it covers W*: a friend sees what the SMM finds in more and more
// samples, and says which painting it is.

import { ink, openSheet, write } from "../lib/canvas.js";
import { copyPicture, copyText, saveBlob } from "../lib/give.js";
import { curvesOf, sayVerdict, whole } from "../lib/learning.js";
import { drawCells, fillCells } from "../lib/pictures.js";
import { placeOf } from "../lib/settings.js";
import { canvasOf, invalidate, isHeld, place, sayMoved, sections, slide, toy, watchRun, watchSlider } from "../lib/toy.js";
import { SIDE, STRENGTH, rankOf, stepsOf } from "../lib/painting.js";

const [WIDTH, HEIGHT] = [1200, 630]; // of the card
const [TILE, TOP, LEFTS] = [320, 150, [40, 440, 840]];
const [LARGE, SMALL] = [46, 36]; // letters: on a phone the card is 360 px wide

const ACTS = { "copy picture": "Copy picture", "save picture": "Save picture", "copy challenge": "Copy challenge" };
const skeleton = (choices) => `
  ${sections({ card: ["Your card"] })}
  <div class="row">
    <label><b>n</b> training samples <input type="range" min="0" aria-label="n, training samples"><output></output></label>
    <span class="acts">${Object.entries(ACTS).map(([act, name]) => `<button value="${act}">${name}</button>`).join("")}</span>
    <span class="choices">Which is W*? ${choices.map((_, i) => `<button value="${i}" aria-label="Painting ${i + 1}"><canvas></canvas></button>`).join("")}</span>
  </div>
  <p class="note" role="status"></p>`;

function createView(parent, data) {
  const root = place(parent, "card", skeleton(data.choices));
  const view = { root, data, canvas: canvasOf(root, "card"), cells: new OffscreenCanvas(1, 1), slider: root.querySelector("input"), said: "", isSolved: false, guesses: 0 };
  view.slider.max = data.counts.length - 1;
  const rest = () => sayMoved(view, [[view.data.n, view.at]]);
  watchSlider(view, view.slider, (at) => Object.assign(view, { at, said: "" }), rest);
  root.querySelector(".acts").onclick = ({ target: { value } }) => value && give(view, value);
  root.querySelector(".choices").onclick = ({ target }) => guess(view, target.closest("button"));
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

async function give(view, act) {
  const acts = {
    "copy picture": () => copyPicture(drawCard(view)),
    "save picture": async () => saveBlob(await drawCard(view), "card.png"),
    "copy challenge": () => copyText(challengeOf(view)),
  };
  view.said = await acts[act]().then(() => (act === "save picture" ? "Saved." : "Copied."), () => "The browser did not allow it.");
  invalidate(view);
}

// The link that covers W*, and begins with the fewest samples.
function challengeOf({ data: { keys, code } }) {
  const link = new URL(location.pathname, location.href);
  link.searchParams.set(keys.painting, code); // letters, not a name
  link.searchParams.set(keys.hidden, "1");
  return link.href;
}

function guess(view, button) {
  if (!button || view.isSolved) return;
  const { data: { choices, painting, counts }, at } = view;
  view.isSolved = choices[button.value].text === painting;
  const more = at + 1 < counts.length ? "Take more samples, and look again." : "Look once more.";
  view.guesses += 1;
  const guesses = view.guesses === 1 ? "at your first guess" : `after ${view.guesses} guesses`;
  view.said = view.isSolved ? `✓ Yes: with ${counts[at]} samples, ${guesses}.` : `✗ No. ${more}`;
  invalidate(view);
}

// ---- what is drawn -------------------------------------------------------------------------

function paint(view) {
  const { root, shown: run, data: { counts, hidden }, slider, at } = view;
  const curves = curvesOf(run?.metrics, counts, at);
  const { context, width } = openSheet(view.canvas);
  context.scale(width / WIDTH, width / WIDTH);
  drawOn(context, view, curves);
  slide(slider, at, String(counts[at]));
  root.querySelector("output").textContent = counts[at];
  root.querySelector(".note").textContent = view.said || (curves.draws ? "" : "Both classifiers are being trained …");
  root.classList.toggle("hidden", hidden);
  view.canvas.ariaLabel = describe(view, curves);
  Object.assign(root.dataset, { n: counts[at], draws: curves.draws || 0, covered: isCovered(view) });
}

const isCovered = ({ data: { hidden }, isSolved }) => hidden && !isSolved;
const plainText = (html) => html.replace(/<[^>]*>/g, "");

function titlesOf(view, { svm, smm, at, draws }) {
  const { data: { cells, counts }, shown: run } = view;
  const found = (curve) => (draws ? `${whole(curve[at])} of 1,000 right` : "");
  return [
    ["W*", isCovered(view) ? "?" : `rank ${rankOf(cells)}`],
    ["linear SVM", found(svm)],
    [draws ? `SMM, rank ${run.metrics.rank_smm[run.metrics.n.indexOf(counts[at])]}` : "SMM", found(smm)],
  ];
}

function describe(view, curves) {
  return [...titlesOf(view, curves).map((title) => title.join(": ")), isCovered(view) ? "" : plainText(sayVerdict(curves))].join(". ");
}

// The card on a context whose unit is a pixel of the card.
function drawOn(context, view, curves) {
  const { theme, data: { cells, counts, name }, shown: run, at } = view;
  ink(context, theme.background);
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const letters = (size, weight = 400) => (context.font = `${weight} ${size}px ${getComputedStyle(view.root).fontFamily}`);
  const line = (text, x, y) => write(context, text, x, y, "left", "middle");
  ink(context, theme.text);
  letters(LARGE, 650);
  const noise = `in ${whole(counts[at])} samples of noise`;
  line(isCovered(view) ? `What is hidden ${noise}?` : `${name || "My painting"}, looked for ${noise}`, LEFTS[0], 50);
  titlesOf(view, curves).forEach(([who, number], i) => {
    letters(SMALL);
    line(who, LEFTS[i], TOP - 30);
    letters(SMALL, 650);
    line(number, LEFTS[i], TOP + TILE + 30);
  });
  const found = (name) => {
    const frame = run?.metrics.n.indexOf(counts[at]) ?? -1;
    if (frame < 0 || (isCovered(view) && name === "svm")) return null;
    return stepsOf(run, frame, `W_${name}`, Math.hypot(...cells));
  };
  const tiles = [isCovered(view) ? null : cells.map((cell) => STRENGTH * cell), found("svm"), found("smm")];
  context.imageSmoothingEnabled = false;
  tiles.forEach((steps, i) => {
    ink(context, theme.border, 1, 1.5);
    if (steps) return drawCells(context, view, [SIDE, SIDE], steps, theme.diverging, { x: LEFTS[i], y: TOP, w: TILE, h: TILE });
    context.strokeRect(LEFTS[i], TOP, TILE, TILE);
    ink(context, theme.text, 0.6);
    letters(120, 300);
    write(context, "?", LEFTS[i] + TILE / 2, TOP + TILE / 2, "center", "middle");
  });
  ink(context, theme.text);
  const verdict = isCovered(view) ? "" : plainText(sayVerdict(curves));
  letters(SMALL);
  letters(SMALL * Math.min(1, (WIDTH - 2 * LEFTS[0]) / context.measureText(verdict).width));
  line(verdict, LEFTS[0], 554);
  letters(SMALL);
  ink(context, theme.text, 0.75);
  line(`${view.data.app} · ${location.host}`, LEFTS[0], 602);
}

// The card as a file, in its own size.
function drawCard(view) {
  const sheet = new OffscreenCanvas(WIDTH, HEIGHT);
  drawOn(sheet.getContext("2d"), view, curvesOf(view.shown?.metrics, view.data.counts, view.at));
  return sheet.convertToBlob({ type: "image/png" });
}

function paintChoices({ root, data: { choices }, theme }) {
  root.querySelectorAll(".choices canvas").forEach((canvas, i) => {
    fillCells(canvas, [SIDE, SIDE], choices[i].cells.map((cell) => STRENGTH * cell), theme.diverging);
  });
}

function show(view, run) {
  if (run.count > 0) view.shown = run;
  invalidate(view);
}

function adopt(view, data) {
  if (data.painting !== view.data.painting) Object.assign(view, { isSolved: false, said: "", guesses: 0 });
  view.data = data;
  if (!isHeld(view)) view.at = placeOf(data.n);
  watchRun(view, data.url);
  paintChoices(view);
}

export default toy(createView, adopt, { paint, show });
