// ---- panels --------------------------------------------------------------------------------

const PAINT = {
  ...{ picture: paintPicture, map: paintMap, bars: paintBars, lines: paintLines },
  ...{ stems: paintStems, curve: paintCurve, readout: paintReadout, sentence: paintSentence },
};
const DESCRIBE = {
  ...{ picture: describePicture, map: describeMap, bars: describeBars, lines: describeLines },
  ...{ stems: describeStems, curve: describeCurve },
};
const FRAME_UNDER = { map: cellUnder, lines: frameUnder }; // in these the pointer seeks

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A picture that is alone gets a column to itself; the numbers and every third of the other panels
// stand under it, which fills the two columns about evenly. The narrow page keeps the given order.
// Four or more are lower, and side by side where there is room; the rest then goes two and two, as
// does all where vectors are drawn.
// Four curves alone, and an even number of them below two pictures, stand in pairs.
function mountPanels(player, specs, shapeOf) {
  player.observer.disconnect();
  player.panels = specs.map((spec) =>
    (CREATE[spec.kind] ?? createCanvas)(spec, player, shapeOf),
  );
  player.panels.forEach(({ root }, i) => (root.style.order = i));
  const all = player.panels.map(({ root }) => root);
  const graphs = all.filter((root) => root.matches(".bars, .lines"));
  const beside = graphs.filter((_, i) => i % 3 !== 2);
  const pictures = all.filter((root) => root.matches(".picture")).length;
  const solo = graphs.length > 0 && pictures === 1;
  player.grid.classList.toggle("solo", solo);
  const vectors = all.some((root) => root.matches(".stems, .curve"));
  player.grid.classList.toggle("many", pictures > 3 || vectors);
  const four = graphs.length === 4 && all.length === 4;
  player.grid.classList.toggle("pairs", four || (pictures === 2 && graphs.length % 2 === 0));
  const main = all.filter((root) => !beside.includes(root));
  if (solo) all.splice(0, all.length, element("div", {}, ...main), element("div", {}, ...beside));
  player.grid.replaceChildren(...all);
}

function createReadout(spec) {
  const numbers = spec.fields.map(() => element("b"));
  const cells = spec.fields.map(({ label }, i) =>
    element("div", {}, element("span", {}, label), numbers[i]),
  );
  const root = element("section", { class: "readout" }, ...cells);
  root.style.setProperty("--columns", spec.columns ?? 3);
  return { spec, numbers, root };
}

function paintReadout({ spec, numbers }, { shown: run, frame }) {
  spec.fields.forEach((field, i) => {
    numbers[i].textContent = format(run.metrics[field.name][frame], field.format);
  });
}

// What happened in a frame, in words: the first case whose field has the value `is`.
function createSentence(spec) {
  return { spec, root: element("section", { class: "sentence" }) };
}

function paintSentence({ spec, root }, { shown: run, frame }) {
  const { text } = spec.cases.find(({ field, is }) => run.metrics[field][frame] === is) ?? {};
  root.textContent = text ? fill(text, run, frame) : "";
}

const CREATE = { readout: createReadout, sentence: createSentence };

function createCanvas(spec, player, shapeOf) {
  const canvas = element("canvas", { role: "img", "aria-label": spec.title });
  const tip = element("div", { class: "tip", hidden: "" });
  const head = element("header", {}, element("h3", {}, spec.title));
  const signs = spec.marks?.map(({ kind, label }) => `${MARKS[kind].sign} ${label}`);
  const legend = [...new Set(signs)];
  if (spec.kind === "map") legend.push(`↑ ${spec.rows.label}`, `→ ${spec.columns.label}`);
  if (spec.kind === "bars" && spec.behind) legend.push(`― ${spec.behind.label}`);
  if (spec.fields?.some(({ near }) => near)) legend.push(STAR, RING);
  if (spec.bands) legend.push(`▒ ± ${spec.bands.label}`);
  if (spec.levels) legend.push(`┄ ${spec.levels.label}`);
  if (spec.dots) legend.push(`○ ${spec.dots.label}`);
  head.append(element("span", {}, legend.join("  ")));
  const sheet = element("div", { class: "sheet" }, canvas, tip);
  const root = element("section", { class: spec.kind }, head, sheet);
  const panel = { spec, root, canvas, tip, pointer: null };
  const spare = () => new OffscreenCanvas(1, 1);
  if (spec.kind === "lines") panel.layers = [spare(), spare()];
  if (spec.kind === "picture" || spec.kind === "map") {
    const [p, q] = spec.kind === "map" ? cellsOf(panel) : shapeOf(spec.field);
    panel.cells = spare();
    root.style.setProperty("--aspect", q / p);
  }
  listen(player, panel);
  player.observer.observe(canvas);
  return panel;
}

function listen(player, panel) {
  const { canvas, spec } = panel;
  canvas.onpointermove = canvas.onpointerdown = (event) => {
    panel.pointer = [event.offsetX, event.offsetY];
    if (spec.kind in FRAME_UNDER && event.buttons === 1 && player.shown.count > 0) {
      canvas.setPointerCapture(event.pointerId);
      const frame = FRAME_UNDER[spec.kind](panel, player.shown, ...panel.pointer);
      if (frame !== null) seek(player, frame);
    }
    updateTip(player, panel);
  };
  canvas.onpointerleave = () => {
    panel.pointer = null;
    updateTip(player, panel);
  };
}

function updateTip(player, panel) {
  const { tip, pointer, canvas } = panel;
  const drawn = pointer && player.shown.count > 0;
  const text = drawn ? DESCRIBE[panel.spec.kind](panel, player, ...pointer) : "";
  tip.hidden = text === "";
  if (tip.hidden) return;
  tip.textContent = text;
  const [x, y] = pointer;
  const room = canvas.clientWidth - tip.offsetWidth;
  const beside = x > canvas.clientWidth / 2 ? x - 14 - tip.offsetWidth : x + 14;
  tip.style.transform = `translate(${Math.max(0, Math.min(beside, room))}px, ${y}px) translateY(-50%)`;
}
