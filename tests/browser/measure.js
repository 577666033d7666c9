// What the browser tells measure.py: layout shifts from the first one on, and what is where.

{
  const shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
    type: "layout-shift",
    buffered: true,
  });
  const totalShift = () => shifts.reduce((sum, { value }) => sum + value, 0);

  // Visible elements of the page without the header; those in shadow trees, too.
  function* elements(root = document.querySelector("[data-testid=stMain]")) {
    for (const node of root.querySelectorAll("*")) {
      if (node.checkVisibility({ visibilityProperty: true })) yield node;
      if (node.shadowRoot) yield* elements(node.shadowRoot);
    }
  }

  const outermost = (selector) =>
    [...elements()].filter(
      (node) => node.matches(selector) && !node.parentElement?.closest(selector),
    );

  function box(node) {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  }

  // A player that is covered holds the frame of the question, and asks for no other.
  const BUSY = `[data-testid=stSkeleton], ${["waiting", "reconnecting"]
    .map((status) => `.player[data-status=${status}]`)
    .join()}, .player[data-status=running]:not([data-covered=true])`;

  // Whether, since `restart`, scripts and runs have ended and nothing has moved for a second.
  let calmSince = Infinity;
  const restart = () => (calmSince = Infinity);
  function isQuiet() {
    const app = document.querySelector("[data-testid=stApp]");
    const now = performance.now();
    const isHidden = document.documentElement.classList.contains("loading"); // see settle.js
    const rests = app?.dataset.testScriptState === "notRunning" && !isHidden;
    const isCalm = rests && !outermost(BUSY).length;
    calmSince = isCalm ? Math.min(calmSince, now) : Infinity;
    return now - Math.max(calmSince, shifts.at(-1)?.startTime ?? 0) > 1000;
  }

  const pictures = (least, most) =>
    outermost("canvas, .js-plotly-plot, svg, img")
      .map(box)
      .filter(([left, top, right, bottom]) => {
        const side = Math.min(right - left, bottom - top);
        return least <= side && side < most;
      });

  const controls = () =>
    outermost("input[type=range], [role=slider], [role=radiogroup]")
      .filter((node) => !node.closest(".transport, .ask"))
      .map(box);

  // The idea of a lesson is a title of one line, and so is what opens an expander.
  const text = () => outermost("p, li").filter((node) => !node.closest(".st-key-idea, summary"));

  // The letters of each line of a paragraph, as it is broken on the screen.
  function lineLengths(block) {
    const lengths = [];
    const range = document.createRange();
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    let end = Infinity; // of the letter before: a new line begins left of it
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.parentElement.closest(".katex, button, label, style")) continue;
      for (let i = 0; i < text.length; i += 1) {
        range.setStart(text, i);
        range.setEnd(text, i + 1);
        const letter = range.getBoundingClientRect();
        if (!letter.width) continue; // white space that is not drawn
        if (letter.right < end) lengths.push(0);
        lengths[lengths.length - 1] += 1;
        end = letter.right;
      }
    }
    return lengths;
  }

  function background() {
    const { backgroundColor } = getComputedStyle(document.querySelector("[data-testid=stApp]"));
    return backgroundColor.match(/\d+/g).slice(0, 3).map(Number);
  }

  function layout() {
    const main = document.querySelector("[data-testid=stMain]");
    return {
      background: background(),
      pictures: pictures(100, Infinity),
      strips: pictures(48, 100),
      controls: controls(),
      height: main.scrollHeight,
      sideways: main.scrollWidth - main.clientWidth,
      characters: Math.max(0, ...text().flatMap(lineLengths)),
    };
  }

  window.measuring = { totalShift, restart, isQuiet, layout };
}
