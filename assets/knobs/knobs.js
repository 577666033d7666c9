// A row of knobs. While one moves, it sends the event "knob" to the pictures of the page: its key, its
// place among its values, `rests: false`; when the hand has let go, `rests: true`, and the script on the
// server runs with the new address. A picture turns a knob by the event "turn".

import { element, listenTo, viewOf } from "../lib/dom.js";
import { makeHelp } from "../lib/help.js";
import { QUIET, listenToSettings, placeOf, turn } from "../lib/settings.js";

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

function draw({ design, input, output }) {
  const place = placeOf(design);
  input.value = place;
  output.textContent = design.texts[place];
  input.ariaValueText = design.texts[place];
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
