// Makes one entry in the browser's history of what a reader does at once. Streamlit pushes an entry
// for each parameter of the address, so that Back, after a preset, would take back its last one only.

let last = { at: -Infinity, path: "" }; // the entry before
let acted = -Infinity; // when the reader last did something
const TOGETHER = 1000; // ms between the parameters of one preset, on a slow machine

function merge() {
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, address) => {
    const now = performance.now();
    const path = new URL(address ?? location.href, location.href).pathname;
    const same = path === last.path && now < last.at + TOGETHER && acted < last.at;
    last = { at: now, path };
    if (same) history.replaceState(state, unused, address);
    else push(state, unused, address);
  };
  for (const event of ["pointerdown", "keydown", "popstate"]) {
    addEventListener(event, () => (acted = performance.now()), true);
  }
}

let merging = false;

export default function () {
  if (!merging) merge();
  merging = true;
}
