// ---- grid: runs that were computed in advance ------------------------------------------------

// `pages/smm/live/grid.py` writes the file: a header, then a zlib stream with the numbers of each
// run and its images. A run is decoded when it is first looked at.
async function readGrid(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const packed = new Blob([new Uint8Array(buffer, 4 + length)]);
  const unpacked = packed.stream().pipeThrough(new DecompressionStream("deflate"));
  const body = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const [, p, q] = header.shape;
  const imageBytes = 2 * p * q + Math.min(p, q);
  let at = 0;
  const places = header.runs.map(([count, schedule]) => {
    const steps = [...header.schedules[schedule].filter((step) => step < count), count];
    const place = { at, count, steps };
    at += GRID_BYTES * count + imageBytes * steps.length;
    return place;
  });
  if (at !== body.length) throw new Error(`${body.length} bytes, announced ${at}`);
  return { header, body, places, runs: new Map() };
}

const GRID_CODES = ["apart", "moved", "gap", "ratio"]; // two bytes each; one for step, rank and fit
const GRID_BYTES = 2 * GRID_CODES.length + 3; // of each step
const ZERO_CODE = -32768;
const RESTART_STEP = 3; // `Step.RESTART` of pages/shared/algorithm1.py

// The number of a run, whose last knob changes fastest; undefined if a value is not on the grid.
function gridNumber({ header: { knobs } }, values) {
  let number = 0;
  for (const [name, options] of Object.entries(knobs)) {
    const at = options.indexOf(values[name]);
    if (at < 0) return undefined;
    number = number * options.length + at;
  }
  return number;
}

// A run as the store holds one, all of it.
function gridRun(grid, values, axis) {
  const number = gridNumber(grid, values);
  if (number === undefined) return null;
  if (!grid.runs.has(number)) grid.runs.set(number, decodeGridRun(grid, number, values));
  return Object.assign(grid.runs.get(number), { axis });
}

function decodeGridRun({ header, body, places }, number, knobs) {
  const { at, count, steps } = places[number];
  const { C, tau } = header.knobs;
  const weights = C.indexOf(knobs.C) * tau.length + tau.indexOf(knobs.tau);
  const [scale, largest] = header.scales[weights];
  const run = newRun(`grid/${number}`);
  Object.assign(run, { phase: "finished", over: true, count, total: count, knobs, scale, largest });
  run.metrics = gridMetrics(header, body.subarray(at, at + GRID_BYTES * count), count, knobs);
  for (const [name, values] of Object.entries(run.metrics)) {
    for (const value of values) widen(run.extents, name, value);
  }
  const images = gridImages(header, body.subarray(at + GRID_BYTES * count), steps, scale, largest);
  for (const record of images) appendImages(run, record);
  return run;
}

function gridMetrics({ codes, shape }, bytes, count, { rho }) {
  const metrics = { k: Array.from({ length: count }, (_, i) => i + 1) };
  GRID_CODES.forEach((name, column) => {
    const [low, high] = [2 * column * count, (2 * column + 1) * count];
    let code = 0;
    metrics[name] = Array.from({ length: count }, (_, i) => {
      code = ((code + (bytes[low + i] | (bytes[high + i] << 8))) << 16) >> 16; // modulo 2^16
      return code === ZERO_CODE ? 0 : 10 ** (code / codes[name]);
    });
  });
  const column = (i) => Array.from(bytes.subarray((8 + i) * count, (9 + i) * count));
  [metrics.step, metrics.rank] = [column(0), column(1)];
  metrics.fit = column(2).map((correct) => correct / shape[0]);
  metrics.restarted = metrics.step.map((step) => Number(step === RESTART_STEP));
  metrics.residual = metrics.apart.map((apart, i) => rho * apart ** 2 + metrics.moved[i] ** 2 / rho);
  metrics.rho = metrics.k.map(() => rho);
  [metrics.t, metrics.momentum] = [[], []];
  let t = 1;
  metrics.restarted.forEach((restarted, i) => {
    const next = restarted ? 1 : (1 + Math.sqrt(1 + 4 * t * t)) / 2;
    metrics.t[i] = next;
    metrics.momentum[i] = restarted ? 0 : (t - 1) / next;
    t = next;
  });
  return metrics;
}

// W is stored as its change since the image before, S as its distance from W.
function gridImages({ shape, levels, singularLevels }, bytes, steps, scale, largest) {
  const [, p, q] = shape;
  const [cells, count] = [p * q, Math.min(p, q)];
  const layout = {
    itemsize: 12 + 2 * cells + 4 * count,
    fields: {
      ...{ frame: ["<u4", [], 0], W_scale: ["<f4", [], 4], S_scale: ["<f4", [], 8] },
      ...{ W: ["i1", [p, q], 12], S: ["i1", [p, q], 12 + cells] },
      singular_values: ["<f4", [count], 12 + 2 * cells],
    },
  };
  const buffer = new ArrayBuffer(layout.itemsize * steps.length);
  const view = new DataView(buffer);
  let [from, before] = [0, new Int8Array(cells)];
  return steps.map((step, i) => {
    const at = i * layout.itemsize;
    view.setUint32(at, step - 1, true);
    for (const offset of [4, 8]) view.setFloat32(at + offset, (scale * 127) / levels, true);
    const W = new Int8Array(buffer, at + 12, cells);
    const S = new Int8Array(buffer, at + 12 + cells, cells);
    for (let cell = 0; cell < cells; cell += 1) {
      W[cell] = before[cell] + bytes[from + cell]; // modulo 2^8
      S[cell] = W[cell] + bytes[from + cells + cell];
    }
    for (let j = 0; j < count; j += 1) {
      const value = (bytes[from + 2 * cells + j] * largest) / singularLevels;
      view.setFloat32(at + 12 + 2 * cells + 4 * j, value, true);
    }
    [from, before] = [from + 2 * cells + count, W];
    return { buffer, layout, at };
  });
}
