// ---- stage ---------------------------------------------------------------------------------

// The panels share the room between what stands above the player and the bottom of the window, in
// rows, so that as much of it as possible is picture. Their order is the given one.

const GAP = 22; // pixels between panels
const HEAD = 1.35; // a title, in letters
const MIN_CHART = 20; // the least width of a chart, in letters
const MIN_CHART_WALL = 14; // likewise in class mode, whose letters are large
const MIN_STAGE = 19; // the least height of the stage, in letters
const MIN_STAGE_WALL = 13;

const isPicture = ({ spec }) => ["picture", "map", "band"].includes(spec.kind);

// What a picture has around its cells, in letters: numbers of rows and columns, a colour bar.
const margins = ({ bare, spec }) => (bare || spec.kind === "band" ? [0, 0] : [7.6, 2.7]);

const isPresenting = () => document.documentElement.classList.contains("presenting");


// In class mode the window begins with the question (see assets/head/present.js).
function heightOfStage(player, letter) {
  const scroller = document.querySelector(".stMain") ?? document.documentElement;
  const topOf = (node) => node.getBoundingClientRect().top + scroller.scrollTop;
  const question = document.querySelector(".st-key-question");
  const presents = isPresenting() && question;
  const from = presents ? topOf(question) : 0;
  const [numbers, dock] = [".numbers", ".dock"].map((name) => player.root.querySelector(name));
  const below = numbers.offsetHeight + dock.offsetHeight + letter;
  const least = letter * (presents ? MIN_STAGE_WALL : MIN_STAGE);
  return Math.max(least, window.innerHeight - topOf(player.root) + from - below);
}

// Sizes of the panels of a row of a given height: a picture is as wide as its cells are square, and
// charts share what is left.
function fillRow(row, width, height, letter) {
  const minChart = isPresenting() ? MIN_CHART_WALL : MIN_CHART;
  const inner = height - HEAD * letter;
  const room = width - GAP * (row.length - 1);
  const charts = row.filter((panel) => !isPicture(panel)).length;
  const [least, most] = [charts * minChart * letter, inner];
  const widthAt = (size) =>
    row.filter(isPicture).reduce((sum, panel) => {
      const [across, down] = margins(panel);
      return sum + Math.max(1, size - down * letter) * panel.aspect + across * letter;
    }, 0);
  let size = most; // of a picture's sheet
  if (charts < row.length && widthAt(size) > room - least) {
    const [full, none] = [widthAt(most), widthAt(0)];
    size = Math.max(4 * letter, ((room - least - none) / Math.max(1, full - none)) * most);
  }
  const shares = row.reduce((sum, panel) => sum + (isPicture(panel) ? 0 : (panel.weight ?? 1)), 0);
  const rest = charts ? (room - (charts < row.length ? widthAt(size) : 0)) / shares : 0;
  const sizes = row.map((panel) => {
    if (!isPicture(panel)) return [Math.max(rest * (panel.weight ?? 1), minChart * letter), inner];
    const [across, down] = margins(panel);
    return [Math.max(1, size - down * letter) * panel.aspect + across * letter, size];
  });
  const area = sizes.reduce((sum, [w, h]) => sum + w * h, 0);
  return { sizes, area };
}

// All ways to break the panels into rows of equal height.
function arrangeRows(panels, width, height, letter) {
  let best = { area: -1 };
  for (let breaks = 0; breaks < 2 ** (panels.length - 1); breaks++) {
    const rows = [[]];
    panels.forEach((panel, i) => {
      rows.at(-1).push(panel);
      if ((breaks >> i) & 1) rows.push([]);
    });
    if (rows.length > 3) continue;
    const each = (height - GAP * (rows.length - 1)) / rows.length;
    if (rows.length > 1 && each < 9 * letter) continue;
    const filled = rows.map((row) => fillRow(row, width, each, letter));
    const area = filled.reduce((sum, row) => sum + row.area, 0);
    if (area > 1.02 * best.area) best = { area, filled };
  }
  return best.filled.flatMap(({ sizes }) => sizes);
}

const NARROW = 640; // pixels: below, one panel stands under the other

function layOut(player) {
  const { grid, stagePanels: panels } = player;
  const width = grid.clientWidth;
  if (width === 0 || panels.length === 0) return;
  const letter = parseFloat(getComputedStyle(grid).fontSize);
  const height = heightOfStage(player, letter);
  const drawn = panels.filter(({ canvas }) => canvas);
  const sizes =
    width < NARROW
      ? drawn.map((panel) => {
          const tall = isPicture(panel) ? (width / panel.aspect) * (panel.bare ? 1 : 0.85) : 16 * letter;
          return [width, Math.min(tall, 0.6 * window.innerHeight)];
        })
      : arrangeRows(drawn, width, height, letter);
  drawn.forEach(({ root, sheet, isHeadless }, i) => {
    const [w, tall] = sizes[i] ?? [width, 12 * letter];
    const h = tall + (isHeadless ? HEAD * letter : 0);
    root.style.width = `${Math.min(width, Math.floor(w))}px`;
    sheet.style.height = `${Math.floor(h)}px`;
  });
}
