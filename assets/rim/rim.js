// Why the nuclear norm gives low rank: symmetric 2 x 2 matrices are points, its ball is a drum, and the
// loss a balloon that grows round its minimum until it touches the drum. Step 1 asks where.

import { circle, ink, openSheet, trace, writeOver } from "../lib/canvas.js";
import { isStill } from "../lib/dom.js";
import { get, placeOf, set } from "../lib/settings.js";
import { makeSteps } from "../lib/steps.js";
import { ARROWS, afterKeys, animate, canvasOf, drag, invalidate, isHeld, onPress, place, sayMoved, sections, toy } from "../lib/toy.js";
import { CURVED, FLAT, INSIDE, LOSS, MINIMA, RIM, SIDE, add, distance, dot, layersOf, sizeAt, times, touchDrum, touchSphere } from "./drum.js";
import { GOALS, NAMES, PARTS, sentenceOf } from "./words.js";

const [TOUCH, WHY, MANY, OTHER] = [1, 2, 3, 4]; // the steps
const OPENS = [0.64, 0.77, 1.13, 0.55, 0.36]; // the minimum, and how the drum is turned
const REACH = 1.8; // of the minimum that one drags, and of the fan
const SMALL = 0.12; // of a balloon that will grow
const FILM = 1900; // ms
const [KEY_STEP, TURN] = [10, 1 / 170]; // px of a key, and the turn for a pixel
const [TAP, NEAR_RIM] = [5, 18]; // px, of a hand that does not drag, and of what counts as the rim
const AROUND = Array.from({ length: 121 }, (_, i) => (i * Math.PI) / 60);

const SKELETON = `
  <div class="panels">
    ${sections({ space: ["Symmetric 2 × 2 matrices", "drag to turn", `<div class="handle" tabindex="0" role="application"></div>`], lens: [""] })}
  </div>
  <p class="note" role="status"></p>
  <div class="row">
    <button class="play">▶ Play</button>
    ${Object.entries(PARTS).map(([part, name]) => `<button class="guess" value="${part}">${name}</button>`).join("")}
  </div>`;

function createView(parent) {
  const root = place(parent, "rim", SKELETON);
  const view = {
    root,
    space: canvasOf(root, "space"),
    lens: canvasOf(root, "lens"),
    handle: root.querySelector(".handle"),
    step: 0,
    done: new Set(), // steps whose act was done
    met: new Set(), // parts that were touched under the hand
    isTold: false, // whether the answer has been seen
    film: 1, // from 0 to 1
  };
  view.steps = makeSteps(view, NAMES, GOALS);
  root.prepend(view.steps.top);
  root.querySelector(".row").append(view.steps.next);
  root.querySelector(".play").onclick = () => play(view);
  for (const chip of root.querySelectorAll(".guess")) chip.onclick = () => guess(view, chip.value);
  Object.assign(view.space, { tabIndex: 0, role: "application" });
  watch(view, view.space, () => turnFrom(view, view.turn), (event) => view.step === TOUCH && guess(view, partUnder(view, event)));
  watch(view, view.handle, () => moveFrom(view, view.M0), () => {});
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

function guess(view, part) {
  if (view.isTold || !part) return;
  view.guess = part;
  play(view);
  report(view);
}

function play(view) {
  Object.assign(view, { isTold: true, film: isStill() ? 1 : 0 });
  view.done.add(TOUCH);
  animate(view, (time) => {
    if (view.film < 1) view.film = Math.min(1, time / FILM);
    invalidate(view);
    return view.film < 1;
  });
}

// Drag a node, or move it by keys: `begin` returns what follows the pixels to the right and up.
function watch(view, node, begin, onTap) {
  const rest = () => afterKeys(view, () => report(view));
  onPress(node, (event) => {
    const move = begin();
    let isTap = true;
    drag(view, node, event, ({ clientX, clientY }) => {
      const [right, up] = [clientX - event.clientX, event.clientY - clientY];
      isTap &&= Math.hypot(right, up) < TAP;
      if (!isTap) move(right, up);
    }, (type) => (!isTap ? rest() : type === "pointerup" && onTap(event)));
  });
  node.onkeydown = (event) => {
    if (!(event.key in ARROWS)) return;
    event.preventDefault();
    event.stopPropagation(); // keys of Streamlit
    begin()(...ARROWS[event.key].map((way) => KEY_STEP * way));
    rest();
  };
}

const turnFrom = (view, [yaw, pitch]) => (right, up) => {
  view.turn = [yaw - TURN * right, Math.max(-1.4, Math.min(1.4, pitch - TURN * up))];
  if (view.step >= MANY) view.done.add(view.step);
  invalidate(view);
};

const moveFrom = (view, from) => (...way) => {
  const [right, up] = way.map((pixels) => pixels / view.camera.scale);
  const M0 = add(add(from, view.camera.right, right), view.camera.up, up);
  Object.assign(view, { M0: within(M0), film: 1, animation: null });
  solve(view);
  view.met.add(view.touched.part);
  if (view.step === WHY && view.met.size > 1) view.done.add(WHY);
  invalidate(view);
};

// Whole hundredths, as the address has them.
const within = (M) => M.map((part) => Math.round((100 * part * REACH) / Math.max(REACH, distance(M))) / 100);

// ---- the address ---------------------------------------------------------------------------

const textOf = (numbers) => numbers.map((number) => Math.round(100 * number)).join("_");

function report(view) {
  const { data, M0, turn } = view;
  const text = textOf([...M0, ...turn]);
  set({ [data.at]: text === textOf(OPENS) ? null : text }, false);
  sayMoved(view, [[data.guess, data.guess.texts.indexOf(view.guess)]]);
}

function adopt(view, data) {
  view.data = data;
  if (!isHeld(view)) {
    const text = get(data.at) ?? "";
    const numbers = /^(-?\d{1,4}_){4}-?\d{1,4}$/.test(text) ? text.split("_").map((part) => part / 100) : OPENS;
    Object.assign(view, { M0: within(numbers.slice(0, 3)), turn: numbers.slice(3) });
    view.guess = data.guess.texts[placeOf(data.guess)];
  }
  const [before, step] = [view.step, placeOf(data.step) + 1];
  if (step !== before) {
    const starts = before >= MANY ? view.ends.map(({ M }) => M) : MINIMA;
    Object.assign(view, { step, starts, film: 1, animation: null });
    if (before && step >= MANY) play(view);
  }
  solve(view);
  view.isTold ||= step > TOUCH || view.guess in PARTS || !view.isAtStart;
}

function solve(view) {
  const touch = (M0) => (view.step === OTHER ? touchSphere : touchDrum)(LOSS, M0);
  view.touched = touch(view.M0);
  view.ends = view.step >= MANY ? MINIMA.map(touch) : [];
  view.isAtStart = textOf(view.M0) === textOf(OPENS.slice(0, 3)); // where the question is asked
}

// ---- the space -----------------------------------------------------------------------------

// The first coordinate points up.
function cameraOf([yaw, pitch], { width, height }) {
  const [c, s, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const [right, up, eye] = [[0, c, s], [cp, sp * s, -sp * c], [sp, -cp * s, cp * c]];
  const scale = Math.min(height / 2.4, width / 3.2);
  const at = (M) => [0.44 * width + scale * dot(M, right), 0.53 * height - scale * dot(M, up)];
  return { right, up, eye, scale, at };
}

const axisOf = ([t]) => [Math.sign(t), 0, 0];
const radiusOf = ([, u, v]) => [0, u / (Math.hypot(u, v) || 1), v / (Math.hypot(u, v) || 1)];

// Whether a point of a ball is seen.
function isSeen(M, part, eye) {
  const [flat, curved] = [dot(axisOf(M), eye), dot(radiusOf(M), eye)];
  return ({ [FLAT]: flat, [CURVED]: curved, [RIM]: Math.max(flat, curved) }[part] ?? dot(M, eye)) > 0;
}

// What is seen of the drum. Its circles are ellipses on the screen, each with its front below if one looks
// from above. On the ball of the Frobenius norm the same circles are no rims.
function pathsOf({ step, camera: { at, scale, eye } }) {
  const side = eye[0] < 0 ? -1 : 1;
  const draw = (...arcs) => {
    const path = new Path2D();
    const radius = scale * SIDE;
    for (const [height, from, to, isBack] of arcs) {
      path.ellipse(...at([height * SIDE, 0, 0]), radius, radius * Math.abs(eye[0]), 0, from * Math.PI, to * Math.PI, isBack);
    }
    return path;
  };
  const [near, far] = [draw([side, 0, 2]), draw([-side, 0, step === OTHER ? 2 : side, side < 0])];
  const ball = new Path2D();
  ball.arc(...at([0, 0, 0]), scale, 0, 2 * Math.PI);
  const curved = step === OTHER ? ball : draw([side, 0, side, side < 0], [-side, side, 0, side > 0]);
  const rims = new Path2D(near);
  rims.addPath(far);
  return { [FLAT]: near, [CURVED]: curved, [RIM]: rims };
}

// The part of the drum at a point of the screen.
function partUnder(view, { clientX, clientY }) {
  const { left, top } = view.space.getBoundingClientRect();
  const at = [clientX - left, clientY - top].map((pixels) => pixels * window.devicePixelRatio);
  const [context, paths] = [view.space.getContext("2d"), pathsOf(view)];
  context.lineWidth = NEAR_RIM;
  if (context.isPointInStroke(paths[RIM], ...at)) return RIM;
  return [FLAT, CURVED].find((part) => context.isPointInPath(paths[part], ...at));
}

// How far the balloon has grown, from 0 to 1.
const growth = ({ isTold, step, film }) => (!isTold ? 0 : step === TOUCH ? film ** 2 * (3 - 2 * film) : 1);

function drawSpace(view) {
  const { step, M0, touched, space } = view;
  const sheet = openSheet(space);
  view.camera = cameraOf(view.turn, sheet);
  const { context } = sheet;
  // Balloon and drum touch, so that a plane lies between them: one of them hides the other.
  const isBalloonInFront = dot(times(LOSS.H, add(M0, touched.M, -1)), view.camera.eye) > 0;
  if (step >= MANY) drawEnds(view, context, false);
  else if (!isBalloonInFront) drawBalloon(view, context);
  drawBall(view, context);
  if (step >= MANY) return drawEnds(view, context, true);
  if (isBalloonInFront) drawBalloon(view, context);
  drawPoints(view, context);
}

// Let a colour of the theme become denser along a gradient.
function blend(gradient, colour, shares) {
  shares.forEach((share, i) => gradient.addColorStop(i / (shares.length - 1), `color-mix(in srgb, ${colour} ${share}%, transparent)`));
  return gradient;
}

function drawBall(view, context) {
  const { theme, camera: { at, scale }, isTold, step } = view;
  const [paths, [x, y], radius] = [pathsOf(view), at([0, 0, 0]), scale * SIDE];
  const across = context.createLinearGradient(x - radius, 0, x + radius, 0);
  const round = context.createRadialGradient(x - radius / 2, y - radius / 2, 0, x, y, scale);
  const fill = (path, style) => {
    context.fillStyle = style;
    context.fill(path);
  };
  ink(context, theme.text, 1, isTold ? 3 : 1);
  fill(paths[CURVED], theme.background);
  fill(paths[CURVED], step === OTHER ? blend(round, theme.text, [3, 30]) : blend(across, theme.text, [14, 7, 16, 26, 36]));
  if (step < OTHER) fill(paths[FLAT], theme.background);
  if (step === OTHER) context.setLineDash([6, 5]);
  context.stroke(paths[RIM]);
  context.setLineDash([]);
}

function drawBalloon(view, context) {
  const { theme, touched, M0, step, camera: { at, right, up, scale } } = view;
  if (step === WHY) drawFan(view, context);
  const full = sizeAt(LOSS, M0, touched.M);
  const size = full + (1 - growth(view)) * (SMALL - full);
  const outline = AROUND.map((turn) => {
    const way = add(right.map((part) => part * Math.cos(turn)), up, Math.sin(turn));
    return at(add(M0, times(LOSS.C, way), size / Math.sqrt(dot(way, times(LOSS.C, way)))));
  });
  const [x, y] = at(M0);
  ink(context, theme.accent, 1, 1.6);
  trace(context, ...outline).stroke();
  context.fillStyle = blend(context.createRadialGradient(x, y, 0, x, y, 2 * scale * size), theme.accent, [5, 20, 40]);
  context.fill();
}

// All minima that end at the touched point: a sector where the drum has an edge, else a line.
function drawFan({ touched: { M, part }, theme, camera: { at } }, context) {
  if (part === INSIDE) return;
  const [from, to] = { [FLAT]: [0, 0], [CURVED]: [1, 1], [RIM]: [0, 1] }[part];
  const sector = AROUND.map((_, i) => {
    const turn = ((from + (i / 120) * (to - from)) * Math.PI) / 2;
    const normal = add(axisOf(M).map((each) => Math.cos(turn) * each), radiusOf(M), Math.sin(turn));
    const way = times(LOSS.C, normal);
    return at(add(M, way, REACH / distance(way)));
  });
  ink(context, theme.text, 0.18);
  trace(context, at(M), ...sector).fill();
  ink(context, theme.text, 1, 1.6);
  if (part !== RIM) context.setLineDash([2, 4]);
  trace(context, sector[0], at(M), sector.at(-1)).stroke();
  context.setLineDash([]);
}

function drawPoints(view, context) {
  const { theme, camera: { at, eye }, touched: { M, part }, M0, isTold, handle } = view;
  const mark = (point, label, colour, ...side) => {
    const [x, y] = at(point);
    circle(context, x, y, 8);
    context.fill();
    writeOver(context, label, x + (side[0] === "left" ? 15 : -12), y, ...side, theme, colour);
  };
  ink(context, theme.text, isSeen(M, part, eye) ? 1 : 0.5);
  if (growth(view) === 1 && part !== INSIDE) mark(M, part === RIM ? "rank 1" : "rank 2", theme.text, "right", "bottom");
  ink(context, theme.accent);
  mark(M0, isTold ? "minimum: drag" : "minimum", theme.accent, "left", "middle");
  handle.style.translate = at(M0).map((pixels) => `${pixels}px`).join(" ");
}

function drawEnds({ ends, starts, film, theme, camera: { at, eye } }, context, wantsFront) {
  ends.forEach(({ M, part }, i) => {
    const share = Math.max(0, Math.min(1, 1.4 * film - (0.4 * i) / ends.length)) ** 2;
    const point = add(starts[i], add(M, starts[i], -1), share);
    const isFront = isSeen(point, share === 1 && part, eye);
    if (isFront !== wantsFront) return;
    ink(context, theme.text, isFront ? 0.9 : 0.2);
    circle(context, ...at(point), part === RIM && share === 1 ? 3.2 : 2.2);
    context.fill();
  });
}

// ---- beside it -----------------------------------------------------------------------------

// What a matrix makes of a circle; while the balloon grows, the matrices from the minimum to the end. Or
// what all 500 make of it.
function drawLens(view) {
  const { theme, ends, film, M0, touched, lens } = view;
  const { context, width, height, size } = openSheet(lens);
  const isOne = view.step < MANY;
  const grown = growth(view);
  const end = grown === 1 ? touched : { M: add(M0, add(touched.M, M0, -1), grown) };
  const shown = isOne ? [end] : film < 1 ? [] : ends;
  const most = isOne ? Math.max(1, layersOf(end.M)[0].height) : 1;
  const [x, y, radius] = [width / 2, height / 2, (Math.min(width, height) / 2 - 2 * size) / most];
  ink(context, theme.text, 0.5, 1.5);
  context.setLineDash([4, 4]);
  circle(context, x, y, radius);
  context.stroke();
  context.setLineDash([]);
  for (const { M, part } of shown) {
    const layers = layersOf(M, part);
    ink(context, theme.text, isOne ? 1 : part === RIM ? 0.4 : 0.08, isOne ? 3 : 1.2);
    context.beginPath();
    context.ellipse(x, y, radius * layers[0].height, radius * layers[1].height, -layers[0].angle, 0, 2 * Math.PI);
    context.stroke();
    for (const [i, { height, angle }] of isOne ? layers.entries() : []) {
      const tip = [x + radius * height * Math.cos(angle), y - radius * height * Math.sin(angle)];
      trace(context, [x, y], tip).stroke();
      writeOver(context, `σ${"₁₂"[i]} = ${height.toFixed(2)}`, tip[0], tip[1] - 4, "center", "bottom", theme);
    }
  }
  return layersOf(end.M, end.part);
}

function paint(view) {
  const { root, step, isTold, isAtStart, touched, film, handle, space, lens } = view;
  drawSpace(view);
  const total = drawLens(view).reduce((sum, { height }) => sum + height, 0);
  const what = step >= MANY ? "The 500 matrices" : growth(view) === 1 ? "The touched matrix" : growth(view) ? "On the way" : "The minimum";
  const told = step >= MANY ? "as ellipses" : `as an ellipse: σ₁ + σ₂ = ${total.toFixed(2)}`;
  const [bold, span] = root.querySelectorAll("[data-panel=lens] header > *");
  [bold.textContent, span.textContent, lens.ariaLabel] = [what, told, `${what} ${told}`];
  space.ariaLabel = `The ${step === OTHER ? "ball" : "drum"}: arrows turn it`;
  handle.hidden = !isTold || step >= MANY;
  handle.ariaLabel = `Minimum: arrows move it. ${film < 1 ? "" : `The balloon touches: ${touched.part}`}`;
  const note = root.querySelector(".note");
  const text = sentenceOf(view);
  if (note.innerHTML !== text) note.innerHTML = text;
  note.ariaBusy = isHeld(view); // it speaks when the hand rests
  const isMarked = isTold && isAtStart && film === 1; // with the answer to what was asked
  for (const chip of root.querySelectorAll(".guess")) {
    const isOwn = chip.value === view.guess;
    chip.ariaPressed = isOwn;
    chip.classList.toggle("right", isMarked && chip.value === touched.part);
    chip.classList.toggle("wrong", isMarked && isOwn && chip.value !== touched.part);
  }
  view.steps.draw();
  Object.assign(root.dataset, { step, told: isTold, film: film < 1, part: touched.part });
}

export default toy(createView, adopt, { paint });
