// A panel: a canvas with its title, legend and what is said of the cell below the pointer, or numbers.

import { element } from "../lib/dom.js";
import { RING, STAR, inFull } from "../lib/lines.js";
import { format } from "../lib/numbers.js";
import { shapeOf } from "../lib/pictures.js";
import { QUIET } from "../lib/settings.js";
import { mayLook, seek } from "./seek.js";

const ARROWS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

// What a picture shows now, in words, for those who do not see it.
export function describe({ spec, canvas, vectors = [] }, { shown: run, frame }) {
  const zeros = (values) => values.filter((value) => value === 0).length;
  const now = vectors.map(({ label, values }) => `${label}: ${zeros(values)} of ${values.length} are 0`);
  if (spec.kind === "picture") now.push(`${shapeOf(run, spec.field).join(" × ")} entries`);
  if (spec.kind === "lines")
    for (const { name, label } of spec.fields) now.push(`${label} ${format(run.metrics[name][frame], "number")}`);
  canvas.ariaLabel = [spec.title, ...inFull(run, frame), ...now].join(", ");
}

export function createReadout(spec) {
  const numbers = spec.fields.map(() => element("b"));
  const cells = spec.fields.map(({ label }, i) =>
    element("span", {}, label ? `${label} ` : "", numbers[i]),
  );
  const root = element("section", { class: "readout" }, ...cells);
  return { spec, numbers, root };
}

export function paintReadout({ spec, numbers }, { shown: run, frame }) {
  spec.fields.forEach((field, i) => {
    numbers[i].textContent = format(run.metrics[field.name][frame], field.format);
  });
}

export function createCanvas(spec, player, shapeOf) {
  const canvas = element("canvas", { role: "img", "aria-label": spec.title });
  const tip = element("div", { class: "tip", hidden: "" });
  const head = element("header", {}, element("h2", { class: "title" }, spec.title));
  const legend = (spec.marks ?? []).map(({ label }) => `▲ ${label}`);
  if (spec.fields?.some(({ near }) => near)) legend.push(STAR, RING);
  if (spec.note) legend.push(spec.note);
  if (spec.dots) legend.push(`● ${spec.dots.label}`);
  if (legend.length) head.append(element("span", {}, legend.join("  ")));
  const sheet = element("div", { class: "sheet" }, canvas, tip);
  const root = element("section", { class: spec.kind }, head, sheet);
  const panel = { spec, root, sheet, canvas, tip, pointer: null };
  if (spec.numbers?.length) {
    panel.numbers = createReadout({ fields: spec.numbers });
    head.append(panel.numbers.root);
  }
  if (spec.kind === "picture") {
    const [p, q] = shapeOf(spec.field);
    panel.cells = new OffscreenCanvas(1, 1);
    panel.aspect = Math.min(3, Math.max(0.35, q / p)); // a few columns, or rows, are enlarged
  }
  listen(player, panel);
  player.observer.observe(canvas);
  return panel;
}

function listen(player, panel) {
  const { canvas } = panel;
  canvas.onpointermove = canvas.onpointerdown = (event) => {
    panel.pointer = [event.offsetX, event.offsetY];
    const { frameUnder } = panel.kind;
    if (frameUnder && event.buttons === 1 && player.shown.count > 0) {
      canvas.setPointerCapture(event.pointerId);
      seek(player, frameUnder(panel, player.shown, event.offsetX));
    }
    updateTip(player, panel);
  };
  canvas.onpointerleave = () => {
    panel.pointer = null;
    updateTip(player, panel);
  };
}

// A handle over the canvas, as another hand on the knob of a setting that moves: `placeUnder` finds the
// place of a pointer among the values of the setting. The arrow keys move it by one place.
export function addHandle(panel, player, name, placeUnder) {
  const handle = element("div", { class: "handle", role: "slider", tabindex: 0 });
  panel.sheet.append(handle);
  let timer = 0;
  const turn = (place, rests) => {
    const { key } = player.data.moves[name];
    document.dispatchEvent(new CustomEvent("turn", { detail: { key, place, rests } }));
  };
  const follow = (event, rests) => turn(placeUnder(event, player.data.moves[name].values), rests);
  handle.onpointerdown = (event) => {
    if (event.button > 0 || !mayLook(player)) return;
    event.preventDefault();
    handle.focus({ preventScroll: true, focusVisible: false });
    handle.setPointerCapture(event.pointerId);
  };
  handle.onpointermove = (event) => handle.hasPointerCapture(event.pointerId) && follow(event, false);
  handle.onlostpointercapture = (event) => follow(event, true);
  handle.onkeydown = (event) => {
    const by = ARROWS[event.key];
    if (!by || !mayLook(player)) return;
    event.preventDefault();
    event.stopPropagation(); // keys of the player
    const { key, values } = player.data.moves[name];
    const place = Math.max(0, Math.min(values.length - 1, player.places[key] + by));
    turn(place, false);
    clearTimeout(timer);
    timer = setTimeout(() => turn(place, true), QUIET);
  };
  return handle;
}

export function updateTip(player, panel) {
  const { tip, pointer, canvas } = panel;
  const drawn = pointer && player.shown.count > 0;
  const text = drawn ? panel.kind.describe(panel, player, ...pointer) : "";
  tip.hidden = text === "";
  if (tip.hidden) return;
  tip.textContent = text;
  const [x, y] = pointer;
  const room = canvas.clientWidth - tip.offsetWidth;
  const beside = x > canvas.clientWidth / 2 ? x - 14 - tip.offsetWidth : x + 14;
  tip.style.transform = `translate(${Math.max(0, Math.min(beside, room))}px, ${y}px) translateY(-50%)`;
}
