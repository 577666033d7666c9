// Makes one entry in the browser's history of what a reader does at once. Streamlit pushes an entry
// for each parameter of the address, so that Back, after a preset, would take back its last one only.

const entry = { at: -Infinity, path: "" }; // the one before
let acted = -Infinity; // when the reader last did something

const push = history.pushState.bind(history);
history.pushState = (state, unused, address) => {
  const path = new URL(address ?? location.href, location.href).pathname;
  const same = path === entry.path && acted < entry.at;
  Object.assign(entry, { at: performance.now(), path });
  if (same) history.replaceState(state, unused, address);
  else push(state, unused, address);
};
for (const event of ["pointerdown", "keydown", "popstate"]) {
  addEventListener(event, () => (acted = performance.now()), true);
}
