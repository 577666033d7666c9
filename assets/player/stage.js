// ---- stage ---------------------------------------------------------------------------------

// The panels share the room between what stands above the player and the bottom of the window, in
// rows, so that as much of it as possible is picture. Their order is the given one.

const GAP = 22; // pixels between panels
const HEAD = 1.35; // a title, in letters
const MIN_CHART = 20; // the least width of a chart, in letters
const MIN_CHART_WALL = 14; // likewise in class mode, whose letters are large
const MIN_STAGE = 19; // the least height of the stage, in letters
const MIN_STAGE_WALL = 13;

const isPresenting = () => document.documentElement.classList.contains("presenting");

// In class mode the window begins with the question (see assets/head/present.js).
function heightOfStage(player, letter) {
  const scroller = document.querySelector(".stMain");
  const topOf = (node) => node.getBoundingClientRect().top + scroller.scrollTop;
  const question = document.querySelector(".st-key-question");
  const presents = isPresenting() && question;
  const from = presents ? topOf(question) : 0;
  const [numbers, dock] = [".numbers", ".dock"].map((name) => player.root.querySelector(name));
  const below = numbers.offsetHeight + dock.offsetHeight + letter;
  const least = letter * (presents ? MIN_STAGE_WALL : MIN_STAGE);
  return Math.max(least, window.innerHeight - topOf(player.root) + from - below);
}

// Sizes of the panels of a row of a given height: those with an aspect are as wide as their cells are
// square, and charts share what is left.
function fillRow(row, width, height, letter) {
  const minChart = Math.min(letter * (isPresenting() ? MIN_CHART_WALL : MIN_CHART), 0.3 * width);
  const tall = height - HEAD * letter;
  const room = width - GAP * (row.length - 1);
  const sum = (numberOf) => row.reduce((total, panel) => total + numberOf(panel), 0);
  const aspects = sum(({ aspect = 0 }) => aspect);
  const charts = row.filter(({ aspect }) => !aspect).length;
  const size = aspects && Math.max(4 * letter, Math.min(tall, (room - minChart * charts) / aspects)); // of a picture's sheet
  const chart = [Math.max((room - size * aspects) / charts, minChart), tall];
  const sizes = row.map(({ aspect }) => (aspect ? [size * aspect, size] : chart));
  const area = sizes.reduce((total, [w, h]) => total + w * h, 0);
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
  const below = ({ aspect }) => [width, Math.min(aspect ? width / aspect : 16 * letter, 0.56 * innerHeight)];
  const sizes =
    width < NARROW
      ? panels.map(below)
      : arrangeRows(panels, width, heightOfStage(player, letter), letter);
  panels.forEach(({ root, sheet }, i) => {
    const [w, h] = sizes[i];
    root.style.width = `${Math.min(width, Math.floor(w))}px`;
    sheet.style.height = `${Math.floor(h)}px`;
  });
}
