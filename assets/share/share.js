// Links to the page and to its picture alone, and the picture as a PNG with its title and settings.
// The address holds all settings that are not at their defaults; the frame that is seen is added.

import { answer } from "../lib/answer.js";
import { paintAt } from "../lib/canvas.js";
import { below } from "../lib/dom.js";
import { copyText, saveBlob } from "../lib/give.js";

const LECTURERS = ["present", "ask", "step", "vote"]; // parameters that are not about the picture
const ALONE = [["stage", "1"], ["embed", "true"]]; // the picture and its knobs, without the frame
const MARGIN = 24; // px around the picture
const RATIO = 3; // pixels of the saved picture for each of the page

const SKELETON = `
  <button data-act="link">Copy link to this page</button>
  <button data-act="picture">Copy link to the picture alone</button>
  <button data-act="frame">Copy &lt;iframe&gt; of the picture</button>
  <button data-act="save">Save the picture (PNG)</button>
  <button data-act="file">Save as a web page</button>
  <p role="status"></p>`;

function address(alone) {
  const link = new URL(location.href);
  for (const name of LECTURERS) link.searchParams.delete(name);
  if (alone || !answer.isHidden()) link.searchParams.set("answer", "1"); // opens behind the question
  const player = partsOf("stage").find((part) => part.matches(".player:not(.still)"));
  if (player) link.searchParams.set("frame", player.dataset.frame);
  for (const [name, value] of alone ? ALONE : []) link.searchParams.set(name, value);
  return link.href;
}

const partsOf = (key) => [...below(document.querySelector(`.st-key-${key}`) ?? new DocumentFragment())];
const isSeen = (part) => part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().height > 0;

// A canvas with the border that its style gives it.
function drawCanvas(context, canvas, { x, y, width, height }) {
  const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(canvas);
  const border = Number.parseFloat(borderTopWidth);
  context.drawImage(canvas, x + border, y + border, width - 2 * border, height - 2 * border);
  if (!border) return;
  Object.assign(context, { strokeStyle: borderTopColor, lineWidth: border });
  context.setLineDash(borderTopStyle === "dashed" ? [3 * border, 2 * border] : []);
  context.strokeRect(x + border / 2, y + border / 2, width - border, height - border);
}

// The words of a text where they stand, in their own letters.
function drawWords(context, part) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const end = part.getBoundingClientRect().right + 1; // where what is longer is cut off
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const { fontWeight, fontSize, fontFamily, color } = getComputedStyle(node.parentElement);
    Object.assign(context, { font: `${fontWeight} ${fontSize} ${fontFamily}`, fillStyle: color });
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const { x, y, right, width, height } = range.getBoundingClientRect();
      if (width && right <= end && isSeen(node.parentElement)) context.fillText(word, x, y + height / 2);
    }
  }
}

// What has a ground of its own, such as a handle with its value.
function drawGround(context, part, { x, y, width, height }) {
  const { backgroundColor, borderRadius } = getComputedStyle(part);
  context.fillStyle = backgroundColor;
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(height / 2, Number.parseFloat(borderRadius) || 0));
  context.fill();
}

const DRAWN = "canvas, header, .goal, .note, .proof, .ask > span, .status, .handle";

function drawPicture() {
  const parts = partsOf("stage").filter(isSeen).filter((part) => part.matches(DRAWN));
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...boxes.map((box) => box[side])));
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.querySelector(".stApp"));
  const size = [right - left + 2 * MARGIN, bottom - top + 5 * MARGIN]; // with a title and settings
  const sheet = new OffscreenCanvas(...size.map((side) => RATIO * side));
  const context = sheet.getContext("2d");
  context.scale(RATIO, RATIO);
  context.imageSmoothingEnabled = false; // the cells of small matrices stay sharp
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, ...size);
  context.translate(MARGIN - left, 3 * MARGIN - top); // from here on, places are those in the window
  context.textBaseline = "middle";
  paintAt(RATIO, () =>
    parts.forEach((part, i) => {
      if (part.matches("canvas")) return drawCanvas(context, part, boxes[i]);
      drawGround(context, part, boxes[i]);
      drawWords(context, part);
    }),
  );
  const write = (text, x, y, font) => {
    Object.assign(context, { font: `${font} ${fontFamily}`, fillStyle: color });
    context.fillText(text, x, y);
  };
  write(document.title, left, top - 1.7 * MARGIN, "600 20px");
  const settings = [...new URL(address(false)).searchParams].filter(([key]) => key !== "answer");
  const knobs = [...partsOf("controls"), ...partsOf("stage")]
    .filter((part) => part.matches(".knob:has(b)"))
    .map((part) => `${part.querySelector("b").textContent} ${part.querySelector("output")?.textContent ?? ""}`.trim());
  const words = [...knobs, location.host + location.pathname, ...settings.map((each) => each.join("="))];
  write(words.join(", "), left, bottom + MARGIN, "12px");
  return sheet.convertToBlob({ type: "image/png" });
}

const save = async () => saveBlob(await drawPicture(), `${location.pathname.split("/").pop() || "home"}.png`);

const frame = () => `<iframe src="${address(true).replaceAll("&", "&amp;")}" title="${document.title}" width="800" height="450" style="border: 0"></iframe>`;

// A file that opens without a server, at the settings of this page.
async function saveFile({ file }, say) {
  say("The file is being written: up to a minute …");
  const answer = await fetch(`${file}${new URL(address(false)).search}`, { method: "POST" });
  if (!answer.ok) throw new Error(await answer.text());
  saveBlob(await answer.blob(), `${file.split("/").pop()}.html`);
}

const ACTS = {
  link: [() => copyText(address(false)), "Copied."],
  picture: [() => copyText(address(true)), "Copied, for slides and learning platforms."],
  frame: [() => copyText(frame()), "Copied, as HTML for a page of your own."],
  save: [save, "Saved."],
  file: [saveFile, "Saved. It opens without a server."],
};

export default function ({ parentElement, data }) {
  if (parentElement.querySelector(".share")) return;
  const root = document.createElement("div");
  root.className = "share";
  root.innerHTML = SKELETON;
  root.querySelector("[data-act=file]").hidden = !data.file;
  root.onclick = async ({ target }) => {
    const [act, said] = ACTS[target.dataset.act] ?? [];
    if (!act) return;
    const isPossible = target.dataset.act === "link" || partsOf("stage").some((part) => part.matches("canvas"));
    const say = (text) => (root.querySelector("p").textContent = text);
    if (!isPossible) return say("This page has no picture of its own.");
    const failed = ({ message }) => (act === saveFile ? message : "The browser did not allow it.");
    say(await act(data, say).then(() => said, failed));
  };
  parentElement.append(root);
}
