// Shows the meaning of the symbol under the pointer, in texts and formulas of the whole page.

const LETTERS = ["\\p{L}", "\\p{N}", "_"].join("");

function meaningOf(symbol) {
  const page = location.pathname.split("/").at(-1);
  return MEANINGS.pages[page]?.[symbol] ?? MEANINGS.everywhere[symbol];
}

// The character under the pointer, if it stands alone: "τ" but not the "t" of "text".
function symbolAt({ clientX, clientY }) {
  const place = document.caretPositionFromPoint?.(clientX, clientY);
  const node = place?.offsetNode;
  if (node?.nodeType !== Node.TEXT_NODE) return null;
  const text = node.textContent;
  const range = document.createRange();
  for (const at of [place.offset, place.offset - 1]) {
    if (at < 0 || at >= text.length) continue;
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const box = range.getBoundingClientRect();
    const inside = box.left <= clientX && clientX <= box.right && box.top <= clientY && clientY <= box.bottom;
    const alone = !new RegExp(`[${LETTERS}]`, "u").test((text[at - 1] ?? "") + (text[at + 1] ?? ""));
    const known = [text.slice(at, at + 2), text[at]].find(meaningOf); // λ₂, λ
    if (inside && known && (alone || text[at] > "\u036f")) return [node.parentElement, known];
  }
  return null;
}

let under = null;

document.addEventListener("pointermove", (event) => {
  const [element, symbol] = symbolAt(event) ?? [null, ""];
  if (under !== element) under?.removeAttribute("title");
  under = element;
  if (element) element.title = `${symbol}: ${meaningOf(symbol)}`;
}, { passive: true });
