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

// When a component speaks, Streamlit reruns the page that it believes to be on. Until the server has
// answered a click on a link, that is the old page, and the rerun would undo the click.
const LINK_PATIENCE = 60_000; // ms; a server that is down does not turn the page at all
const aim = { at: -Infinity, path: "" }; // where the last link leads

window.pageTurns = () => aim.path !== location.pathname && performance.now() < aim.at + LINK_PATIENCE;
// What Streamlit calls to draw a component, which then speaks only while its page is here.
window.whileHere = (draw) => (api) =>
  draw({ ...api, setTriggerValue: (...news) => window.pageTurns() || api.setTriggerValue(...news) });
addEventListener("popstate", () => (aim.at = -Infinity)); // the back button overrides it
addEventListener("click", (event) => {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && opensHere(node));
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey); // else it opens elsewhere
  if (link && isPlain) Object.assign(aim, { at: performance.now(), path: pathOf(link) });
}, true);

// Streamlit's link to Home is empty, and would be one to the page itself.
function pathOf(link) {
  return link.getAttribute("href") === "" ? new URL(".", location.href).pathname : link.pathname;
}

function opensHere({ origin, target, download }) {
  return origin === location.origin && target !== "_blank" && !download;
}
