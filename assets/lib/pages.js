// What scripts share about the pages that a reader goes through.

import { sleep } from "./dom.js";

// What Streamlit's script does: "notRunning", "running", "rerunRequested", ...
export const scriptState = () => document.querySelector("[data-test-script-state]")?.dataset.testScriptState;

// Wait until a run that was just asked for has begun and ended.
export async function nextRun() {
  const end = performance.now() + 1000;
  while (scriptState() === "notRunning" && performance.now() < end) await sleep(20);
  while (["running", "rerunRequested"].includes(scriptState())) await sleep(20);
}

const LONGEST = 10_000; // ms; a run that brings no frame holds nothing else up for longer

const first = { path: "", comes: false, isDrawn: false }; // the first picture of this page
function now() {
  if (first.path !== location.pathname) Object.assign(first, { path: location.pathname, comes: false, isDrawn: false });
  return first;
}
export const expectPicture = () => (now().comes = true);
export const tellPicture = () => (now().isDrawn = true);

// Wait until the first picture of the page is seen, or until it is clear that none comes by itself.
export async function firstPicture() {
  let end = performance.now() + LONGEST;
  for (let idle = 0; idle < 10 && performance.now() < end; idle += 1) {
    await sleep(50);
    const { comes, isDrawn } = now();
    const isLoading = document.documentElement.matches(".loading");
    if (isLoading) end = performance.now() + LONGEST;
    const isHidden = scriptState() !== "notRunning" || isLoading;
    if (isDrawn && !isHidden) return;
    if (comes || isHidden || document.querySelector("[data-testid=stSkeleton]")) idle = 0;
  }
}

// When a component speaks, Streamlit reruns the page that it believes to be on. Until the server has
// answered a click on a link, that is the old page, and the rerun would undo the click.
const LINK_PATIENCE = 60_000; // ms; a server that is down does not turn the page at all
const LATE = 5000; // ms, in which a page may come that Back has overtaken
const aim = { at: -Infinity, path: "", overtaken: "" }; // where the last link leads

export const pageTurns = () => aim.path !== location.pathname && performance.now() < aim.at + LINK_PATIENCE;
export const isOvertaken = (path) => path === aim.overtaken;
addEventListener("popstate", () => {
  const overtaken = performance.now() < aim.at + LATE ? aim.path : "";
  Object.assign(aim, { at: -Infinity, overtaken }); // the back button overrides it
});
addEventListener("click", (event) => {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && opensHere(node));
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey); // else it opens elsewhere
  if (!link || !isPlain) return;
  dispatchEvent(new Event("leave"));
  // Whoever wants to hold the link follows it later.
  if (!dispatchEvent(new CustomEvent("go", { cancelable: true, detail: link }))) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  Object.assign(aim, { at: performance.now(), path: pathOf(link), overtaken: "" });
}, true);

// Streamlit's link to Home has no path, and would be one to the page itself.
function pathOf(link) {
  return /^($|\?)/.test(link.getAttribute("href")) ? new URL(".", location.href).pathname : link.pathname;
}

function opensHere({ origin, target, download }) {
  return origin === location.origin && target !== "_blank" && !download;
}
