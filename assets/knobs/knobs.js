// A row of knobs. While one moves, it sends the event "knob" to the pictures of the page: its key,
// its place among its values, the number of the move, `rests: false`; when the hand has let go,
// `rests: true`, and the script on the server runs with the new value. A picture turns a knob by the
// event "turn".

import { listenTo } from "../lib/dom.js";
import { hear, next, sendMoved } from "../lib/moved.js";

const rows = new WeakMap();
const QUIET = 400; // milliseconds after the last key press

function create({ key, label, hint, help, texts }) {
  const root = document.createElement("label");
  root.className = "knob";
  root.title = help;
  root.innerHTML = `<span class="label"><b></b><i></i><output></output></span><input type="range" min="0">`;
  root.querySelector("b").textContent = label;
  root.querySelector("i").textContent = hint;
  const input = root.querySelector("input");
  input.dataset.key = key;
  input.max = texts.length - 1;
  input.ariaLabel = hint ? `${label}, ${hint}` : label;
  return { key, texts, root, input, output: root.querySelector("output"), timer: 0 };
}

function draw(knob, at) {
  knob.input.value = at;
  knob.output.textContent = knob.texts[at];
  knob.input.ariaValueText = knob.texts[at];
}

function announce(knob, rests) {
  const detail = { key: knob.key, place: Number(knob.input.value), number: next(), rests };
  document.dispatchEvent(new CustomEvent("knob", { detail }));
}

// The hand, or a picture, has the knob: it is ahead of the server.
function take(knob, place) {
  knob.isAhead = true;
  draw(knob, place);
}

function listen(row, knob) {
  const { input } = knob;
  let dragging = false;
  const rest = () => {
    if (!knob.isAhead) return;
    const ahead = row.knobs.filter(({ isAhead }) => isAhead).map(({ key, input }) => [key, Number(input.value)]);
    knob.isAhead = false; // a picture may turn the knob as it hears of it
    announce(knob, true);
    sendMoved(row, Object.fromEntries(ahead));
  };
  knob.restIn = (wait) => {
    clearTimeout(knob.timer);
    knob.timer = setTimeout(rest, wait);
  };
  input.oninput = () => {
    take(knob, Number(input.value));
    announce(knob, false);
    if (!dragging) knob.restIn(QUIET); // by the keyboard
  };
  input.onpointerdown = () => {
    dragging = true;
    clearTimeout(knob.timer);
  };
  input.onpointerup = input.onpointercancel = () => {
    dragging = false;
    knob.restIn(0); // after the last input
  };
  input.onkeydown = (event) => event.stopPropagation(); // keys of the player, of Streamlit
}

function turn(row, { key, place, rests }) {
  const knob = row.knobs.find((each) => each.key === key);
  if (!knob) return;
  clearTimeout(knob.timer);
  take(knob, place);
  if (rests) knob.restIn(0);
  else announce(knob, false);
}

function createRow(parent, design, knobs) {
  const root = document.createElement("div");
  root.className = "knobs";
  const row = { design, root, knobs: knobs.map(create) };
  for (const knob of row.knobs) listen(row, knob);
  root.append(...row.knobs.map((knob) => knob.root));
  parent.append(root);
  listenTo(row, "turn", (detail) => turn(row, detail));
  rows.set(parent, row);
  return row;
}

export default function ({ parentElement, data, setTriggerValue }) {
  let row = rows.get(parentElement);
  const design = JSON.stringify(data.knobs.map(({ at, ...rest }) => rest));
  if (row?.design !== design) {
    row?.root.remove();
    row = createRow(parentElement, design, data.knobs);
  }
  row.send = setTriggerValue;
  hear(row, data);
  data.knobs.forEach(({ at }, i) => {
    const knob = row.knobs[i];
    if (!knob.isAhead && !row.unheard?.[knob.key]) draw(knob, at);
  });
}
