// The question of a lesson. The answers stay where they are; after a guess, or once the answer is
// revealed in another way (see assets/head/reveal.js), the right one is marked and a reply follows.

const guesses = new Map(); // address of a lesson -> index of the answer that was chosen
const drawn = new WeakMap();

function node(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function build(parent, { question, answers }) {
  const label = node("b", { id: "question" }, question);
  const chips = answers.map(({ text }, i) =>
    node("button", { type: "button", role: "radio", class: "chip", "data-index": i }, text),
  );
  const group = node("div", { role: "radiogroup", "aria-labelledby": "question", class: "chips" }, ...chips);
  const reply = node("span", { class: "reply", tabindex: "-1", "aria-live": "polite" });
  const again = node("button", { type: "button", class: "again" }, "Ask again");
  const root = node("div", { class: "ask" }, label, group, reply, again);
  parent.querySelector(".ask")?.remove();
  parent.append(root);
  new ResizeObserver(() => place(root, reply)).observe(root);
  return { root, chips, reply, again };
}

function update({ parts: { root, chips, reply, again }, data: { answers } }) {
  const guess = guesses.get(location.pathname);
  const open = !window.answer.isHidden();
  const right = answers.findIndex((answer) => answer.right);
  chips.forEach((chip, i) => {
    chip.ariaChecked = i === guess;
    chip.tabIndex = i === (guess ?? 0) ? 0 : -1;
    chip.classList.toggle("right", open && i === right);
    chip.classList.toggle("wrong", open && i === guess && i !== right);
    chip.classList.toggle("dim", open && i !== right && i !== guess);
  });
  const verdict = guess === right ? "Right. " : `No: ${answers[right].text}. `;
  const said = open ? [guess === undefined ? "" : verdict, answers[guess ?? right].reply] : [];
  reply.replaceChildren(...(said[0] ? [node("b", { class: guess === right ? "yes" : "no" }, said[0])] : []), said[1] ?? "");
  reply.title = said.join("");
  again.hidden = !open;
  root.classList.toggle("open", open);
  place(root, reply);
}

// The reply stands behind the answers; where it has no room there, in place of the question.
function place(root, reply) {
  root.classList.remove("swap");
  const full = reply.scrollWidth > reply.clientWidth + 1;
  const swaps = full && root.classList.contains("open");
  root.classList.toggle("swap", swaps);
  reply.style.maxWidth = swaps ? `${root.querySelector("b").offsetWidth}px` : "";
}

function choose(question, index) {
  if (!window.answer.isHidden()) return;
  guesses.set(location.pathname, index);
  window.answer.reveal({ guessed: true });
  document.dispatchEvent(new CustomEvent("guess", { detail: question.data.answers[index].text })); // for the picture
  question.parts.reply.focus({ preventScroll: true });
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function move(question, event) {
  const { chips } = question.parts;
  const step = STEPS[event.key];
  const at = chips.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  chips.at((at + step) % chips.length).focus();
}

export default function ({ parentElement, data }) {
  const design = JSON.stringify(data);
  let question = drawn.get(parentElement);
  if (question?.design !== design) {
    const before = question;
    question = { design, data, parts: build(parentElement, data) };
    question.listener = () => question.parts.root.isConnected && update(question);
    if (before) document.removeEventListener("reveal", before.listener);
    document.addEventListener("reveal", question.listener);
    drawn.set(parentElement, question);
    question.parts.root.onkeydown = (event) => move(question, event);
    question.parts.chips.forEach((chip, i) => (chip.onclick = () => choose(question, i)));
    question.parts.again.onclick = () => {
      guesses.delete(location.pathname);
      window.answer.hide();
      question.parts.chips[0].focus();
    };
  }
  window.answer.askFirst = data.askFirst;
  update(question);
}
