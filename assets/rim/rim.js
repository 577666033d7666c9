// Why the nuclear norm gives low rank: symmetric 2 x 2 matrices are points, its ball is a drum, and the
// loss a balloon that grows round its minimum until it touches the drum. Step 1 asks where.

import { circle, ink, openSheet, trace, writeOver } from "../lib/canvas.js";
import { isStill } from "../lib/dom.js";
import { makeGuess, readGuess } from "../lib/guess.js";
import { get, placeOf, set } from "../lib/settings.js";
import { makeSteps } from "../lib/steps.js";
import { afterKeys, animate, canvasOf, drag, invalidate, isHeld, onArrows, onPress, place, sayMoved, saySentence, sections, title, toy } from "../lib/toy.js";
import { CURVED, FLAT, GLYPHS, LOSS, MINIMA, RIM, SIDE, SPHERE, add, distance, dot, layersOf, sizeAt, times, touchDrum, touchSphere } from "./drum.js";
import { GOALS, NAMES, PARTS, sentenceOf } from "./words.js";

const [TOUCH, WHY, MANY, OTHER] = [1, 2, 3, 4]; // the steps
const OPENS = [0.64, 0.77, 1.13, 0.55, 0.36]; // the minimum, and how the drum is turned
const [REACH, FAN] = [1.8, 1.4]; // of the minimum that one drags, and of all that end at the same point
const MARGIN = 26; // px, of the minimum to the edges of its sheet
const [GLYPH, EASE] = [0.07, 0.85]; // of the scale, an ellipse on the drum; and how fast the drum returns to its place
const [SMALL, FILM] = [0.12, 1900]; // of a balloon that will grow; ms
const [KEY_STEP, TURN] = [10, 1 / 170]; // px of a key, and the turn for a pixel
const [TAP, WIDTH] = [5, 0.12]; // px, of a hand that does not drag, and of its radius, of a rim for a tap

const SKELETON = `
  <div class="panels">
    ${sections({ space: ["Symmetric 2 × 2 matrices", "drag to turn", `<div class="handle" tabindex="0" role="application"></div>`], lens: [""] })}
  </div>
  <p class="note" role="status"></p>
  <div class="row">
    <button class="play">▶ Play</button>
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
    film: 1, // from 0 to 1
  };
  view.play = () => (view.isTold ? play(view) : view.guessing.show());
  view.guessing = makeGuess(view, "", PARTS, () => play(view));
  view.steps = makeSteps(view, NAMES, GOALS);
  root.prepend(view.steps.top);
  root.querySelector(".row").append(view.guessing.row, view.steps.next);
  root.querySelector(".play").onclick = view.play;
  Object.assign(view.space, { tabIndex: 0, role: "application", ariaLabel: "The ball: arrows turn it" });
  watch(view, view.space, () => turnFrom(view, view.turn), (event) => tap(view, partUnder(view, event)));
  watch(view, view.handle, () => moveFrom(view, view.M0), () => {});
  return view;
}

// ---- what the reader does ------------------------------------------------------------------

function tap(view, part) {
  if (part && !view.isTold) view.guessing.choose(part);
}

function play(view) {
  view.film = 0;
  animate(view, (time) => {
    view.film = isStill() ? 1 : Math.min(1, time / FILM);
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
    }, (type) => (type === "pointercancel" ? move(0, 0) : isTap ? onTap(event) : rest())); // a finger may scroll
  });
  node.onkeydown = onArrows((way) => {
    begin()(...way.map((part) => KEY_STEP * part));
    rest();
  });
}

const turnFrom = (view, [yaw, pitch]) => (right, up) => {
  view.turn = [yaw - TURN * right, Math.max(-1.4, Math.min(1.4, pitch - TURN * up))];
  view.shift = view.shift.map((by) => EASE * by);
  if (view.step >= MANY) view.done.add(view.step);
  invalidate(view);
};

const moveFrom = (view, from) => (...way) => {
  const { camera } = view;
  const move = (M, [right, down]) => add(add(M, camera.right, right / camera.scale), camera.up, -down / camera.scale);
  const M0 = move(from, [way[0], -way[1]]);
  Object.assign(view, { M0: within(move(M0, camera.outside(M0).map((by) => -by))), film: 1, animation: null });
  solve(view);
  view.done.add(view.step);
  invalidate(view);
};

// Whole hundredths, as the address has them.
const within = (M) => M.map((part) => Math.round((100 * part * REACH) / Math.max(REACH, distance(M))) / 100);

// ---- the address ---------------------------------------------------------------------------

const textOf = (numbers) => numbers.map((number) => Math.round(100 * number)).join("_");

function report(view) {
  const text = textOf([...view.M0, ...view.turn]);
  set({ [view.data.at]: text === textOf(OPENS) ? null : text }, false);
  sayMoved(view, []);
}

function adopt(view, data) {
  view.data = data;
  if (!isHeld(view)) {
    const text = get(data.at) ?? "";
    const numbers = /^(-?\d{1,4}_){4}-?\d{1,4}$/.test(text) ? text.split("_").map((part) => part / 100) : OPENS;
    Object.assign(view, { M0: within(numbers.slice(0, 3)), turn: numbers.slice(3), shift: view.shift ?? [0, 0] });
  }
  view.guess = readGuess(view);
  const [before, step] = [view.step, placeOf(data.step) + 1];
  if (step !== before) {
    Object.assign(view, { step, starts: before >= MANY ? view.ends.map(({ M }) => M) : MINIMA, film: 1, animation: null });
    if (before && step >= MANY) play(view);
  }
  solve(view);
  view.isTold = step > TOUCH || Boolean(view.guess) || !view.isAtStart;
}

function solve(view) {
  const touch = (M0) => (view.step === OTHER ? touchSphere : touchDrum)(LOSS, M0);
  view.touched = touch(view.M0);
  view.ends = view.step >= MANY ? MINIMA.map(touch) : [];
  view.isAtStart = textOf(view.M0) === textOf(OPENS.slice(0, 3)); // where the question is asked
}

// ---- the space -----------------------------------------------------------------------------

// The first coordinate points up. The middle of the drum is moved by `shift`.
function cameraOf([yaw, pitch], { width, height }, shift) {
  const [c, s, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const [right, up, eye] = [[0, c, s], [cp, sp * s, -sp * c], [sp, -cp * s, cp * c]];
  const scale = Math.min(height / 2.1, width / 3.2);
  const at = (M) => [0.37 * width + shift[0] + scale * dot(M, right), height / 2 + shift[1] - scale * dot(M, up)];
  const outside = (M) => at(M).map((pixels, i) => pixels - Math.max(MARGIN, Math.min([width, height][i] - MARGIN, pixels)));
  const side = sp < 0 ? -SIDE : SIDE; // the flat side that is seen, and the circles on the screen
  const rings = [side, -side].map((high) => [...at([high, 0, 0]), scale * SIDE, scale * SIDE * Math.abs(sp)]);
  return { width, right, up, eye, scale, at, outside, side, rings };
}

// Whether a point of a ball is seen.
const isSeen = (M, part, { eye, side }) =>
  part === SPHERE ? dot(M, eye) > 0 : (part !== CURVED && M[0] * side > 0) || (part !== FLAT && M[1] * eye[1] + M[2] * eye[2] > 0);

// The part of the drum at a point of the screen.
function partUnder({ space, camera: { rings, side } }, { clientX, clientY }) {
  const { left, top } = space.getBoundingClientRect();
  const [x, y] = [clientX - left, clientY - top];
  const [near, far] = rings.map(([x0, y0, wide, thin]) => Math.hypot((x - x0) / wide, (y - y0) / thin));
  const [[x0, y0, wide], [, y1]] = rings;
  const isPastFar = (y - y1) * side > 0;
  if (Math.abs(near - 1) < WIDTH || (isPastFar && Math.abs(far - 1) < WIDTH)) return RIM;
  if (near < 1) return FLAT;
  return far < 1 || (Math.abs(x - x0) < wide && (y - y0) * side > 0 && !isPastFar) ? CURVED : null;
}

// How far the balloon has grown, from 0 to 1.
const growth = ({ isTold, step, film }) => (!isTold ? 0 : step === TOUCH ? film ** 2 * (3 - 2 * film) : 1);

function drawSpace(view) {
  const { step, M0, touched, space } = view;
  const sheet = openSheet(space);
  const off = cameraOf(view.turn, sheet, view.shift).outside(view.M0);
  view.shift = view.shift.map((by, i) => by - off[i]); // the minimum stays in view
  view.camera = cameraOf(view.turn, sheet, view.shift);
  // Balloon and drum touch, so that a plane lies between them: one of them hides the other.
  const isInFront = dot(times(LOSS.H, add(M0, touched.M, -1)), view.camera.eye) > 0;
  const withBalloon = isInFront ? [drawDrum, drawGlyphs, drawBalloon, drawPoints] : [drawBalloon, drawDrum, drawGlyphs, drawPoints];
  const drawings = { [MANY]: [drawDrum, drawEnds], [OTHER]: [drawSphere, drawEnds] }[step] ?? withBalloon;
  for (const draw of drawings) draw(view, sheet.context);
}

// A colour of the theme that becomes denser along a gradient.
function blend(gradient, ground, colour, shares) {
  const mix = (share) => `color-mix(in srgb, ${colour} ${share}%, ${ground})`;
  shares.forEach((share, i) => gradient.addColorStop(i / (shares.length - 1), mix(share)));
  return gradient;
}

function drawDrum({ theme, step, isTold, camera: { rings } }, context) {
  const [[x, y, wide], [, low]] = rings;
  const draw = (ring, colour) => {
    context.beginPath();
    context.ellipse(...ring, 0, 0, 2 * Math.PI);
    ink(context, theme.text, 1, isTold && step < MANY ? 6 : 2); // of which the drum hides the inner half
    context.stroke();
    context.fillStyle = colour;
    context.fill();
  };
  draw(rings[1], blend(context.createLinearGradient(x - wide, 0, x + wide, 0), theme.background, theme.text, [14, 7, 16, 26, 36]));
  context.fillRect(x - wide, y, 2 * wide, low - y);
  draw(rings[0], theme.background);
}

// What some matrices on the drum make of a circle.
function drawGlyphs({ theme, camera }, context) {
  for (const { M, part } of GLYPHS) {
    if (!isSeen(M, part, camera)) continue;
    const [{ height: high, angle }, { height: low }] = layersOf(M, part);
    ink(context, theme.text, 0.55, 1.4);
    context.beginPath();
    context.ellipse(...camera.at(M), GLYPH * camera.scale * high, GLYPH * camera.scale * low, -angle, 0, 2 * Math.PI);
    context.stroke();
  }
}

// The ball of the Frobenius norm, and on it the matrices of rank 1.
function drawSphere({ theme, camera: { at, scale, rings } }, context) {
  const [x, y] = at([0, 0, 0]);
  context.fillStyle = blend(context.createRadialGradient(x, y, 0, x, y, scale), theme.background, theme.text, [5, 10, 30]);
  circle(context, x, y, scale);
  context.fill();
  ink(context, theme.text, 1, 2);
  for (const ring of rings) {
    context.beginPath();
    context.ellipse(...ring, 0, 0, 2 * Math.PI);
    context.stroke();
  }
}

function drawBalloon(view, context) {
  const { theme, touched, M0, step, camera: { at, right, up, scale } } = view;
  if (step === WHY) drawFan(view, context);
  const full = sizeAt(LOSS, M0, touched.M);
  const size = full + (1 - growth(view)) * (SMALL - full);
  const outline = Array.from({ length: 121 }, (_, i) => {
    const way = add(right.map((part) => part * Math.cos((i * Math.PI) / 60)), up, Math.sin((i * Math.PI) / 60));
    return at(add(M0, times(LOSS.C, way), size / Math.sqrt(dot(way, times(LOSS.C, way)))));
  });
  ink(context, theme.accent, 1, 1.6);
  trace(context, ...outline).stroke();
  context.fillStyle = blend(context.createRadialGradient(...at(M0), 0, ...at(M0), 2 * scale * size), "transparent", theme.accent, [5, 20, 40]);
  context.fill();
}

// All minima that end at the touched point: a sector where the drum has an edge, else a line.
function drawFan({ touched: { M, part }, theme, camera: { at } }, context) {
  const [axis, radius] = [[M[0], 0, 0], [0, M[1], M[2]]];
  const normals = { [FLAT]: [axis], [CURVED]: [radius], [RIM]: [axis, radius] }[part] ?? [];
  const ends = normals.map((normal) => times(LOSS.C, normal)).map((way) => at(add(M, way, FAN / distance(way))));
  ink(context, theme.text, 0.18);
  trace(context, at(M), ...ends).fill();
  ink(context, theme.text, 1, 1.6);
  for (const end of ends) trace(context, at(M), end).stroke();
}

function drawPoints(view, context) {
  const { theme, camera, camera: { at }, touched: { M, part }, M0, handle } = view;
  const mark = ([x, y], colour, alpha, label, align) => {
    ink(context, colour, alpha);
    circle(context, x, y, 8);
    context.fill();
    writeOver(context, label, x + (align === "left" ? 15 : -12), y, align, "bottom", theme, colour);
  };
  if (growth(view) === 1) mark(at(M), theme.text, isSeen(M, part, camera) ? 1 : 0.5, part === RIM ? "rank 1" : "rank 2", "right");
  const hasRoom = at(M0)[0] + MARGIN + context.measureText("minimum").width < camera.width;
  mark(at(M0), theme.accent, 1, "minimum", hasRoom ? "left" : "right");
  handle.style.translate = at(M0).map((pixels) => `${pixels}px`).join(" ");
}

function drawEnds({ ends, starts, film, theme, camera }, context) {
  ink(context, theme.text, 0.9);
  ends.forEach(({ M, part }, i) => {
    const share = Math.max(0, Math.min(1, 1.4 * film - (0.4 * i) / ends.length)) ** 2;
    if (share === 1 && !isSeen(M, part, camera)) return;
    circle(context, ...camera.at(add(starts[i], add(M, starts[i], -1), share)), 2.5);
    context.fill();
  });
}

// What matrices make of a circle; their half axes are the heights.
function drawLens({ theme, step, lens }, shown) {
  const { context, width, height, size } = openSheet(lens);
  const isOne = step < MANY;
  const most = Math.max(1, ...shown.map(([{ height: high }]) => high));
  const [x, y, radius] = [width / 2, height / 2, (Math.min(width, height) / 2 - 2 * size) / most];
  ink(context, theme.text, 0.4);
  circle(context, x, y, radius);
  context.stroke();
  for (const layers of shown) {
    const [{ height: high, angle }, { height: low }] = layers;
    ink(context, theme.text, isOne ? 1 : low ? 0.08 : 0.4, isOne ? 3 : 1.2);
    context.beginPath();
    context.ellipse(x, y, radius * high, radius * low, -angle, 0, 2 * Math.PI);
    context.stroke();
    if (!isOne) continue;
    const [long, short] = layers.map(({ angle: turn }) => [Math.cos(turn), -Math.sin(turn)]); // on the screen
    const from = (way, share) => [x + radius * share * way[0], y + radius * share * way[1]];
    trace(context, from(long, -high), from(long, high)).stroke();
    trace(context, from(short, -low), from(short, low)).stroke();
    // Each name stands off its line, and on its own side of the other.
    const aside = short.map((part) => -part);
    const name = (text, at, way) => {
      const align = way[0] > 0.35 ? "left" : way[0] < -0.35 ? "right" : "center";
      writeOver(context, text, at[0] + 0.7 * size * way[0], at[1] + 0.7 * size * way[1], align, way[1] > 0.35 ? "top" : way[1] < -0.35 ? "bottom" : "middle", theme);
    };
    name(`σ₁ = ${high.toFixed(2)}`, from(long, 0.45 * high), aside);
    name(`σ₂ = ${low.toFixed(2)}`, from(short, low), short);
  }
}

function paint(view) {
  const { root, step, isTold, isAtStart, touched, ends, film, handle, M0 } = view;
  drawSpace(view);
  const isEnd = growth(view) === 1;
  const shown = step < MANY ? [isEnd ? touched : { M: M0 }] : film < 1 ? [] : ends;
  const layers = shown.map(({ M, part }) => layersOf(M, part));
  drawLens(view, layers);
  if (step < MANY) title(root, "lens", isEnd ? "The touched matrix" : "The minimum", `σ₁ + σ₂ = ${(layers[0][0].height + layers[0][1].height).toFixed(2)}`);
  else title(root, "lens", "500 matrices", "an ellipse each", "rank 1 is a line");
  handle.ariaLabel = `Minimum: arrows move it${isEnd ? `. The balloon touches: ${touched.part}` : ""}`;
  handle.hidden = !isTold || step >= MANY;
  saySentence(view, sentenceOf(view));
  root.querySelector(".play").hidden = step !== TOUCH;
  view.guessing.draw(step === TOUCH, isEnd && isAtStart ? touched.part : null); // with the reply to the guess
  view.steps.draw();
  Object.assign(root.dataset, { step, told: isTold, film: film < 1, part: isEnd ? touched.part : "" });
}

export default toy(createView, adopt, { paint });
