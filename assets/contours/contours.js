// The contours of a least-squares loss, dragged over a ball: the touching point follows at once.
//
// Streamlit calls the default export again whenever data or theme change, on the same DOM: the
// state lives in `views`, keyed by the parent element. What was dragged is told to the page at the
// end of the drag, by the trigger "moved"; the page's answer is the same values. The page's sliders
// tell it when they are let go; until then the picture follows what they show.

const views = new WeakMap();
const CELLS = 200; // along each side of the map
const FEWER = 80; // while the contours turn, and it changes with each paint
const MARGIN = 0.25; // of the plane, around the square of minima
const SHORT = 0.5; // the short half axis of the contour with the handle
const PATIENCE = 2_000; // ms, for the page's answer to a drag

const SKELETON = `
  <div class="sheet">
    <canvas></canvas>
    <div class="handle" data-handle="minimum" tabindex="0" role="slider"></div>
    <div class="handle" data-handle="axis" tabindex="0" role="slider"></div>
  </div>
  <div class="key">
    <span><i class="first"></i>minima with θ̂₁ = 0</span>
    <span><i class="second"></i>minima with θ̂₂ = 0</span>
  </div>
  <dl>
    <div><dt>minimum θ<sub>LS</sub></dt><dd data-field="minimum"></dd></div>
    <div><dt>touching point θ̂</dt><dd data-field="point"></dd></div>
    <div><dt>zeros in θ̂</dt><dd data-field="zeros"></dd></div>
    <div><dt>minima that give a zero</dt><dd data-field="share"></dd></div>
  </dl>
  <p class="note" role="status"></p>`;

function createView(parent) {
  const root = document.createElement("div");
  root.className = "contours";
  root.innerHTML = SKELETON;
  const view = {
    root,
    canvas: root.querySelector("canvas"),
    handles: Object.fromEntries(
      [...root.querySelectorAll(".handle")].map((handle) => [handle.dataset.handle, handle]),
    ),
    dragged: null, // the name of the handle
    settling: 0, // the timer since the last key
    flipped: false, // whether the handle of the axis is at its other end
    asked: null, // what was told to the page, until it answers
  };
  view.handles.minimum.ariaLabel = "Minimum of the loss; arrow keys move it, with Shift in small steps";
  view.handles.axis.ariaLabel = "Long axis of the contours; left and right turn it, up and down stretch it";
  for (const [name, handle] of Object.entries(view.handles)) {
    handle.onpointerdown = (event) => grasp(view, name, event);
    handle.onkeydown = (event) => onKey(view, name, event);
  }
  view.canvas.onpointerdown = (event) => {
    if (event.pointerType !== "mouse") return; // a finger may scroll the page here
    pull(view, "minimum", event);
    grasp(view, "minimum", event);
  };
  view.canvas.onclick = (event) => {
    if (event.pointerType === "mouse") return;
    pull(view, "minimum", event);
    tell(view);
  };
  new ResizeObserver(() => schedule(view)).observe(root);
  parent.append(root);
  watchSliders(root, () => follow(view) && schedule(view));
  return view;
}

// ---- what is dragged -----------------------------------------------------------------------

function grasp(view, name, event) {
  view.dragged = name;
  const end = () => {
    view.dragged = null;
    schedule(view);
    tell(view);
  };
  drag(view.handles[name], event, (moved) => pull(view, name, moved), end);
}

function pull(view, name, { clientX, clientY }) {
  const { left, top, width } = view.canvas.getBoundingClientRect();
  const scale = (2 * (view.data.most + MARGIN)) / width;
  const point = [(clientX - left - width / 2) * scale, (width / 2 - (clientY - top)) * scale];
  if (name === "minimum") moveTo(view, point);
  else {
    const away = [0, 1].map((i) => point[i] - view.state.minimum[i]);
    const turn = (Math.atan2(away[1], away[0]) * 180) / Math.PI;
    view.flipped = turn < 0 || turn >= 179.5;
    shape(view, turn, Math.hypot(...away) / SHORT);
  }
}

function moveTo(view, point) {
  const { most, step } = view.data;
  const nearest = (part) => Math.round(Math.min(most, Math.max(-most, part)) / step) * step;
  view.state.minimum = point.map((part) => Number(nearest(part).toFixed(9)) + 0);
  schedule(view);
}

function shape(view, tilt, ratio) {
  const { widest } = view.data;
  view.state.tilt = ((Math.round(tilt) % 180) + 180) % 180;
  view.state.ratio = Number(Math.min(widest, Math.max(1, ratio)).toFixed(1));
  schedule(view);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function onKey(view, name, event) {
  const arrow = ARROWS[event.key];
  if (!arrow) return;
  event.preventDefault();
  const { minimum, tilt, ratio } = view.state;
  const step = event.shiftKey ? view.data.step : 0.1;
  if (name === "minimum") moveTo(view, minimum.map((part, i) => part + step * arrow[i]));
  else shape(view, tilt - 3 * arrow[0], ratio + 0.1 * arrow[1]);
  afterKeys(view, () => tell(view));
}

function tell(view) {
  const told = JSON.stringify(view.state);
  if (told === JSON.stringify(view.known)) return;
  view.known = JSON.parse(told);
  view.asked = { told, until: performance.now() + PATIENCE };
  view.send("moved", view.known);
}

// What the page says holds, unless it does not know yet what the hand has done since.
function adopt(view, data) {
  const said = JSON.stringify(data.state);
  if (view.asked && (said === view.asked.told || performance.now() > view.asked.until)) view.asked = null;
  const news = said !== JSON.stringify(view.data?.state);
  view.data = data;
  if (view.state && (view.dragged || view.settling || view.asked || !news)) return;
  view.state = JSON.parse(said);
  view.known = JSON.parse(said);
}

// While one of the page's sliders is held, what they show comes before what the page has said.
function follow(view) {
  const sliders = view.data.sliders.map((key) => document.querySelector(`.st-key-${key} input`));
  if (!sliders.includes(document.activeElement) || sliders.includes(null)) return false;
  const [form, bound, first, second, tilt, ratio] = sliders.map((slider) =>
    Number(slider.getAttribute(SHOWN).replace("inf", "Infinity")),
  );
  const shape = isElastic(view.data.ball) ? { tau: form } : { p: form === Infinity ? null : form };
  view.data = { ...view.data, ball: { ...shape, bound } };
  view.state = { minimum: [first, second], tilt, ratio };
  return true;
}

// ---- what is drawn -------------------------------------------------------------------------

function schedule(view) {
  view.ticket ||= requestAnimationFrame(() => {
    view.ticket = 0;
    if (view.root.isConnected) paint(view);
  });
}

// The slow parts change with the ball and the shape of the contours only, not with the minimum.
function prepare(view) {
  const { ball, most } = view.data;
  const { tilt, ratio } = view.state;
  const round = JSON.stringify(ball);
  if (view.round !== round) {
    view.round = round;
    view.points = exponent(ball) === 0 ? [] : outline(ball);
    view.mapped = null;
  }
  const cells = view.dragged === "axis" ? FEWER : CELLS;
  const mapped = JSON.stringify([tilt, ratio, cells]);
  if (view.mapped !== mapped) {
    view.mapped = mapped;
    view.H = curvature(view.state);
    view.map = mapOfZeros(ball, view.H, most, cells);
    const outside = view.map.filter((zero) => zero !== 3);
    view.share = outside.filter((zero) => zero !== 0).length / outside.length;
    view.picture = null;
  }
}

function paint(view) {
  prepare(view);
  const { canvas, theme, state, H, points } = view;
  const { ball, most } = view.data;
  const sheet = openSheet(canvas);
  const { context, width, size } = sheet;
  if (!width) return;
  const half = most + MARGIN;
  const scale = width / (2 * half);
  const at = ([x, y]) => [width / 2 + x * scale, width / 2 - y * scale];
  const [first, second, mark] = [theme.lines[1], theme.lines[0], theme.lines[3]];
  const covered = window.answer.isHidden(); // sectors and solution would answer the lesson's question
  view.picture ||= pictureOf(view.map, [first, second].map(toRgb));
  context.imageSmoothingEnabled = true;
  if (!covered) context.drawImage(view.picture, ...at([-most, most]), 2 * most * scale, 2 * most * scale);
  drawAxes(context, at, half, most, theme);
  const found = touchingPoints(ball, H, state.minimum, points);
  drawContours(context, at, scale, state, theme);
  drawBall(context, at, ball, points, half, theme);
  if (corner(ball) === 0 && !covered) drawLines(context, at, ball, H, half, [first, second]);
  const level = Math.sqrt(lossAt(H, state.minimum, found[0]));
  ink(context, mark, 1, 2.5);
  if (level > 0 && !covered) ellipse(context, at(state.minimum), scale * level, state).stroke();
  drawHandles(view, context, at, size);
  if (!covered) drawSolutions(view, context, at, size, mark, found);
  read(view, found);
}

// The touching point and, where the ball is not convex, hollow ones at other local minima.
function drawSolutions({ state, theme }, context, at, size, mark, [best, ...others]) {
  for (const other of others) {
    ink(context, mark, 1, 2.5);
    circle(context, ...at(other), 0.4 * size);
    context.stroke();
  }
  ink(context, mark);
  circle(context, ...at(best), 0.5 * size);
  context.fill();
  if (best !== state.minimum) label(context, "θ̂", at(best), size, theme);
}

function pictureOf(map, colours) {
  const cells = Math.sqrt(map.length);
  const picture = new OffscreenCanvas(cells, cells);
  const context = picture.getContext("2d");
  const image = context.createImageData(cells, cells);
  map.forEach((zero, i) => {
    const row = cells - 1 - Math.floor(i / cells); // the first row of the map is the lowest
    if (zero === 1 || zero === 2) image.data.set([...colours[zero - 1], 62], 4 * (row * cells + (i % cells)));
  });
  context.putImageData(image, 0, 0);
  return picture;
}

function drawAxes(context, at, half, most, theme) {
  ink(context, theme.text, 0.35);
  trace(context, at([-half, 0]), at([half, 0])).stroke();
  trace(context, at([0, -half]), at([0, half])).stroke();
  ink(context, theme.text, 0.75);
  for (let k = -Math.floor(most); k <= most; k++) {
    if (k === 0) continue;
    const [x, y] = at([k, 0]);
    write(context, typeset(String(k)), x, y + 5, "center", "top");
    const [left, top] = at([0, k]);
    write(context, typeset(String(k)), left - 6, top, "right", "middle");
  }
  ink(context, theme.text);
  const [right, middle] = at([half, 0]);
  write(context, "θ₁", right - 4, middle - 6, "right", "bottom");
  const [centre, top] = at([0, half]);
  write(context, "θ₂", centre + 8, top + 4, "left", "top");
}

function drawBall(context, at, ball, points, half, theme) {
  ink(context, theme.text, 1, 2);
  if (exponent(ball) === 0) {
    context.lineWidth = 4;
    trace(context, at([-half, 0]), at([half, 0])).stroke();
    trace(context, at([0, -half]), at([0, half])).stroke();
    return;
  }
  trace(context, ...points.map(at)).closePath();
  context.globalAlpha = 0.1;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
}

function drawContours(context, at, scale, state, theme) {
  ink(context, theme.text, 0.3, 1);
  for (let k = 1; k <= 6; k++) ellipse(context, at(state.minimum), k * SHORT * scale, state).stroke();
}

function ellipse(context, [x, y], short, { tilt, ratio }) {
  context.beginPath();
  context.ellipse(x, y, short * ratio, short, (-Math.PI / 180) * tilt, 0, 2 * Math.PI);
  return context;
}

// Without a corner, only minima on these lines have a solution on an axis.
function drawLines(context, at, ball, H, half, colours) {
  const end = reach(ball, [1, 0]);
  context.setLineDash([6, 5]);
  for (const sign of [1, -1]) {
    for (const [axis, colour] of [[0, colours[1]], [1, colours[0]]]) {
      const [a, b, d] = H;
      const away = axis === 0 ? [d, -b] : [-b, a]; // H^-1 of the axis, but for its length
      const long = (2 * half) / Math.hypot(...away);
      const from = axis === 0 ? [sign * end, 0] : [0, sign * end];
      ink(context, colour, 0.9, 1.5);
      trace(context, at(from), at(from.map((part, i) => part + sign * long * away[i]))).stroke();
    }
  }
  context.setLineDash([]);
}

function drawHandles(view, context, at, size) {
  const { state, theme, handles, dragged } = view;
  const axis = [Math.cos, Math.sin].map((f) => SHORT * state.ratio * f((Math.PI / 180) * state.tilt));
  const ahead = state.minimum[0] * axis[0] + state.minimum[1] * axis[1] > 0; // it would leave the square
  const sign = (dragged === "axis" ? view.flipped : ahead) ? -1 : 1;
  const end = state.minimum.map((part, i) => part + sign * axis[i]);
  const places = { minimum: at(state.minimum), axis: at(end) };
  for (const [name, [x, y]] of Object.entries(places)) {
    handles[name].style.transform = `translate(${x}px, ${y}px)`;
    ink(context, theme.background, 1, 2);
    circle(context, x, y, 0.5 * size);
    context.fill();
    ink(context, theme.text, 1, 2);
    context.stroke();
  }
  ink(context, theme.text);
  circle(context, ...places.minimum, 0.22 * size);
  context.fill();
  write(context, "⟲", ...places.axis, "center", "middle");
  label(context, "minimum", places.minimum, size, theme);
}

function label(context, text, [x, y], size, theme) {
  const [right, top] = [context.canvas.clientWidth - context.measureText(text).width, 1.4 * size];
  const [place, base] = [Math.min(x + 0.8 * size, right), Math.max(y - 0.7 * size, top)];
  ink(context, theme.background, 0.85, 4);
  context.textAlign = "left";
  context.textBaseline = "bottom";
  context.strokeText(text, place, base);
  ink(context, theme.text);
  write(context, text, place, base, "left", "bottom");
}

const told = (part) =>
  part === 0 ? "0" : Math.abs(part) < 0.0005 ? plain(part, 2) : typeset(part.toFixed(3));
const pair = (point) => `(${point.map(told).join(", ")})`;

function remark(ball, { minimum }, found) {
  if (found[0] === minimum) return "The minimum lies in the ball, so the constraint changes nothing.";
  if (found.length > 1) {
    return (
      "Not convex: the filled point has the smallest loss. A hollow point is only a local " +
      "minimum, where an algorithm may end."
    );
  }
  if (corner(ball) === 0) return "No corner on an axis: θ̂ has a zero only for minima on the dashed lines.";
  return found[0].includes(0)
    ? "The corner holds θ̂ while the minimum stays in this coloured sector."
    : "θ̂ slides along the boundary. Drag the minimum into a coloured sector, and a corner catches it.";
}

function read(view, found) {
  const { root, state, share, handles } = view;
  const { ball, most } = view.data;
  const say = (field, text) => (root.querySelector(`[data-field=${field}]`).textContent = text);
  const zeros = found[0].filter((part) => part === 0).length;
  say("minimum", pair(state.minimum));
  say("point", pair(found[0]));
  say("zeros", `${zeros} of 2`);
  say("share", `${(100 * share).toFixed(1)} %`);
  root.querySelector(".note").textContent = remark(ball, state, found);
  for (const part of root.querySelectorAll("dl, .key, .note")) part.style.visibility = window.answer.isHidden() ? "hidden" : "";
  root.dataset.point = JSON.stringify(found[0]);
  root.dataset.state = JSON.stringify(state);
  root.dataset.share = share;
  Object.assign(handles.minimum, { ariaValueNow: state.minimum[0], ariaValueMin: -most, ariaValueMax: most });
  Object.assign(handles.axis, { ariaValueNow: state.tilt, ariaValueMin: 0, ariaValueMax: 179 });
  handles.minimum.ariaValueText = `minimum ${pair(state.minimum)}, touching point ${pair(found[0])}`;
  handles.axis.ariaValueText = `tilt ${state.tilt} degrees, ratio ${state.ratio}`;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const view = views.get(parentElement) ?? createView(parentElement);
  if (!views.has(parentElement)) document.addEventListener("reveal", () => schedule(view));
  views.set(parentElement, view);
  view.send = setTriggerValue;
  adopt(view, data);
  follow(view);
  view.theme = readTheme(view.root);
  view.picture = null; // its colours are the theme's
  for (const [name, i] of [["first", 1], ["second", 0]]) {
    const { style } = view.root.querySelector(`.${name}`);
    style.background = `color-mix(in srgb, ${view.theme.lines[i]} 35%, transparent)`;
  }
  schedule(view);
  document.fonts.ready.then(() => schedule(view));
}
