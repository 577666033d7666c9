// The settings of a page. The address holds them, and this file alone writes it: all controls and
// pictures set them here, and the page on the server reads the whole address in each of its runs.
//
// What a hand sets while it moves is a draft. When it rests, the draft goes into the address, as one
// entry in the history, and Streamlit is told that the reader has gone there, as by Back: it runs the
// page with this address.

import { sleep } from "./dom.js";
import { isOvertaken, pageTurns, scriptState } from "./pages.js";

// What a link says when the app is opened. The frame to begin with is no setting, and leaves the address.
export const link = new URLSearchParams(location.search);
if (link.has("frame")) {
  const url = new URL(location.href);
  url.searchParams.delete("frame");
  history.replaceState(history.state, "", url);
}

export const QUIET = 400; // ms after the last of several keys or clicks: then the hand rests

const draft = new Map(); // texts by key; null stands for the default, which is not in the address
const push = history.pushState.bind(history);
const replace = history.replaceState.bind(history);

// The text of a setting; null if it has its default. Some settings have several texts.
export const getAll = (key) =>
  draft.has(key) ? [draft.get(key) ?? []].flat() : new URLSearchParams(location.search).getAll(key);
export const get = (key) => getAll(key).at(-1) ?? null;

// The place of a setting among its texts; that of the page if a link has another text.
export function placeOf({ key, texts, at, default: usual }) {
  const text = get(key);
  const place = text === null ? usual : texts.indexOf(text);
  return place < 0 ? at : place;
}

// Set the places of settings: `changes` is a list of a setting and its place.
export function turn(changes, rests) {
  const textAt = ([{ key, texts, default: usual }, place]) => [key, place === usual ? null : texts[place]];
  set(Object.fromEntries(changes.map(textAt)), rests);
}

export function set(texts, rests = true) {
  for (const [key, text] of Object.entries(texts)) draft.set(key, text);
  if (rests) rest();
}

function rest() {
  const url = new URL(location.href);
  for (const [key, text] of draft) {
    if (typeof text === "string") url.searchParams.set(key, text); // in its place
    else url.searchParams.delete(key);
    for (const each of Array.isArray(text) ? text : []) url.searchParams.append(key, each);
  }
  draft.clear();
  if (url.search === location.search || pageTurns()) return;
  push(history.state, "", url);
  tellPage();
}

addEventListener("leave", rest); // what is a draft when a link is followed

// What was set just before a link is followed would be lost: Streamlit drops a run of this page for one
// of the next page. So the link waits until the page has heard, but not for long.
const LINK_WAITS = 1000; // ms
let waits = null; // the link

addEventListener("go", async (event) => {
  const end = performance.now() + LINK_WAITS;
  if (event.detail === waits || hasHeard()) return (waits = null);
  event.preventDefault();
  waits = event.detail;
  while (!hasHeard() && performance.now() < end) await sleep(20);
  if (event.detail === waits) waits.click();
});

// Call `react` when the settings have changed otherwise than by its own view: by Back, a preset, a link.
export function listenToSettings(view, react) {
  const listener = () => (view.root.isConnected ? react() : removeEventListener("settings", listener));
  addEventListener("settings", listener);
}

addEventListener("popstate", () => {
  draft.clear(); // Back has the last word
  if (missed.address !== location.href) missed = { address: location.href, times: 0 };
  dispatchEvent(new Event("settings"));
}, true);

// What Streamlit writes into the address of the page makes no entry; while a link is followed it is
// about the next page, whose address comes with its path.
history.pushState = (state, title, address) => {
  const isHere = new URL(address, location.href).pathname === location.pathname;
  if (!isHere) openPage(state, title, address);
  else if (!pageTurns()) replace(state, title, address);
};

// A page opens at its top, wherever the one before was left. A page that comes after Back is not opened.
function openPage(state, title, address) {
  if (isOvertaken(new URL(address, location.href).pathname)) return tellPage();
  draft.clear();
  push(state, title, address);
  document.querySelector(".stMain")?.scrollTo(0, 0);
}

// ---- whether the page has heard ------------------------------------------------------------

// A Back that comes while Streamlit still connects is not heard, and a message can be lost. The page
// says with each component which address it has read; if it rests at another one than this, it is told
// again, but not for ever.
const [LISTENING, ANSWER_TIME] = [1000, 10_000]; // ms
const MOST = 3; // times that it is told again
const told = new Map(); // the address that the page had read, by the components that it told, the newest last
let timer = 0;
let since = 0; // time at which it was last told
let missed = { address: "", times: 0 }; // the address that was told again, and how often

function tellPage() {
  since = performance.now();
  listen();
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}

function listen() {
  clearTimeout(timer);
  timer = setTimeout(check, LISTENING);
}

function check() {
  const state = scriptState();
  const isBusy = state === "running" || (state !== "notRunning" && performance.now() < since + ANSWER_TIME);
  if (isBusy || draft.size || pageTurns()) listen();
  else if (!hasHeard() && missed.times < MOST) {
    tellPage();
    missed.times += 1;
  }
}

function isHere(address) {
  const here = [...new URLSearchParams(location.search)].filter(([key]) => !key.startsWith("embed"));
  return String(here.sort()) === String([...address].sort());
}

export function hasHeard() {
  // A component of the page that was left may be drawn late; those of this page need not be drawn again.
  for (const element of told.keys()) if (!element.isConnected) told.delete(element);
  const last = [...told.values()].at(-1);
  return last === undefined || isHere(last);
}

// Of two calls to draw a component: the later one, unless only the other is of this address. For after Back
// the call of the run before may come last.
const newest = (before, api) => (before && isHere(before.data.address) && !isHere(api.data.address) ? before : api);

// What Streamlit calls to draw a component, which then speaks only while its page is here.
export const whileHere = (draw) => (call, before) => {
  const api = newest(before, call);
  const { address, ...data } = api.data;
  told.delete(api.parentElement);
  told.set(api.parentElement, address);
  listen();
  return draw({ ...api, data, setTriggerValue: (...news) => pageTurns() || api.setTriggerValue(...news) });
};
