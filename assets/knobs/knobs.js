// A row of knobs. While one moves, it sends the event "knob" to the pictures of the page: its key, its
// place among its values, `rests: false`; when the hand has let go, `rests: true`, and the script on the
// server runs with the new address. A picture turns a knob by the event "turn", and draws a curve into its
// groove by the event "groove": what the picture's own number is at each place.

import { readTheme } from "../lib/canvas.js";
import { element, listenTo, viewOf } from "../lib/dom.js";
import { drawGroove } from "../lib/groove.js";
import { makeHelp } from "../lib/help.js";
import { QUIET, listenToSettings, placeOf, turn } from "../lib/settings.js";

function create(design, groove) {
  const { key, label, hint, help, texts, disabled, explains } = design;
  const input = element("input", { type: "range", min: 0, max: texts.length - 1, "data-key": key });
  input.ariaLabel = hint ? `${label}, ${hint}` : label;
  input.disabled = Boolean(disabled);
  const output = element("output");
  const name = element("span", { class: "label" }, element("b", {}, label), element("i", {}, hint), output);
  if (explains && help) name.insertBefore(makeHelp(help, label), output);
  const canvas = key === groove && element("canvas", { class: "groove", role: "img" });
  const root = element("div", { class: explains ? "slider" : "knob", title: explains ? "" : help }, name, input, canvas || "");
  const knob = { design, root, input, output, canvas, timer: 0, isAhead: false };
  if (canvas) new ResizeObserver(() => drawCurve(knob)).observe(canvas);
  listen(knob);
  return knob;
}

function draw(knob) {
  const { design, input, output, groove } = knob;
  const place = placeOf(design);
  input.value = place;
  const [, count] = groove?.curve.find(([at]) => at === place) ?? [];
  output.textContent = design.texts[place];
  knob.note = count ? `${count} ${groove.unit}` : "";
  input.ariaValueText = [design.texts[place], knob.note].filter(Boolean).join(": ");
  drawCurve(knob);
}

// The curve on a logarithmic scale, from the lowest number to the highest.
function drawCurve({ design: { label, texts }, canvas, root, input, groove, note }) {
  if (!canvas?.clientWidth) return;
  canvas.hidden = !groove?.curve.length;
  if (canvas.hidden) return;
  const { curve, unit } = groove;
  const counts = curve.map(([, count]) => count);
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  canvas.ariaLabel = `${label}, ${unit} along it: ${low} to ${high}`;
  const points = curve.map(([place, count]) => [place / (texts.length - 1), Math.log(count / low) / (Math.log(high / low) || 1)]);
  const now = curve.findIndex(([place]) => place === Number(input.value));
  drawGroove(canvas, readTheme(root), { curves: [{ points }], now: points[now], note: [1, note] });
}

function announce({ design: { key }, input }, rests) {
  document.dispatchEvent(new CustomEvent("knob", { detail: { key, place: Number(input.value), rests } }));
}

// The hand, or a picture, has turned a knob.
function take(knob, place) {
  clearTimeout(knob.timer);
  knob.isAhead = true;
  turn([[knob.design, place]], false);
  draw(knob);
}

function rest(knob) {
  if (!knob.isAhead) return;
  knob.isAhead = false;
  turn([[knob.design, Number(knob.input.value)]], true);
  announce(knob, true); // as it hears of it, a picture may turn the knob again
}

function restIn(knob, wait) {
  clearTimeout(knob.timer);
  knob.timer = setTimeout(() => rest(knob), wait);
}

function listen(knob) {
  const { input } = knob;
  let dragging = false;
  input.oninput = () => {
    take(knob, Number(input.value));
    announce(knob, false);
    if (!dragging) restIn(knob, QUIET); // by the keyboard
  };
  input.onpointerdown = () => {
    dragging = true;
    clearTimeout(knob.timer);
  };
  input.onpointerup = input.onpointercancel = () => {
    dragging = false;
    restIn(knob, 0); // after the last input
  };
  input.onkeydown = (event) => event.stopPropagation(); // keys of the player, of Streamlit
}

function createRow({ knobs, groove }) {
  const row = { knobs: knobs.map((design) => create(design, groove)) };
  row.root = element("div", { class: "knobs" }, ...row.knobs.map(({ root }) => root));
  listenTo(row, "turn", ({ key, place, rests }) => {
    const knob = row.knobs.find(({ design }) => design.key === key);
    if (!knob) return;
    take(knob, place);
    if (rests) restIn(knob, 0);
    else announce(knob, false);
  });
  listenTo(row, "groove", ({ key, ...groove }) => {
    const knob = row.knobs.find(({ design }) => design.key === key);
    if (!knob) return;
    knob.groove = groove;
    draw(knob);
  });
  listenToSettings(row, () => {
    for (const knob of row.knobs) {
      clearTimeout(knob.timer);
      knob.isAhead = false;
      draw(knob);
    }
  });
  return row;
}

export default function ({ parentElement, data }) {
  const looks = data.knobs.map(({ at, ...rest }) => rest);
  const row = viewOf(parentElement, looks, () => createRow(data));
  row.knobs.forEach((knob, i) => {
    knob.design = data.knobs[i];
    draw(knob);
  });
}
