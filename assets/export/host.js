// Draws a saved page: calls its components as Streamlit does, and answers the address as the app would,
// from what was recorded (see pages/export).

import { element } from "../lib/dom.js";
import { getAll, set, whileHere } from "../lib/settings.js";

const { page } = window.saved;
const root = document.documentElement;
const drawn = []; // what draws a part of the page, by its name: [name, draw]
const APP = "pip install -r requirements.txt, then streamlit run app.py";
const note = element("p", { class: "from-file", role: "status" });

// ---- what the page is at an address --------------------------------------------------------

const isRun = (value) => typeof value === "string" && value.startsWith("/runs/");
const canonical = (texts) => JSON.stringify(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
const states = Object.keys(page.together).flatMap((state) => JSON.parse(state).map(([key]) => key));
const recorded = new Set([...Object.keys(page.patches), ...states]);

// The settings that differ from those where the page was recorded, among those that it reads.
function differing() {
  const texts = {};
  for (const key of recorded) {
    const text = getAll(key).at(-1) ?? page.defaults[key] ?? null;
    if (text !== (page.texts[key] ?? null)) texts[key] = text;
  }
  return texts;
}

// The changes at other settings; null if they were not recorded.
function changesAt(texts) {
  const whole = page.together[canonical(texts)];
  if (whole) return whole;
  const runs = new Map();
  const all = [];
  for (const [key, text] of Object.entries(texts)) {
    const patch = page.patches[key]?.[text];
    if (!patch) return null;
    for (const [path, value] of patch) {
      const place = JSON.stringify(path);
      if (isRun(value) && runs.has(place) && runs.get(place) !== value) return null;
      if (isRun(value)) runs.set(place, value);
    }
    all.push(...patch);
  }
  return all;
}

function partsWith(changes) {
  const parts = structuredClone(page.parts);
  for (const [path, value] of changes) {
    const inner = path.slice(0, -1).reduce((part, step) => part?.[step], parts);
    if (inner) inner[path.at(-1)] = structuredClone(value);
  }
  return parts;
}

// The run of a player while a knob moves: the values are those of the settings, by their names in the run.
window.saved.runAt = (values) => {
  const part = Object.values(page.parts).find(({ moves }) => moves);
  const texts = differing();
  for (const [name, { key, values: all }] of Object.entries(part.moves)) {
    const text = page.places[key]?.[all.indexOf(values[name])];
    if (text === page.texts[key]) delete texts[key];
    else if (text !== undefined) texts[key] = text;
  }
  const changes = changesAt(texts);
  return changes && Object.values(partsWith(changes)).find(({ moves }) => moves)?.url;
};

// ---- what the reader does ------------------------------------------------------------------

let before = {};

// Two settings at once that were not recorded together: the one that was moved last holds.
function follow() {
  const now = differing();
  const moved = Object.keys(now).filter((key) => now[key] !== before[key]);
  before = now;
  if (changesAt(now)) return draw(changesAt(now));
  const isKnown = (keys) => keys.length && changesAt(Object.fromEntries(keys.map((key) => [key, now[key]])));
  const kept = [moved, moved.slice(-1)].find(isKnown); // a link may move several
  if (kept) {
    goBack(Object.keys(now).filter((key) => !kept.includes(key)));
    note.textContent = "This file has the results for one setting at a time: the others went back. The app has them all.";
  } else {
    goBack(moved);
    note.textContent = `This needs the app: ${APP}.`;
  }
}
addEventListener("popstate", follow);

// The page follows the address once more.
const goBack = (keys) => set(Object.fromEntries(keys.map((key) => [key, page.query[key] ?? null])));

function draw(changes) {
  note.textContent = "";
  const parts = partsWith(changes);
  window.saved.drawn = parts;
  for (const [name, show] of drawn) show(parts[name]);
}

// ---- the page ------------------------------------------------------------------------------

const classOf = (key) => (key ? ` st-key-${key.replace(/[^\w-]/g, "-")}` : "");
const KINDS = { row: "stHorizontalBlock", column: "stColumn stVerticalBlock" };

function build(node) {
  if (node.component) return buildComponent(node);
  if (node.header) return element(`h${node.level}`, {}, node.header);
  if (node.details) return element("details", {}, element("summary", {}, node.details), ...node.in.map(build));
  if (node.link !== undefined) return buildLink(node);
  if (node.text) {
    const text = element("div", { class: `stElementContainer stMarkdown${node.caption ? " caption" : ""}` });
    drawn.push([node.text, (html) => (text.innerHTML = html)]);
    return text;
  }
  const box = element("div", { class: (KINDS[node.box] ?? "stVerticalBlock") + classOf(node.key) }, ...node.in.map(build));
  if (node.weight) box.style.setProperty("--weight", node.weight);
  // As Streamlit nests them.
  return node.box === "column" ? box : element("div", { "data-testid": "stLayoutWrapper" }, box);
}

// A link to a page of the course leads to its file, if it lies beside this one.
function buildLink({ link, text }) {
  const file = page.course[link];
  const node = element(file ? "a" : "span", file ? { href: file } : {});
  node.innerHTML = text;
  return element("div", { class: "stElementContainer stPageLink" }, node);
}

function buildComponent({ component: name, key, script, css }) {
  const place = element("div", { class: `stElementContainer component${classOf(key)}` });
  const parentElement = element("div");
  place.attachShadow({ mode: "open" }).append(element("style", {}, css), parentElement);
  const loaded = import(`smm/${script}`);
  drawn.push([
    name,
    async (part) => {
      const { default: show } = await loaded;
      const address = [...new URLSearchParams(location.search)];
      whileHere(show)({ parentElement, data: { ...part, address }, setTriggerValue: () => {}, setStateValue: () => {} });
    },
  ]);
  return place;
}

function setTheme(isDark) {
  root.classList.toggle("dark", isDark);
  root.classList.toggle("light", !isDark);
  follow();
}

const block = document.querySelector(".stVerticalBlock");
const toggle = element("button", {}, "Light / dark");
toggle.onclick = () => setTheme(!root.classList.contains("dark"));
block.querySelector(".bar").append(note, toggle); // where the note is seen from every knob
block.append(...page.tree.map(build));
block.append(element("p", { class: "from-file" }, `Saved from the app, which has more parts of this page, new data, your own data and all settings: ${APP}.`));
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
