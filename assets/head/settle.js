// Shows a page that is loaded afresh once its parts have found their places: Streamlit fetches what
// draws them one by one, and each would push the others aside in sight. Fonts of icons, slanted letters
// and code come after the first picture: they would be a third of all that is fetched before it.

import { sleep } from "../lib/dom.js";
import { firstPicture, scriptState } from "../lib/pages.js";

const ICONS = '1em "Material Symbols Rounded"';
const OTHERS = { em: 'italic 1em "Source Sans"', code: '1em "Source Code Pro"' };
const FONTS_WAIT = 3000; // ms, for a picture that a busy server is late with
const STILL = 90; // milliseconds without a change of height
const LONG_SCRIPT = 2500; // after which a page is shown while its script still runs
const PATIENCE = 5000;

const loading = { since: performance.now(), begun: null, height: null, still: 0 };
const root = document.documentElement;
root.classList.add("loading", "early");

function settle() {
  const now = performance.now();
  if (document.querySelector(".stMain h1")) loading.begun ??= now;
  const rests = scriptState() === "notRunning" || now - loading.begun > LONG_SCRIPT;
  const height = document.querySelector(".stMain")?.scrollHeight;
  const waits = document.fonts.status !== "loaded" || document.querySelector(".stMain [data-testid=stSkeleton]");
  if (height !== loading.height || waits) loading.still = now;
  loading.height = height;
  const settled = loading.begun !== null && rests && now - loading.still > STILL;
  if (settled || now - loading.since > PATIENCE) root.classList.remove("loading");
  else setTimeout(settle, 30);
}
settle();

const load = document.fonts.load.bind(document.fonts);
const late = loadLateFonts();
document.fonts.load = (...which) => late.then(() => load(...which)); // Streamlit asks for icons at once

async function loadLateFonts() {
  while (root.matches(".loading")) await sleep(30);
  await Promise.race([firstPicture(), sleep(FONTS_WAIT)]);
  const others = Object.keys(OTHERS).filter((name) => document.querySelector(name));
  const come = Promise.allSettled([ICONS, ...others.map((name) => OTHERS[name])].map((font) => load(font)));
  await Promise.race([come, sleep(PATIENCE)]);
  root.classList.remove("early");
}
