// What scripts share about the pages that a reader goes through.

export const picture = { comes: false, isDrawn: false }; // the first one since the page was loaded

// Wait for the first picture of a page that has just been loaded, or until it is clear that the page
// draws none by itself.
export async function firstPicture() {
  for (let idle = 0; !picture.isDrawn && idle < 20; idle += 1) {
    await new Promise((wake) => setTimeout(wake, 50));
    const state = document.querySelector("[data-test-script-state]")?.dataset.testScriptState;
    if (picture.comes || state !== "notRunning" || document.querySelector("[data-testid=stSkeleton]")) idle = 0;
  }
}

// When a component speaks, Streamlit reruns the page that it believes to be on. Until the server has
// answered a click on a link, that is the old page, and the rerun would undo the click.
const LINK_PATIENCE = 60_000; // ms; a server that is down does not turn the page at all
const aim = { at: -Infinity, path: "" }; // where the last link leads

export const pageTurns = () => aim.path !== location.pathname && performance.now() < aim.at + LINK_PATIENCE;
// What Streamlit calls to draw a component, which then speaks only while its page is here.
export const whileHere = (draw) => (api) =>
  draw({ ...api, setTriggerValue: (...news) => pageTurns() || api.setTriggerValue(...news) });
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

// Keep an element at the top of the window while the page grows around it, until the reader goes
// elsewhere.
const GROWS = 60_000; // ms after which a page that still grows is left alone

export function keepAtTop(find) {
  const hold = setInterval(() => find()?.scrollIntoView(), 100);
  const stop = () => clearInterval(hold);
  for (const event of ["pointerdown", "wheel", "touchmove", "keydown"]) {
    addEventListener(event, stop, { capture: true, once: true });
  }
  setTimeout(stop, GROWS);
}
