// Makes one entry in the browser's history of what a reader does at once. Streamlit pushes an entry
// for each parameter of the address, and two for a link with parameters, so that Back would take
// back the last of them only.

let pushed = -Infinity; // when the last entry was made
let acted = 0; // when the reader last did something
let last = location.search; // of the address that the page was told, or has written

const push = history.pushState.bind(history);
history.pushState = (...entry) => {
  const same = acted < pushed;
  pushed = performance.now();
  if (same) history.replaceState(...entry);
  else push(...entry);
  last = location.search;
};
for (const event of ["pointerdown", "keydown"]) {
  addEventListener(event, () => (acted = performance.now()), true);
}
// What the page then writes belongs to the entry that the reader has gone back to. The mark says that
// this address is newer than the page's own; that of a move may be older, if the page's last answer
// is still on its way.
addEventListener("popstate", () => {
  acted = performance.now();
  pushed = acted + 1;
  const mark = `${location.search ? "&" : "?"}back=1`;
  if (location.search !== last) history.replaceState(history.state, "", location.search + mark + location.hash);
  last = location.search;
}, true);
