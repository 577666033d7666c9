// Draws the places of a map as buttons, which phone.js then watches.

const grid = document.querySelector(".grid");
const { axes, vote, right } = Object.fromEntries(Object.entries(grid.dataset).map(([name, text]) => [name, JSON.parse(text)]));
const [[across, columns], [up, rows]] = Object.entries(axes);

const add = (tag, column, row, values) => {
  const node = Object.assign(document.createElement(tag), values);
  Object.assign(node.style, { gridColumn: column + 2, gridRow: rows.length - row });
  grid.append(node);
};
grid.style.setProperty("--columns", columns.length);
rows.forEach((n, row) => {
  add("i", -1, row, { textContent: n });
  columns.forEach((rank, column) => {
    const place = row * columns.length + column;
    const ariaLabel = `${across} = ${rank}, ${up} = ${n}`;
    const textContent = place === right ? "✓" : "";
    add("button", column, row, { type: "button", ariaLabel, ariaPressed: place === vote, disabled: right !== null, textContent });
  });
});
columns.forEach((rank, column) => add("i", column, -1, { textContent: rank % 5 && rank > 1 ? "" : rank }));
add("i", -1, -1, { innerHTML: `${up} ↑<br>${across} →` });
