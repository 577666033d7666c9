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

function mountPanels(player, specs, more, shapeOf) {
  player.observer.disconnect();
  const create = (spec) => (CREATE[spec.kind] ?? createCanvas)(spec, player, shapeOf);
  const [first, rest] = [specs.map(create), more.map(create)];
  player.panels = [...first, ...rest];
  player.stagePanels = first.filter(({ canvas }) => canvas);
  const words = first.filter(({ spec }) => ["sentence", "decision"].includes(spec.kind));
  const numbers = first.filter(({ spec }) => spec.kind === "readout");
  const roots = (panels) => panels.map(({ root }) => root);
  player.grid.replaceChildren(...roots(player.stagePanels));
  player.root.querySelector(".numbers").replaceChildren(...roots(numbers));
  player.root.querySelector(".words").replaceChildren(...roots(words));
  player.more.replaceChildren(...roots(rest));
  player.more.parentElement.hidden = rest.length === 0;
  layOut(player);
}

// What a picture shows now, in words, for those who do not see it.
function describe({ spec, canvas, values, unit }, { shown: run, frame }) {
  const at = `${inFull(run, frame).join(", ")}`;
  const lines = spec.kind === "lines" ? spec.fields : [];
  const now = lines.map(({ name, label }) => `${label} ${format(run.metrics[name][frame], spec.format ?? "number")}`);
  if (spec.kind === "picture") {
    const [rows, columns] = shapeOf(run, spec.field);
    const shown = [...values].filter((value) => value !== EMPTY).map((value) => value * unit);
    now.push(`${rows} × ${columns} entries from ${plain(Math.min(...shown))} to ${plain(Math.max(...shown))}`);
  }
  if (spec.kind === "bars") {
    const zeros = values.filter((value) => Math.abs(value) <= NOTHING * Math.max(...values)).length;
    now.push(`${values.length} values, the largest ${plain(Math.max(...values))}, ${zeros} of them 0`);
  }
  if (spec.kind === "map") now.push(`${spec.label} ${format(run.metrics[spec.field][frame], spec.format)}`);
  canvas.ariaLabel = `${spec.title}, ${at}: ${now.join(", ")}`;
}

function createReadout(spec) {
  const numbers = spec.fields.map(() => element("b"));
  const cells = spec.fields.map(({ label }, i) =>
    element("span", {}, label ? `${label} ` : "", numbers[i]),
  );
  const root = element("section", { class: "readout" }, ...cells);
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
  const head = element("header", {}, element("h2", { class: "title" }, spec.title));
  const signs = spec.marks?.map(({ kind, label }) => `${MARKS[kind].sign} ${label}`);
  const legend = [...new Set(signs)];
  if (spec.kind === "map") legend.push(`↑ ${spec.rows.label}`, `→ ${spec.columns.label}`);
  if (spec.kind === "bars" && spec.behind) legend.push(`― ${spec.behind.label}`);
  if (spec.fields?.some(({ near }) => near)) legend.push(STAR, RING);
  if (spec.bands) legend.push(`▒ ± ${spec.bands.label}`);
  if (spec.levels) legend.push(`┄ ${spec.levels.label}`);
  if (spec.dots) legend.push(`○ ${spec.dots.label}`);
  if (legend.length) head.append(element("span", {}, legend.join("  ")));
  const sheet = element("div", { class: "sheet" }, canvas, tip);
  const root = element("section", { class: spec.kind }, head, sheet);
  const panel = { spec, root, sheet, canvas, tip, pointer: null, bare: spec.bare, aspect: 1 };
  if (spec.numbers?.length) {
    panel.numbers = createReadout({ fields: spec.numbers });
    head.append(panel.numbers.root);
  }
  const spare = () => new OffscreenCanvas(1, 1);
  if (spec.kind === "lines") panel.layers = [spare(), spare()];
  if (spec.kind === "picture" || spec.kind === "map") {
    const [p, q] = spec.kind === "map" ? cellsOf(panel) : shapeOf(spec.field);
    panel.cells = spare();
    // A few columns, or rows, are enlarged.
    panel.aspect = Math.min(3, Math.max(0.35, q / p));
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
