// A matrix is a stack of layers: layer i is sigma_i, a height, times a column times a row. A cut through
// the bars of the heights is dragged; the layers before it rise out of the fan and add up to a picture.
//
// U, sigma and V come with the page. The cut is told to it when the hand rests, for the address; a
// picture of the reader's own is made small here and sent as grey values, never as a file.

const SPREAD = 0.62; // power of the number of a layer, along the fan: the first ones have more room
const [NARROW, SKEW] = [0.5, -0.2]; // of a layer that is seen from the side
const SUNK = 0.12; // of the height of the fan, by which the layers behind the cut lie deeper
const BROKEN = 4; // a first bar that is this many times the second would dwarf the others
const PACE = 320; // ms for a layer, when it plays
const TITLES = {
  sum: ["The picture", ""],
  fan: ["Its layers", "each in colours of its own"],
  bars: ["Their heights", "σ, singular values"],
};

const SKELETON = `
  <div class="panels">
    ${sections(TITLES)}
  </div>
  <p class="note" role="status"></p>
  <div class="row">
    <button>▶ Play</button>
    <input type="range" min="0" aria-label="Layers that are added up">
    <span class="count"></span>
    <label class="pill">Your own picture<input type="file" accept="image/*"></label>
  </div>`;

function createView(parent, data) {
  const root = place(parent, "stack", SKELETON);
  const view = {
    root,
    ...Object.fromEntries(Object.keys(TITLES).map((name) => [name, canvasOf(root, name)])),
    slider: root.querySelector("[type=range]"),
    button: root.querySelector("button"),
    cells: new OffscreenCanvas(1, 1),
    lifted: [], // of each layer, how far it has risen, 0 ... 1
    cut: data.cut,
  };
  view.slider.oninput = () => moveTo(view, Number(view.slider.value));
  view.slider.onkeydown = (event) => event.stopPropagation(); // keys of Streamlit
  view.button.onclick = () => (view.animation ? stop(view) : play(view));
  view.bars.onpointerdown = (event) => {
    const before = view.cut;
    if (event.pointerType === "mouse") pullTo(view, event); // a finger may scroll the page
    drag(view, view.bars, event, (moved) => pullTo(view, moved), (end) => {
      if (end === "pointercancel") moveTo(view, before);
      else tell(view);
    });
  };
  root.querySelector("[type=file]").onchange = ({ target }) => {
    if (target.files[0]) readPicture(view, target.files[0]);
    target.value = "";
  };
  return view;
}

// U', sigma and V' as floats in base64, one after the other.
function decode({ svd, shape: [p, q], rank }) {
  const floats = new Float32Array(bytesOf(svd).buffer);
  const m = Math.min(p, q);
  const rows = (start, length) => Array.from({ length: m }, (_, i) => floats.subarray(start + i * length, start + (i + 1) * length));
  return { p, q, rank, columns: rows(0, p), heights: [...floats.subarray(m * p, m * p + m)], rows: rows(m * p + m, q) };
}

// A layer without its height, row by row.
function layerOf({ p, q, columns, rows }, i) {
  return Float32Array.from({ length: p * q }, (_, at) => columns[i][Math.floor(at / q)] * rows[i][at % q]);
}

function sumOf(matrix, count) {
  const sum = new Float32Array(matrix.p * matrix.q);
  matrix.heights.slice(0, count).forEach((height, i) => {
    matrix.layers[i].forEach((entry, at) => (sum[at] += height * entry));
  });
  return sum;
}

// ---- what the reader does ------------------------------------------------------------------

function moveTo(view, cut) {
  stop(view);
  setCut(view, cut);
  afterKeys(view, () => tell(view));
}

function setCut(view, cut) {
  view.complaint = "";
  view.cut = Math.max(0, Math.min(view.matrix.rank, cut));
  invalidate(view);
}

function pullTo(view, { offsetX }) {
  stop(view);
  setCut(view, Math.round(offsetX / view.slot));
}

function play(view) {
  const { rank } = view.matrix;
  const first = view.cut >= rank ? 0 : view.cut + 1;
  animate(view, (time) => {
    setCut(view, first + Math.floor(time / PACE));
    if (view.cut === rank) stop(view);
    return view.cut < rank;
  });
}

function stop(view) {
  if (!view.animation) return;
  view.animation = null;
  invalidate(view);
  tell(view);
}

function tell(view) {
  if (hasMoved(view, view.cut)) view.send("moved", { [view.key]: view.cut });
}

async function readPicture(view, file) {
  const { p, q } = view.matrix;
  try {
    const image = await createImageBitmap(file);
    const side = Math.min(image.width, image.height);
    const context = new OffscreenCanvas(q, p).getContext("2d");
    const [x, y] = [(image.width - side) / 2, (image.height - side) / 2];
    context.imageSmoothingQuality = "high";
    context.drawImage(image, x, y, side, side, 0, 0, q, p);
    const { data } = context.getImageData(0, 0, q, p);
    const greys = Array.from({ length: p * q }, (_, i) => {
      const [red, green, blue] = data.slice(4 * i, 4 * i + 3);
      return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    });
    if (greys.some(Boolean)) view.send("own", greys);
    else complain(view, `${file.name} is all black: a matrix of zeros, which has no layer and rank 0.`);
  } catch {
    complain(view, `This browser cannot open ${file.name} as a picture.`);
  }
}

function complain(view, sentence) {
  view.complaint = sentence;
  invalidate(view);
}

// ---- what is drawn -------------------------------------------------------------------------

function paint(view) {
  paintSum(view);
  paintHeights(view);
  readOut(view);
  if (rise(view)) invalidate(view);
  paintFan(view);
}

// Bring the layers nearer to where they belong; return whether one is still on its way.
function rise(view) {
  let moving = false;
  view.lifted = view.matrix.heights.map((_, i) => {
    const [now, end] = [view.lifted[i] ?? 0, i < view.cut ? 1 : 0];
    if (isStill() || Math.abs(end - now) < 0.01) return end;
    moving = true;
    return now + 0.25 * (end - now);
  });
  return moving;
}

function paintSum(view) {
  const { matrix, theme, cut } = view;
  const { context, width, height } = openSheet(view.sum);
  const side = Math.min(width, height);
  const steps = sumOf(matrix, cut).map((grey) => 254 * grey - 127);
  ink(context, theme.border);
  drawCells(context, view, [matrix.p, matrix.q], steps, GREYS, { x: 0, y: 0, w: side, h: side });
}

function paintFan(view) {
  const { matrix, theme, cut, lifted, cards } = view;
  const { context, width, height, ratio, size } = openSheet(view.fan);
  const { p, q, rank } = matrix;
  const table = 0.34 * height;
  const tall = Math.min((height - table - 2.4 * size) / (1 - SKEW + SUNK), width * 0.42);
  const wide = tall * NARROW;
  const step = rank > 1 ? (width - wide - 2) / (rank - 1) ** SPREAD : 0;
  for (let i = rank - 1; i >= 0; i--) {
    const x = rank > 1 ? step * i ** SPREAD : (width - wide) / 2;
    const y = -SKEW * tall + 1 + (1 - lifted[i]) * SUNK * tall;
    const isNewest = i === cut - 1;
    context.save();
    context.setTransform((ratio * wide) / q, (ratio * SKEW * tall) / q, 0, (ratio * tall) / p, ratio * x, ratio * y);
    context.globalAlpha = 0.16 + 0.84 * lifted[i];
    context.drawImage(cards[i], 0, 0);
    context.strokeStyle = isNewest ? theme.accent : theme.text;
    context.lineWidth = isNewest ? 0.6 : 0.15;
    context.strokeRect(0, 0, q, p);
    context.restore();
    const isNumbered = i < cut && (isNewest || (i < 5 && (cut <= 6 || i < cut - 2)));
    if (!isNumbered || rank === 1) continue;
    ink(context, isNewest ? theme.accent : theme.text);
    write(context, String(i + 1), x + 0.12 * wide, y + tall + 4, "center", "top");
  }
  if (cut > 0) paintTable(view, context, cut - 1, table, height, size);
}

// The newest layer as a multiplication table: its row on top, its column at the left.
function paintTable(view, context, i, table, height, size) {
  const { matrix, theme } = view;
  const { p, q, columns, rows, heights, layers } = matrix;
  const [strip, gap] = [0.9 * size, 5];
  const [x, y, side] = [strip + gap + 1, height - table + strip + gap, table - strip - gap - 2];
  const inColours = (values, shape, box) => {
    const scale = 127 / largest(values);
    drawCells(context, view, shape, values.map((value) => value * scale), theme.diverging, box);
  };
  ink(context, theme.border);
  inColours(rows[i], [1, q], { x, y: y - strip - gap, w: side, h: strip });
  inColours(columns[i], [p, 1], { x: 1, y, w: strip, h: side });
  ink(context, theme.accent, 1, 2);
  inColours(layers[i], [p, q], { x, y, w: side, h: side });
  const left = x + side + size;
  context.save();
  context.font = `600 ${context.font}`;
  ink(context, theme.accent);
  write(context, `Layer ${i + 1}`, left, y, "left", "top");
  context.restore();
  ink(context, theme.text);
  write(context, "column × row, like a", left, y + 1.6 * size, "left", "top");
  write(context, "multiplication table", left, y + 3 * size, "left", "top");
  write(context, `height σ = ${plain(heights[i])}`, left, y + 4.8 * size, "left", "top");
}

function paintHeights(view) {
  const { matrix: { heights, rank }, theme, cut } = view;
  const { context, width, height, size } = openSheet(view.bars);
  const [top, bottom] = [1.8 * size, height - 1.7 * size];
  const [stack, gap] = [3.2 * size, 1.8 * size];
  const slot = (view.slot = (width - stack - gap) / heights.length);
  const isBroken = heights[1] > 0 && heights[0] > BROKEN * heights[1];
  const scale = (bottom - top) / (isBroken ? 1.55 * heights[1] : heights[0]);
  heights.forEach((sigma, i) => {
    const tall = Math.min(bottom - top, i < rank ? Math.max(2, scale * sigma) : 0);
    ink(context, theme.text, i < cut ? 0.9 : 0.2);
    context.fillRect(i * slot + 1, bottom - tall, slot - 2, tall);
    if (tall > 0) return;
    circle(context, (i + 0.5) * slot, bottom - 3, 2); // not a bar too small to see
    context.fill();
  });
  say(view.root, "bars", isBroken ? "σ, singular values; the first bar is cut" : TITLES.bars[1]);
  if (isBroken) {
    ink(context, theme.background, 1, 5);
    trace(context, [-1, top + 30], [slot / 2, top + 22], [slot + 1, top + 30]).stroke();
    ink(context, theme.text);
    write(context, plain(heights[0]), 0, top - 4, "left", "bottom");
  }
  drawNumbers(context, ordinals(heights.length, heights.length / 5), (i) => (i - 0.5) * slot, bottom + 5, theme);
  paintStack(view, context, { x: width - stack, wide: stack, top, bottom });
  ink(context, theme.accent, 1, 2.5);
  const [x, middle] = [cut * slot, top + 0.4 * (bottom - top)];
  trace(context, [x, top - 8], [x, bottom]).stroke();
  circle(context, x, middle, 9);
  context.fill();
  if (x + 8 * size < width - stack) write(context, "drag the cut", x + 16, middle, "left", "middle");
}

function paintStack({ matrix: { heights }, theme, cut }, context, { x, wide, top, bottom }) {
  const scale = (bottom - top) / total(heights);
  let y = bottom;
  heights.forEach((sigma, i) => {
    const tall = scale * sigma;
    y -= tall;
    ink(context, theme.text, i < cut ? 0.9 : 0.08);
    context.fillRect(x, y, wide, tall > 2 ? tall - 1 : tall);
  });
  const kept = total(heights.slice(0, cut));
  ink(context, theme.accent);
  write(context, plain(kept), x + wide / 2, bottom - scale * kept - 4, "center", "bottom");
  ink(context, theme.text, 0.8);
  write(context, "stack", x + wide / 2, bottom + 5, "center", "top");
}

function readOut(view) {
  const { root, matrix: { heights, rank }, cut, slider, animation } = view;
  const rest = total(heights.slice(cut).map((s) => s * s)) / total(heights.map((s) => s * s));
  const missing = cut === rank ? "Nothing is missing." : `Still missing: ${format(rest, "percent")} of the squared entries.`;
  const kept = plain(total(heights.slice(0, cut)));
  root.querySelector(".note").innerHTML =
    `<b>Rank ${cut}</b>: the number of layers before the cut. <b>Nuclear norm ${kept}</b>: the height of the stack. <span>${missing}</span>`;
  if (view.complaint) root.querySelector(".note").textContent = view.complaint;
  say(root, "sum", `from ${cut} of ${rank} layer${rank === 1 ? "" : "s"}`);
  view.button.textContent = animation ? "❚❚ Pause" : "▶ Play";
  slider.max = rank;
  slide(slider, cut, `${cut} of ${rank} layers, nuclear norm ${kept}`);
  root.querySelector(".count").textContent = `${cut} / ${rank}`;
  Object.assign(root.dataset, { cut, norm: kept });
  view.sum.ariaLabel = `The sum of the first ${cut} layers`;
  view.fan.ariaLabel = `${rank} layers, of which ${cut} are added up`;
  view.bars.ariaLabel = `Singular values: ${heights.slice(0, 5).map((s) => plain(s)).join(", ")}, …`;
}

// Each layer in its own scale, as a picture that can be drawn from the side.
function makeCards({ matrix, theme }) {
  return matrix.layers.map((layer) => {
    const [card, scale] = [new OffscreenCanvas(1, 1), 127 / largest(layer)];
    fillCells(card, [matrix.p, matrix.q], layer.map((entry) => entry * scale), theme.diverging);
    return card;
  });
}

export default toy(createView, (view, data) => {
  view.key = data.key;
  const isNew = view.svd !== data.svd;
  if (isNew) {
    view.svd = data.svd;
    view.complaint = "";
    view.matrix = decode(data);
    view.matrix.layers = view.matrix.heights.map((_, i) => layerOf(view.matrix, i));
  }
  if (hasNews(view, data.cut) || isNew) view.cut = Math.min(data.cut, view.matrix.rank);
  view.cards = makeCards(view);
});
