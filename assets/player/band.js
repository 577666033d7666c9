// ---- drawing: W, the band and S ----------------------------------------------------------------

const SMALLER = 0.62; // S beside W, so that its singular values stand beside it
const SHOWN_VALUES = 10;

// The end of the scale of colours: fixed for C and tau where these have been solved in advance.
const endOfColours = (run) => run.scale ?? limitOf(run, "S_scale");

// Its captions are on the canvas, one beside each matrix.
function createBand(spec, player, shapeOf) {
  const panel = createCanvas(spec, player, shapeOf);
  panel.root.querySelector("header").remove();
  panel.isHeadless = true;
  panel.aspect = 0.64; // of W above S
  panel.cells = new OffscreenCanvas(1, 1);
  return panel;
}

// W above S where the panel is tall, beside it where it is wide.
function placeBand({ width, height, size }, [p, q]) {
  const [line, gap] = [1.6 * size, 3 * size]; // a caption; the band
  const ratio = Math.max(0.4, Math.min(1.6, p / q));
  if (width > 1.2 * height) {
    const between = 3.6 * size;
    const w = Math.min((width - between) / 2, (height - line) / ratio);
    const [W, S] = [0, w + between].map((x) => ({ x, y: line, w, h: w * ratio }));
    const middle = line + W.h / 2;
    return { W, S, bars: null, from: [w + 3, middle], to: [w + between - 3, middle] };
  }
  const w = Math.min(width, (height - 2 * line - gap) / ((1 + SMALLER) * ratio));
  const W = { x: 0, y: line, w, h: w * ratio };
  const S = { x: 0, y: height - SMALLER * W.h, w: SMALLER * w, h: SMALLER * W.h };
  const bars = { x: S.w + 1.4 * size, y: S.y, w: w - S.w - 1.4 * size, h: S.h - 1.5 * size };
  return { W, S, bars, from: [S.w / 2, W.y + W.h + 3], to: [S.w / 2, S.y - line - 2] };
}

function paintBand(panel, { shown: run, frame, theme }) {
  const shape = shapeOf(run, "W");
  const sheet = openSheet(panel.canvas);
  const { context, size } = sheet;
  const place = (panel.place = placeBand(sheet, shape));
  const at = (name) => run.metrics[name][frame];
  panel.images = {};
  for (const name of ["W", "S"]) {
    const [scale] = valuesAt(run, frame, `${name}_scale`);
    const values = valuesAt(run, frame, name);
    panel.images[name] = { values, unit: scale / 127 };
    const steps = Float32Array.from(values, (value) => value * (scale / endOfColours(run)));
    ink(context, theme.border);
    drawCells(context, panel, shape, steps, theme.diverging, place[name]);
  }
  drawSpring(context, place.from, place.to, thicknessOf(at("rho")), theme);
  const [fit, rank] = [`${plain(100 * at("fit"), 3)} % correct`, `rank ${at("rank")}`];
  const apart = plain(at("apart"), 2);
  if (place.bars === null) {
    drawBandCaption(context, place.W, "W", `fits ${fit.replace(" correct", "")}`, "", size, theme);
    drawBandCaption(context, place.S, "S", rank, "", size, theme);
    const middle = (place.from[0] + place.to[0]) / 2;
    drawLabel(context, apart, middle, place.from[1] + 1.7 * size, "center", theme, { bold: true });
    return;
  }
  drawBandCaption(context, place.W, "W", "fits the samples", fit, size, theme);
  const across = { ...place.S, w: place.W.w };
  drawBandCaption(context, across, "S", "has low rank", rank, size, theme);
  const [x, y] = [place.from[0] + 1.6 * size, (place.from[1] + place.to[1]) / 2];
  const fits = context.measureText(`apart ‖W − S‖ = ${apart}`).width < place.W.w - x;
  const name = `${fits ? "apart " : ""}‖W − S‖ = `;
  const wide = drawLabel(context, name, x, y, "left", theme, { alpha: 0.7 });
  drawLabel(context, apart, x + wide, y, "left", theme, { bold: true });
  drawSingularValues(sheet, valuesAt(run, frame, "singular_values"), at("rank"), run, place.bars, theme);
}

// A stiffer band is drawn thicker: one to five pixels for rho from 0.01 to 100.
const thicknessOf = (rho) => 1 + 4.4 * Math.min(1, Math.max(0, (Math.log10(rho) + 2) / 4));

function drawSpring(context, [x1, y1], [x2, y2], thickness, theme) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const turns = Math.max(4, Math.round(length / 6));
  const points = Array.from({ length: turns + 1 }, (_, i) => {
    const [along, aside] = [(i / turns) * length, i % turns === 0 ? 0 : i % 2 ? 8 : -8];
    return [x1 + ux * along - uy * aside, y1 + uy * along + ux * aside];
  });
  ink(context, theme.accent, 1, thickness);
  trace(context, ...points).stroke();
}

function drawBandCaption(context, { x, y, w }, name, words, number, size, theme) {
  const at = y - 0.8 * size;
  const width = drawLabel(context, name, x, at, "left", theme, { bold: true });
  const room = w - width - context.measureText(number).width - size;
  if (context.measureText(words).width < room) {
    drawLabel(context, words, x + width + 0.4 * size, at, "left", theme, { alpha: 0.7 });
  }
  if (number) drawLabel(context, number, x + w, at, "right", theme, { bold: name === "S" });
}

// The bars of values above 0 are tall enough to be counted.
function drawSingularValues({ context, height, size }, values, rank, run, { x, y, w, h }, theme) {
  const slot = w / Math.min(SHOWN_VALUES, values.length);
  const most = run.largest ?? limitOf(run, "singular_values");
  values.slice(0, SHOWN_VALUES).forEach((value, i) => {
    const tall = Math.max(i < rank ? 3 : 2, Math.min(1, value / most) * h);
    ink(context, i < rank ? theme.text : theme.border);
    context.fillRect(x + i * slot, y + h - tall, slot - 3, tall);
  });
  ink(context, theme.text, 0.7);
  if (context.measureText("singular values").width < w + size) {
    write(context, "singular values", x + w, height - 2, "right", "bottom");
  }
}

function describeBand({ place, images }, { shown: run }, px, py) {
  const [rows, columns] = shapeOf(run, "W");
  for (const { x, y, w, h } of [place.W, place.S]) {
    const [row, column] = [Math.floor(((py - y) / h) * rows), Math.floor(((px - x) / w) * columns)];
    if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
    const value = ({ values, unit }) => plain(values[row * columns + column] * unit);
    return `row ${row + 1}, column ${column + 1}\nW  ${value(images.W)}\nS  ${value(images.S)}`;
  }
  return "";
}

KINDS.band = { create: createBand, paint: paintBand, describe: describeBand };
