// Class mode: Streamlit's script keeps ?present=1 in the address, and the styles follow it. With
// ?stage=1 they show the picture and its knobs alone. Keys for the lecturer: 1, 2, 3 count a guess,
// Backspace takes the last one back, R reveals the answer, N leads to the next step or lesson, P leaves
// class mode. Space plays (see the player).

const FOUND = 6000; // milliseconds in which the question of a page finds its place

const begin = { path: "", until: 0 };

const follow = () => {
  const parameters = new URLSearchParams(location.search);
  const on = parameters.get("present") === "1";
  document.documentElement.classList.toggle("presenting", on);
  document.documentElement.classList.toggle("staged", parameters.get("stage") === "1");
  const path = on ? location.pathname : "";
  if (path === begin.path) return;
  Object.assign(begin, { path, until: on ? performance.now() + FOUND : 0 });
  if (on) scrollToQuestion();
};

// In class mode the window begins with the question: rail and idea are above it. The page is scrolled
// there until the question has found its place, unless the lecturer has scrolled elsewhere.
function scrollToQuestion() {
  if (performance.now() > begin.until) return;
  const [main, question] = [".stMain", ".st-key-question"].map((name) => document.querySelector(name));
  if (!question) begin.until = performance.now() + FOUND; // the page is not there yet
  const off = question ? question.getBoundingClientRect().top - 6 : 0;
  if (Math.abs(off) > 2) main.scrollBy(0, off);
  setTimeout(scrollToQuestion, 200);
}
for (const event of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  document.addEventListener(event, () => (begin.until = 0), { capture: true, passive: true });
}

follow();
for (const name of ["pushState", "replaceState"]) {
  const change = history[name].bind(history);
  history[name] = (...entry) => {
    change(...entry);
    follow();
  };
}
addEventListener("popstate", follow);

const LECTURER = {
  1: () => window.answer.count(0),
  2: () => window.answer.count(1),
  3: () => window.answer.count(2),
  backspace: () => window.answer.count(),
  n: () => document.querySelector(".st-key-rail-next a, .st-key-next-lesson a")?.click(),
  r: () => window.answer.reveal({ guessed: true }),
  p: () => document.querySelector(".st-key-class-mode button")?.click(),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, [contenteditable]");
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const presenting = document.documentElement.classList.contains("presenting");
  const act = LECTURER[event.key.toLowerCase()];
  if (!act || typing || !plain || !presenting) return;
  event.stopPropagation(); // single keys are Streamlit's shortcuts, too
  act();
}, true);
