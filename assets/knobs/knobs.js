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
  return { key, texts, root, input, output: root.querySelector("output"), committed: at, timer: 0 };
}

function draw(knob, at) {
  knob.input.value = at;
  knob.output.textContent = knob.texts[at];
  knob.input.ariaValueText = knob.texts[at];
}

let number = 0; // of the last move; it grows, also over a reload

function announce(knob, rests) {
  number = Math.max(number + 1, Date.now());
  knob.isAhead = !rests;
  const detail = { key: knob.key, place: Number(knob.input.value), number, rests };
  document.dispatchEvent(new CustomEvent("knob", { detail }));
}

function listen(row, knob) {
  const { input } = knob;
  const rest = () => {
    clearTimeout(knob.timer);
    knob.timer = 0;
    const place = Number(input.value);
    if (place === knob.committed && !knob.isAhead) return; // it may have been away, and come back
    knob.committed = place;
    announce(knob, true);
    row.send("moved", { [knob.key]: place, number });
  };
  knob.restIn = (wait) => {
    clearTimeout(knob.timer);
    knob.timer = setTimeout(rest, wait);
  };
  input.oninput = () => {
    Object.assign(row, { turning: false, goingBack: null }); // the hand has it
    draw(knob, Number(input.value));
    announce(knob, false);
    if (!row.dragging) knob.restIn(QUIET); // by the keyboard
  };
  input.onpointerdown = () => {
    row.dragging = true;
    clearTimeout(knob.timer);
  };
  input.onpointerup = input.onpointercancel = () => {
    row.dragging = false;
    knob.restIn(0); // after the last input
  };
  input.onkeydown = (event) => event.stopPropagation(); // keys of the player, of Streamlit
}

function onTurn(row, { detail: { key, place, rests } }) {
  const knob = row.knobs.find((each) => each.key === key);
  if (!knob || !row.root.isConnected) return;
  Object.assign(row, { turning: !rests, goingBack: null });
  clearTimeout(knob.timer);
  draw(knob, place);
  if (rests) knob.restIn(0);
  else announce(knob, false);
}

// Back and Forward. Streamlit sets its own controls first: a run of the script with their old values
// would write these into the address again.
async function onAddress(row) {
  const own = (row.goingBack = {}); // until Back is pressed again, or a knob is moved
  const parameters = new URLSearchParams(location.search);
  const moved = {};
  for (const knob of row.knobs) {
    const place = knob.texts.indexOf(parameters.get(knob.key));
    const at = place < 0 ? row.defaults[knob.key] : place;
    if (at !== knob.committed) moved[knob.key] = at;
  }
  if (Object.keys(moved).length === 0) return;
  await scriptHasRun();
  if (row.root.isConnected && row.goingBack === own) row.send("moved", moved);
}

const START = 400; // milliseconds in which a run of the script begins

async function scriptHasRun() {
  const app = document.querySelector("[data-test-script-state]");
  const rests = () => app?.dataset.testScriptState === "notRunning";
  const wait = () => new Promise((wake) => setTimeout(wake, 30));
  for (let waited = 0; rests() && waited < START; waited += 30) await wait();
  while (!rests()) await wait();
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
    row = { design, root, knobs: data.knobs.map(create), dragging: false };
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
  data.knobs.forEach(({ at }, i) => {
    const knob = row.knobs[i];
    if (row.dragging || row.turning || knob.timer) return; // the hand is ahead of the server
    knob.committed = at;
    draw(knob, at);
  });
}
