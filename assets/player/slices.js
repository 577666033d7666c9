// ---- slices --------------------------------------------------------------------------------

// A run may be a grid: its frames are all positions of some knobs, the last axis (along which the
// player plays) running fastest. What is shown is the slice at the knobs' places, as a run of its
// own that shares the arrays and the scales of the whole; so a knob that is dragged changes the
// picture at once. `axis.slices` is {knobs: [[key, how many values]], size}.

function placesIn({ knobs }, places) {
  return knobs.reduce((index, [key, count]) => index * count + (places[key] ?? 0), 0);
}

function sliceOf(run, player) {
  const { slices } = run.axis;
  if (!slices) return run;
  const { places } = player;
  const most = isCovered(player) ? askedFrame(run) + 1 : slices.size;
  const first = placesIn(slices, places) * slices.size;
  const count = Math.max(0, Math.min(most, run.count - first));
  const metrics = {};
  for (const [name, values] of Object.entries(run.metrics)) {
    metrics[name] = values.slice(first, first + count);
  }
  const images = run.images
    .filter(({ frame }) => frame >= first && frame < first + count)
    .map((image) => ({ ...image, frame: image.frame - first }));
  const total = Math.max(0, Math.min(slices.size, run.total - first));
  return Object.assign(Object.create(run), { first, metrics, images, count, total, over: run.over });
}
