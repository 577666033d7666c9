// ---- stage ---------------------------------------------------------------------------------

// The panels share the room between what stands above the player and the bottom of the window, in
// rows or as a block of pictures beside a chart. Their order is the given one.

const GAP = 22; // pixels between panels
const HEAD = 1.4; // a line of a title, in letters
const WIDEST = { int: "00", percent: "100.0 %", score: "0.00", number: "0.0000", sci: "0.00 × 10⁻¹⁰" }; // beside a title, by format
const MIN_CHART = 26; // the least width of a chart, in letters
const MARGINS = 8; // of a chart, in letters
const MOST_LINES = 3; // of a head
const MIN_STAGE = 19; // the least height of the stage, in letters
const MIN_STAGE_WALL = 13;

const isPresenting = () => document.documentElement.classList.contains("presenting");

function heightOfStage(player, letter) {
  const top = player.root.getBoundingClientRect().top + document.querySelector(".stMain").scrollTop;
  const [numbers, dock] = [".numbers", ".dock"].map((name) => player.root.querySelector(name));
  const below = numbers.offsetHeight + dock.offsetHeight + letter;
  const least = letter * (isPresenting() ? MIN_STAGE_WALL : MIN_STAGE);
  return Math.max(least, window.innerHeight - top - below);
}

// Large letters leave room for pictures: a chart takes no more than a share, which is larger alone.
const leastChart = (width, letter, charts = 1) =>
  Math.min(letter * MIN_CHART, width * Math.min(charts > 1 ? 0.3 : 0.36, 0.8 / charts));

// Sizes of the panels of a row of a given height: those with an aspect are as wide as their cells are
// square, and charts share what is left. Where there is no chart, a head may be wider than its picture.
function fillRow(row, width, height, letter, lines) {
  const tallOf = ({ aspect, numbers }) => height - HEAD * letter * (aspect || numbers ? lines : 1);
  const tall = Math.min(...row.map(tallOf));
  const room = width - GAP * (row.length - 1);
  const sum = (numberOf) => row.reduce((total, panel) => total + numberOf(panel), 0);
  const aspects = sum(({ aspect = 0 }) => aspect);
  const charts = row.filter(({ aspect }) => !aspect).length;
  const minChart = leastChart(width, letter, charts);
  const size = aspects && Math.max(4 * letter, Math.min(tall, (room - minChart * charts) / aspects)); // of a picture's sheet
  const chart = Math.max((room - size * aspects) / charts, minChart);
  const widthOf = ({ aspect }) => (aspect ? size * aspect : chart);
  const head = charts ? 0 : room / row.length;
  return row.map((panel) => [widthOf(panel), panel.aspect ? size : tallOf(panel), Math.max(widthOf(panel), head)]);
}

// Pictures in two rows, and a chart as tall as both beside them; none where it has no room.
function fillBlock(panels, width, height, letter, lines) {
  const pictures = panels.filter(isPicture);
  const columns = panels.length >> 1;
  const [{ aspect }] = pictures;
  const tall = height / 2 - HEAD * letter * lines;
  const column = Math.max(tall * aspect, ...pictures.map((panel) => widthOf(panel, lines, letter)));
  const chart = width - (column + GAP) * columns;
  if (chart < leastChart(width, letter)) return null;
  return panels.map((panel) => (isPicture(panel) ? [tall * aspect, tall, column] : [chart, height - HEAD * letter, chart]));
}

const usableArea = (width, height) => Math.min(width, 2 * height) * Math.min(height, width);

const isPicture = ({ aspect }) => Boolean(aspect);
const isChart = ({ aspect }) => !aspect;
const isBlock = (panels) =>
  panels.length > 2 && panels.filter(isChart).length === 1 && isChart(panels[0]) !== isChart(panels.at(-1));

// All ways to break the panels into rows of equal height, and the block, with heads of one line or more.
// No panel is to starve for another: the best way has the largest product of areas. That of a chart is what
// its axis and the names of its curves leave, and it gains little from being long or tall.
function arrange(panels, width, height, letter) {
  let best = { score: Number.NEGATIVE_INFINITY };
  const take = (sizes, lines, columns = 0) => {
    const needed = Math.min(MOST_LINES, linesOf(panels, sizes, letter));
    if (needed > lines || (best.sizes && needed < lines)) return;
    const areas = sizes.map(([w, h], i) => (isChart(panels[i]) ? usableArea(w - MARGINS * letter, h) : w * h));
    const score = areas.reduce((sum, area) => sum + Math.log(Math.max(area, 1)), 0);
    if (score > best.score + 0.02 * sizes.length) best = { score, sizes, lines: needed, columns };
  };
  for (let lines = 1; lines <= MOST_LINES; lines++) {
    for (let breaks = 0; breaks < 2 ** (panels.length - 1); breaks++) {
      const rows = [[]];
      panels.forEach((panel, i) => {
        rows.at(-1).push(panel);
        if ((breaks >> i) & 1) rows.push([]);
      });
      const each = height / rows.length;
      if (rows.length > 1 && each < 9 * letter) continue;
      take(rows.flatMap((row) => fillRow(row, width, each, letter, lines)), lines);
    }
    const block = isBlock(panels) && fillBlock(panels, width, height, letter, lines);
    if (block) take(block, lines, panels.length >> 1);
  }
  return best;
}

// The widths of a head's title and of its numbers. Nothing moves as these change, for each is taken to be
// as wide as it gets.
function measureHead({ spec, canvas, numbers }, letter) {
  const context = canvas.getContext("2d");
  const { fontSize, fontFamily } = getComputedStyle(numbers.root);
  context.font = `${fontSize} ${fontFamily}`;
  const widthOf = (text) => context.measureText(text).width + 0.8 * letter;
  const texts = spec.numbers.map(({ label, format }) => `${label} ${WIDEST[format]}`);
  return { title: widthOf(spec.title), all: texts.reduce((sum, text) => sum + widthOf(text), -0.8 * letter) };
}

// Where a title and its numbers do not fit beside each other, these go below it.
const linesOf = (panels, sizes, letter) =>
  panels.reduce((most, panel, i) => {
    if (!panel.numbers) return most;
    const [{ title, all }, [, , width]] = [measureHead(panel, letter), sizes[i]];
    return Math.max(most, title + all < width ? 1 : 1 + Math.ceil(all / width));
  }, 1);

function widthOf(panel, lines, letter) {
  if (!panel.numbers) return 0;
  const { title, all } = measureHead(panel, letter);
  return 1 + (lines === 1 ? title + all : Math.max(title, all / (lines - 1)));
}

const NARROW = 640; // pixels: below, one panel stands under the other, and pictures in pairs
const DOCK = 7.2; // letters; on a phone the player sticks to the lower edge
const LOW_CHART = 10; // letters

// A chart whose axis would lie below the player is a bit lower, so that it is seen whole.
function endAboveDock({ root, grid, stagePanels }, letter) {
  const charts = stagePanels.filter(isChart);
  const bottom = grid.getBoundingClientRect().bottom + document.querySelector(".stMain").scrollTop;
  const over = (bottom + DOCK * letter - innerHeight) / charts.length;
  if (!(over > 0) || root.matches(".still")) return;
  for (const { sheet } of charts) {
    const tall = sheet.clientHeight - over;
    if (tall > LOW_CHART * letter) sheet.style.height = `${Math.floor(tall)}px`;
  }
}

export function layOut(player) {
  const { grid, stagePanels: panels } = player;
  const width = grid.clientWidth;
  if (width === 0 || panels.length === 0) return;
  const letter = parseFloat(getComputedStyle(grid).fontSize);
  const pair = panels.filter(({ spec }) => spec.kind === "picture").length > 1 ? (width - GAP) / 2 : width;
  const below = ({ aspect, spec }) => {
    const wide = spec.kind === "picture" ? pair : width;
    return [wide, Math.min(aspect ? wide / aspect : 16 * letter, 0.56 * innerHeight), wide];
  };
  const arranged = width < NARROW ? { sizes: panels.map(below) } : arrange(panels, width, heightOfStage(player, letter), letter);
  const { sizes, columns = 0, lines = linesOf(panels, sizes, letter) } = arranged;
  grid.style.setProperty("--lines", lines);
  grid.classList.toggle("below", lines > 1);
  grid.classList.toggle("block", columns > 0);
  const tracks = ["auto", `repeat(${columns}, 1fr)`];
  grid.style.gridTemplateColumns = (isChart(panels[0]) ? tracks : tracks.toReversed()).join(" ");
  panels.forEach((panel, i) => {
    const { root, sheet } = panel;
    const [w, h, head] = sizes[i];
    const wide = Math.max(w, Math.min(head, widthOf(panel, lines, letter)));
    root.style.width = `${Math.min(width, Math.floor(wide))}px`;
    sheet.style.width = `${Math.min(width, Math.floor(w))}px`;
    sheet.style.height = `${Math.floor(h)}px`;
  });
  if (width < NARROW) endAboveDock(player, letter);
}
