// Links to the page and to its picture alone, and the picture as a PNG with its title and settings.
// The address holds all settings that are not at their defaults; the frame that is seen is added.

const LECTURERS = ["present", "ask", "step", "vote"]; // parameters that are not about the picture
const MARGIN = 24; // px around the picture
const SAID = 2_000; // ms

const SKELETON = `
  <button data-act="link">Copy link to this page</button>
  <button data-act="picture">Copy link to the picture alone</button>
  <button data-act="save">Save the picture (PNG)</button>
  <p role="status"></p>`;

function address(alone) {
  const link = new URL(location.href);
  for (const name of LECTURERS) link.searchParams.delete(name);
  link.searchParams.set("answer", "1"); // opens behind the question
  const player = partsOfStage().find((part) => part.matches(".player:not(.still)"));
  if (player) link.searchParams.set("frame", player.dataset.frame);
  if (alone) link.searchParams.set("stage", "1");
  if (alone) link.searchParams.set("embed", "true");
  return link.href;
}

// Without HTTPS a browser has no clipboard; a text that is selected can be copied all the same.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("not copied");
}

// All elements below one, also those that a component keeps to itself.
function* below(element) {
  for (const child of element.children) {
    yield child;
    if (child.shadowRoot) yield* below(child.shadowRoot);
    yield* below(child);
  }
}

const partsOfStage = () => [...below(document.querySelector(".st-key-stage") ?? new DocumentFragment())];
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().height > 0;

function drawPicture() {
  const parts = partsOfStage().filter(isSeen);
  const canvases = parts.filter((part) => part instanceof HTMLCanvasElement);
  const texts = parts.filter((part) => part.matches("header, .note, .status"));
  const boxes = [...canvases, ...texts].map((part) => part.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)) - MARGIN;
  const top = Math.min(...boxes.map((box) => box.top)) - 3 * MARGIN;
  const right = Math.max(...boxes.map((box) => box.right)) + MARGIN;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + 2 * MARGIN;
  const style = getComputedStyle(document.querySelector(".stApp"));
  const ratio = Math.max(2, devicePixelRatio);
  const sheet = new OffscreenCanvas(ratio * (right - left), ratio * (bottom - top));
  const context = sheet.getContext("2d");
  context.scale(ratio, ratio);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, right - left, bottom - top);
  for (const canvas of canvases) {
    const box = canvas.getBoundingClientRect();
    context.drawImage(canvas, box.left - left, box.top - top, box.width, box.height);
  }
  context.fillStyle = style.color;
  context.textBaseline = "middle";
  const write = (text, x, y, font) => {
    context.font = `${font} ${style.fontFamily}`;
    context.fillText(text, x, y);
  };
  for (const part of texts) {
    const box = part.getBoundingClientRect();
    const words = part.matches("header") ? [...part.children] : [part];
    const text = words.map((each) => each.innerText.replace(/\s+/g, " ")).filter(Boolean).join(" · ");
    write(text, box.left - left, (box.top + box.bottom) / 2 - top, "15px");
  }
  write(document.title, MARGIN, 1.3 * MARGIN, "600 20px");
  const settings = decodeURIComponent(new URL(address(false)).search.slice(1)).replace(/&?answer=1/, "");
  write(`${location.host}${location.pathname} ${settings.replaceAll("&", ", ")}`, MARGIN, bottom - top - MARGIN, "12px");
  return sheet.convertToBlob({ type: "image/png" });
}

async function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await drawPicture());
  link.download = `${location.pathname.split("/").pop() || "home"}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const ACTS = {
  link: [() => copy(address(false)), "Copied."],
  picture: [() => copy(address(true)), "Copied, for slides and learning platforms."],
  save: [save, "Saved."],
};

export default function ({ parentElement }) {
  if (parentElement.querySelector(".share")) return;
  const root = document.createElement("div");
  root.className = "share";
  root.innerHTML = SKELETON;
  const status = root.querySelector("p");
  root.onclick = async ({ target }) => {
    const [act, said] = ACTS[target.dataset.act] ?? [];
    if (!act) return;
    if (target.dataset.act !== "link" && !partsOfStage().some((part) => part instanceof HTMLCanvasElement)) {
      status.textContent = "This page has no picture of its own.";
      return;
    }
    try {
      await act();
      status.textContent = said;
    } catch {
      status.textContent = "The browser did not allow it.";
    }
    setTimeout(() => (status.textContent = ""), SAID);
  };
  parentElement.append(root);
}
