// Shows the section that the address names. Streamlit scrolls to it once, when its header appears, and
// whatever is drawn later above it would push it away.

const GROWS = 60_000; // ms after which a page that still grows is left alone

// By parameters, because decodeURIComponent throws at an address that ends in "50%".
const section = new URLSearchParams(`at=${location.hash.slice(1)}`).get("at");
if (section) keepAtTop();

// While the page grows, until the reader goes elsewhere.
function keepAtTop() {
  const hold = setInterval(() => document.getElementById(section)?.scrollIntoView(), 100);
  const stop = () => clearInterval(hold);
  for (const event of ["pointerdown", "wheel", "touchmove", "keydown"]) {
    addEventListener(event, stop, { capture: true, once: true });
  }
  setTimeout(stop, GROWS);
}

// Streamlit's link to the main content leads to the rail; the reader of a lesson goes on below it.
document.addEventListener("click", ({ target }) => {
  if (!target.closest?.('a[href="#stMain"]')) return;
  const content = document.querySelector(".st-key-idea") ?? document.querySelector("h1");
  setTimeout(() => Object.assign(content ?? {}, { tabIndex: -1 }).focus?.());
});
