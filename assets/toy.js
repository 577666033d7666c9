// What the pictures that one touches share. Each has a `paint`, and a `view` with its `root`.

// A section for each canvas, with its title and what is said beside it.
const sections = (titles) =>
  Object.entries(titles)
    .map(
      ([name, [title, text = ""]]) => `<section data-panel="${name}">
        <header><b>${title}</b> <span>${text}</span></header>
        <div class="sheet"><canvas role="img"></canvas></div>
      </section>`,
    )
    .join("");

const canvasOf = (root, name) => root.querySelector(`[data-panel=${name}] canvas`);
const say = (root, name, text) => (root.querySelector(`[data-panel=${name}] header span`).textContent = text);

// Put the picture on the page; it is painted again when its size changes.
function place(parent, name, html) {
  const root = document.createElement("div");
  root.className = `toy ${name}`;
  root.innerHTML = html;
  parent.append(root);
  return root;
}

const watchSize = (view) => new ResizeObserver(() => invalidate(view)).observe(view.root);

function invalidate(view) {
  view.ticket ||= requestAnimationFrame(() => {
    view.ticket = 0;
    if (view.root.isConnected) paint(view);
  });
}

// Letters on a canvas do not change by themselves.
function paintWithTheme(view) {
  view.theme = readTheme(view.root);
  invalidate(view);
  document.fonts.ready.then(() => {
    view.theme = readTheme(view.root);
    invalidate(view);
  });
}

// Whether the page says something that the hand has not told it: at first, by a link, or by Back.
function hasNews(view, said) {
  const isNew = !view.settling && String(said) !== view.known;
  view.known = String(said);
  return isNew;
}

const GREYS = colourTable(["#000000", "#ffffff"]);
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const total = (values) => values.reduce((sum, value) => sum + value, 0);
const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
