// A row of knobs. While one moves, it sends the event "knob" to the pictures of the page: its key, its
// place among its values, `rests: false`; when the hand has let go, `rests: true`, and the script on the
// server runs with the new address. A picture turns a knob by the event "turn", and draws a curve into its
// groove by the event "groove": what the picture's own number is at each place.

import { element, listenTo, viewOf } from "../lib/dom.js";
import { makeHelp } from "../lib/help.js";
import { QUIET, listenToSettings, placeOf, turn } from "../lib/settings.js";

const GROOVE = `<svg xmlns="http://www.w3.org/2000/svg" class="groove" viewBox="0 0 1 1" preserveAspectRatio="none"><polyline/></svg>`;

function create(design) {
  const { key, label, hint, help, texts, disabled, explains } = design;
  const input = element("input", { type: "range", min: 0, max: texts.length - 1, "data-key": key });
  input.ariaLabel = hint ? `${label}, ${hint}` : label;
  input.disabled = Boolean(disabled);
  const output = element("output");
  const name = element("span", { class: "label" }, element("b", {}, label), element("i", {}, hint), output);
  if (explains && help) name.insertBefore(makeHelp(help, label), output);
  const root = element("div", { class: explains ? "slider" : "knob", title: explains ? "" : help }, name, input);
  const knob = { design, root, input, output, timer: 0, isAhead: false };
  listen(knob);
  return knob;
}

function draw({ design, input, output, groove }) {
  const place = placeOf(design);
  input.value = place;
  const [, count] = groove?.curve.find(([at]) => at === place) ?? [];
  const text = count ? `${design.texts[place]}: ${count} ${groove.unit}` : design.texts[place];
  output.textContent = input.ariaValueText = text;
}

// The curve on a logarithmic scale, as high as the knob.
function drawGroove(knob, { curve, unit }) {
  knob.groove = { curve, unit };
  const logs = curve.map(([, count]) => Math.log(count));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const x = (place) => place / (knob.design.texts.length - 1);
  const points = curve.map(([place], i) => `${x(place)},${1 - (logs[i] - low) / (high - low || 1)}`);
  knob.line ??= knob.root.appendChild(new DOMParser().parseFromString(GROOVE, "image/svg+xml").documentElement);
  knob.line.firstChild.setAttribute("points", points.join(" "));
  draw(knob);
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

function createRow(designs) {
  const row = { knobs: designs.map(create) };
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
    if (knob) drawGroove(knob, groove);
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
  const row = viewOf(parentElement, looks, () => createRow(data.knobs));
  row.knobs.forEach((knob, i) => {
    knob.design = data.knobs[i];
    draw(knob);
  });
}
