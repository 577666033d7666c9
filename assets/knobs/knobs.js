// A row of knobs. While one moves, it sends the event "knob" to the pictures of the page: its key,
// its place among its values, the number of the move, `rests: false`; when the hand has let go,
// `rests: true`, and the script on the server runs with the new value. Back and Forward set knobs,
// and so does a picture, by the event "turn".

const rows = new WeakMap();
const QUIET = 400; // milliseconds after the last key press

function create({ key, label, hint, help, texts, at }) {
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
  return { key, texts, root, input, output: root.querySelector("output"), at, timer: 0 };
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

// Also where knobs went that the server has not answered yet: of messages that come together
// Streamlit passes on the last one.
function tell(row, places) {
  row.told = { ...row.told, ...places };
  sendMoved(row, row.told);
}

// The hand, or a picture, has the knob: it is ahead of the server.
function take(row, knob, place) {
  row.goingBack = null;
  knob.isAhead = true;
  draw(knob, place);
}

function listen(row, knob) {
  const { input } = knob;
  let dragging = false;
  const rest = () => {
    if (!knob.isAhead) return;
    knob.isAhead = false;
    const place = Number(input.value); // a picture may turn the knob as it hears of it
    announce(knob, true);
    tell(row, { [knob.key]: place });
  };
  knob.restIn = (wait) => {
    clearTimeout(knob.timer);
    knob.timer = setTimeout(rest, wait);
  };
  input.oninput = () => {
    take(row, knob, Number(input.value));
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

function onTurn(row, { detail: { key, place, rests } }) {
  const knob = row.knobs.find((each) => each.key === key);
  if (!knob || !row.root.isConnected) return;
  clearTimeout(knob.timer);
  take(row, knob, place);
  if (rests) knob.restIn(0);
  else announce(knob, false);
}

// Back and Forward.
async function onAddress(row) {
  const own = (row.goingBack = {}); // until Back is pressed again, or a knob is moved
  const parameters = new URLSearchParams(location.search);
  const moved = {};
  for (const knob of row.knobs) {
    const place = knob.texts.indexOf(parameters.get(knob.key));
    const at = place < 0 ? row.defaults[knob.key] : place;
    if (at !== (row.told[knob.key] ?? knob.at)) moved[knob.key] = at;
  }
  if (Object.keys(moved).length === 0) return;
  await scriptHasRun();
  if (row.root.isConnected && row.goingBack === own) tell(row, moved);
}

export default function ({ parentElement, data, setTriggerValue }) {
  let row = rows.get(parentElement);
  const design = JSON.stringify(data.knobs.map(({ at, ...rest }) => rest));
  if (row?.design !== design) {
    if (row) {
      removeEventListener("popstate", row.onAddress);
      document.removeEventListener("turn", row.onTurn);
      row.root.remove();
    }
    const root = document.createElement("div");
    root.className = "knobs";
    row = { design, root, knobs: data.knobs.map(create), told: {} };
    row.onAddress = () => onAddress(row);
    addEventListener("popstate", row.onAddress);
    row.onTurn = (event) => onTurn(row, event);
    document.addEventListener("turn", row.onTurn);
    for (const knob of row.knobs) listen(row, knob);
    root.append(...row.knobs.map((knob) => knob.root));
    parentElement.append(root);
    rows.set(parentElement, row);
  }
  row.send = setTriggerValue;
  row.defaults = Object.fromEntries(data.knobs.map((knob) => [knob.key, knob.default]));
  if (!isOld(row, data)) row.told = {};
  data.knobs.forEach(({ at }, i) => {
    const knob = row.knobs[i];
    knob.at = at;
    if (!knob.isAhead && !(knob.key in row.told)) draw(knob, at);
  });
}
