// Shows a page that is loaded afresh once its parts have found their places: Streamlit fetches what
// draws them one by one, and each would push the others aside in sight.

import { scriptState } from "../lib/pages.js";

const STILL = 90; // milliseconds without a change of height
const LONG_SCRIPT = 2500; // after which a page is shown while its script still runs
const PATIENCE = 5000;

const loading = { since: performance.now(), begun: null, height: null, still: 0 };
document.documentElement.classList.add("loading");

function settle() {
  const now = performance.now();
  if (document.querySelector(".stMain h1")) loading.begun ??= now;
  const rests = scriptState() === "notRunning" || now - loading.begun > LONG_SCRIPT;
  const height = document.querySelector(".stMain")?.scrollHeight;
  const waits = document.fonts.status !== "loaded" || document.querySelector(".stMain [data-testid=stSkeleton]");
  if (height !== loading.height || waits) loading.still = now;
  loading.height = height;
  const settled = loading.begun !== null && rests && now - loading.still > STILL;
  if (settled || now - loading.since > PATIENCE) document.documentElement.classList.remove("loading");
  else setTimeout(settle, 30);
}
settle();
