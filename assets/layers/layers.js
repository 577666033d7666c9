// A matrix is a stack of layers: layer i is sigma_i, a height, times a column times a row. A cut through
// the bars of the heights is dragged; the layers before it stand out of the fan and add up to a picture.
//
// U, sigma and V come with the page. The cut is told to it when the hand rests, for the address; a
// picture of the reader's own is made small here and sent as grey values, never as a file.

import { answer } from "../lib/answer.js";
import { circle, drawNumbers, ink, openSheet, trace, write } from "../lib/canvas.js";
import { listenTo } from "../lib/dom.js";
import { countNoun, format, ordinals, plain } from "../lib/numbers.js";
import { drawCells, fillCells } from "../lib/pictures.js";
import { bytesOf } from "../lib/packed.js";
import { nextRun } from "../lib/pages.js";
import { photoPill, watchPhoto } from "../lib/photo.js";
import { placeOf, set } from "../lib/settings.js";
import { agreement, createMaker, paintMaker, productOf } from "./maker.js";
import { GREYS, canvasOf, invalidate, isHeld, largest, layOver, paintMatrix, place, say, sayMoved, sections, slide, title, total, toy, watchSlider } from "../lib/toy.js";

const SPREAD = 0.62; // power of the number of a layer, along the fan: the first ones have more room
const [NARROW, SKEW] = [0.5, -0.2]; // of a layer that is seen from the side
const SUNK = 0.12; // of the height of the fan, by which the layers behind the cut lie deeper
const BROKEN = 4; // a first bar that is this many times the second would dwarf the others
const SHARE = "The sum of all squared differences, divided by the sum of all squared entries.";
const MADE = [9, 16]; // cells of the layer that the reader makes, at first: where the bars of the cross meet
const TITLES = {
  sum: ["The picture", ""],
  fan: ["Its layers", "orange +, blue −"],
  bars: ["Their heights", "", `<input type="range" min="0" aria-label="Layers that are added up">`],
};

const SKELETON = `
  <div class="panels">
    ${sections(TITLES)}
  </div>
  <div class="row">
    <p class="note" role="status"></p>
    ${photoPill("Your own picture")}
  </div>`;

// While one is asked how many layers there are, the whole picture is in view, and in their place a layer that
// the reader makes, and what it leaves of the picture, with its sign.
const QUESTION = { fan: ["Make a layer", "a column × a row"], bars: ["Still missing", "orange; too much: blue"] };
const cutOf = (view) => (view.isCovered ? view.matrix.rank : view.cut);

function createView(parent, data) {
  const root = place(parent, "stack", SKELETON);
  const view = {
    root,
    ...Object.fromEntries(Object.keys(TITLES).map((name) => [name, canvasOf(root, name)])),
    slider: root.querySelector("[type=range]"),
    cells: new OffscreenCanvas(1, 1),
    cut: data.cut,
  };
  view.maker = createMaker(view, data.shape[0], MADE);
  view.fan.onfocus = view.fan.onblur = () => invalidate(view);
  listenTo(view, "reveal", () => invalidate(view));
  watchSlider(view, view.slider, (cut) => (view.cut = Math.min(view.matrix.rank, cut)), () => tell(view));
  const { shape: [p, q] } = data;
  const complain = (sentence) => (root.querySelector(".note").textContent = sentence); // until the next paint
  watchPhoto(root, [q, p], (greys, name) => {
    if (!greys.some(Boolean)) return complain(`${name} is all black: a matrix of zeros, which has no layer and rank 0.`);
    give(view, greys);
  }, complain);
  return view;
}

// Streamlit may drop what was said where a request for another address overtakes it.
async function give(view, greys) {
  view.send("own", greys);
  await nextRun();
  set(view.own);
}

// U', sigma and V' as floats in base64, one after the other.
function decode({ svd, shape: [p, q], rank }) {
  const floats = new Float32Array(bytesOf(svd).buffer);
  const m = Math.min(p, q);
  const rows = (start, length) => Array.from({ length: m }, (_, i) => floats.subarray(start + i * length, start + (i + 1) * length));
  return { p, q, rank, columns: rows(0, p), heights: [...floats.subarray(m * p, m * p + m)], rows: rows(m * p + m, q) };
}

// A layer without its height, row by row.
function layerOf({ p, q, columns, rows }, i) {
  return Float32Array.from({ length: p * q }, (_, at) => columns[i][Math.floor(at / q)] * rows[i][at % q]);
}

function sumOf(matrix, count) {
  const sum = new Float32Array(matrix.p * matrix.q);
  matrix.heights.slice(0, count).forEach((height, i) => {
    matrix.layers[i].forEach((entry, at) => (sum[at] += height * entry));
  });
  return sum;
}

// ---- what the reader does ------------------------------------------------------------------

const tell = (view) => sayMoved(view, [[view.knob, view.cut]]);

// ---- what is drawn -------------------------------------------------------------------------

function paint(view) {
  view.isCovered = answer.isHidden();
  view.root.classList.toggle("covered", view.isCovered);
  for (const name of ["fan", "bars"]) title(view.root, name, ...(view.isCovered ? QUESTION : TITLES)[name].slice(0, 2));
  paintSum(view);
  if (view.isCovered) {
    paintMaker(view);
    paintRest(view);
  } else {
    paintHeights(view);
    paintFan(view);
  }
  readOut(view);
}

function paintSum(view) {
  const { matrix: { p, q } } = view;
  view.picture = sumOf(view.matrix, cutOf(view));
  paintMatrix(view, view.sum, [p, q], view.picture.map((grey) => 254 * grey - 127), GREYS);
}

// What the reader's layer leaves of the picture, beside the layer if there is room.
function paintRest({ matrix: { p, q }, picture, maker, bars, cells, theme }) {
  const { context, width, height } = openSheet(bars);
  const [side, made] = [Math.min(maker.box.w, width), productOf(maker)];
  const box = { x: 0, y: Math.min(maker.box.y, height - side), w: side, h: side };
  ink(context, theme.border);
  drawCells(context, { cells }, [p, q], picture.map((grey, i) => 127 * (grey - made[i])), theme.diverging, box);
}

function paintFan(view) {
  const { matrix, theme, cut, cards } = view;
  const { context, width, height, ratio, size } = openSheet(view.fan);
  const { p, q, rank } = matrix;
  const table = 0.34 * height;
  const tall = Math.min((height - table - 2.4 * size) / (1 - SKEW + SUNK), width * 0.42);
  const wide = tall * NARROW;
  const step = rank > 1 ? Math.min(1.5 * wide, (width - wide - 2) / (rank - 1) ** SPREAD) : 0; // two stand together
  for (let i = rank - 1; i >= 0; i--) {
    const x = rank > 1 ? step * i ** SPREAD : (width - wide) / 2;
    const y = (-SKEW + (i < cut ? 0 : SUNK)) * tall + 1;
    const isNewest = i === cut - 1;
    context.save();
    context.setTransform((ratio * wide) / q, (ratio * SKEW * tall) / q, 0, (ratio * tall) / p, ratio * x, ratio * y);
    context.globalAlpha = i < cut ? 1 : 0.16;
    context.drawImage(cards[i], 0, 0);
    context.strokeStyle = isNewest ? theme.accent : theme.text;
    context.lineWidth = isNewest ? 0.6 : 0.15;
    context.strokeRect(0, 0, q, p);
    context.restore();
    const isNumbered = i < cut && (isNewest || (i < 5 && (cut <= 6 || i < cut - 2)));
    if (!isNumbered || rank === 1) continue;
    ink(context, isNewest ? theme.accent : theme.text);
    write(context, String(i + 1), x + 0.12 * wide, y + tall + 4, "center", "top");
  }
  if (cut === 0) return;
  const [x, y, side] = [size + 5, height - table + size + 5, table - size - 7];
  paintTable(view, context, cut - 1, { x, y, w: side, h: side }, 0.9 * size);
  ink(context, theme.text);
  const words = [`layer ${cut} =`, `${plain(matrix.heights[cut - 1])} × column × row`];
  words.forEach((text, i) => write(context, text, x + side + size, y + side / 2 + (i - 0.5) * 1.5 * size, "left", "middle"));
}

// The newest layer as a multiplication table: its row on top, its column at the left.
function paintTable({ matrix, theme, cells }, context, i, box, strip) {
  const { p, q, columns, rows, layers } = matrix;
  const inColours = (values, shape, box) => {
    const scale = 127 / largest(values);
    drawCells(context, { cells }, shape, values.map((value) => value * scale), theme.diverging, box);
  };
  ink(context, theme.border);
  inColours(rows[i], [1, q], { ...box, y: box.y - strip - 5, h: strip });
  inColours(columns[i], [p, 1], { ...box, x: box.x - strip - 5, w: strip });
  ink(context, theme.accent, 1, 2);
  inColours(layers[i], [p, q], box);
}

function paintHeights(view) {
  const { matrix: { heights, rank }, theme, cut } = view;
  const { context, width, height, size } = openSheet(view.bars);
  const [top, bottom] = [1.8 * size, height - 1.7 * size];
  const [stack, gap] = [3.2 * size, 1.8 * size];
  const slot = (width - stack - gap) / heights.length;
  layOver(view.slider, 0, heights.length * slot);
  const isBroken = heights[1] > 0 && heights[0] > BROKEN * heights[1];
  const scale = (bottom - top) / (isBroken ? 1.55 * heights[1] : heights[0]);
  heights.forEach((sigma, i) => {
    const tall = Math.min(bottom - top, i < rank ? Math.max(2, scale * sigma) : 0);
    ink(context, theme.text, i < cut ? 0.9 : 0.2);
    context.fillRect(i * slot + 1, bottom - tall, slot - 2, tall);
    if (tall > 0) return;
    circle(context, (i + 0.5) * slot, bottom - 3, 2); // not a bar too small to see
    context.fill();
  });
  say(view.root, "bars", isBroken ? "first is taller" : "");
  if (isBroken) {
    ink(context, theme.background, 1, 5);
    trace(context, [-1, top + 30], [slot / 2, top + 22], [slot + 1, top + 30]).stroke();
    ink(context, theme.text);
    write(context, plain(heights[0]), 0, top - 4, "left", "bottom");
  }
  drawNumbers(context, ordinals(heights.length, heights.length / 5), (i) => (i - 0.5) * slot, bottom + 5, theme);
  paintStack(view, context, { x: width - stack, wide: stack, top, bottom });
  ink(context, theme.accent, 1, 2.5);
  const [x, middle] = [cut * slot, top + 0.4 * (bottom - top)];
  trace(context, [x, top - 8], [x, bottom]).stroke();
  circle(context, x, middle, 9);
  context.fill();
  if (x + 8 * size < width - stack) write(context, "drag the cut", x + 16, middle, "left", "middle");
}

function paintStack({ matrix: { heights }, theme, cut }, context, { x, wide, top, bottom }) {
  const scale = (bottom - top) / total(heights);
  let y = bottom;
  heights.forEach((sigma, i) => {
    const tall = scale * sigma;
    y -= tall;
    ink(context, theme.text, i < cut ? 0.9 : 0.08);
    context.fillRect(x, y, wide, tall > 2 ? tall - 1 : tall);
  });
  const kept = total(heights.slice(0, cut));
  ink(context, theme.accent);
  write(context, plain(kept), x + wide / 2, bottom - scale * kept - 4, "center", "bottom");
  ink(context, theme.text, 0.8);
  write(context, "stack", x + wide / 2, bottom + 5, "center", "top");
}

function readOut(view) {
  const { root, matrix: { heights, rank }, cut, slider } = view;
  const rest = total(heights.slice(cut).map((s) => s * s)) / total(heights.map((s) => s * s));
  const share = rest < 0.001 ? "less than 0.1 %" : format(rest, "percent");
  const missing = cut === rank ? "Nothing is missing." : `Still missing: <abbr title="${SHARE}">${share}</abbr> of the picture.`;
  const kept = plain(total(heights.slice(0, cut)));
  const sentence = `Up to the cut: <b>rank ${cut}</b>, the number of layers, and of independent rows. <b>Nuclear norm ${kept}</b>: their heights added up. <span>${missing}</span>`;
  const made = `<b>Press or drag in both strips.</b> Your layer and the picture agree in <b>${agreement(view.maker, view.picture)} of ${view.picture.length}</b> pixels. Can they be equal? Can a second layer be what is missing? <b>Then guess above.</b>`;
  root.querySelector(".note").innerHTML = view.isCovered ? made : sentence;
  say(root, "sum", view.isCovered ? "" : `${cut} of ${countNoun(rank, "layer")}`);
  slider.max = heights.length;
  slide(slider, cut, `${cut} of ${rank} layers, nuclear norm ${kept}`);
  Object.assign(root.dataset, { cut, norm: kept });
  view.sum.ariaLabel = view.isCovered ? "The picture" : `The sum of the first ${cut} layers`;
  view.fan.tabIndex = view.isCovered ? 0 : -1;
  view.fan.role = view.isCovered ? "application" : "img";
  view.fan.ariaLabel = view.isCovered
    ? "A layer: its column and its row. Arrows move, space sets a cell."
    : `${rank} layers, of which ${cut} are added up`;
  view.bars.ariaLabel = view.isCovered ? "What your layer leaves of the picture" : `Singular values: ${heights.slice(0, 5).map((s) => plain(s)).join(", ")}, …`;
}

// Each layer in its own scale, as a picture that can be drawn from the side.
function makeCards({ matrix, theme }) {
  return matrix.layers.map((layer) => {
    const [card, scale] = [new OffscreenCanvas(1, 1), 127 / largest(layer)];
    fillCells(card, [matrix.p, matrix.q], layer.map((entry) => entry * scale), theme.diverging);
    return card;
  });
}

export default toy(createView, (view, data) => {
  Object.assign(view, { knob: data.knob, own: data.own });
  const isNew = view.svd !== data.svd;
  if (isNew) {
    Object.assign(view, { svd: data.svd, reading: null });
    view.matrix = decode(data);
    view.matrix.layers = view.matrix.heights.map((_, i) => layerOf(view.matrix, i));
  }
  if (!isHeld(view)) view.cut = placeOf(data.knob);
  view.cut = Math.min(view.cut, view.matrix.rank);
  view.cards = makeCards(view);
}, { paint });
