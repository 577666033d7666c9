// Class mode: Streamlit's script keeps ?present=1 in the address, and the styles follow it. Keys for
// the lecturer: N next step or lesson, R reveal; P leaves class mode. Space plays (see the player).

const follow = () => {
  const on = new URLSearchParams(location.search).get("present") === "1";
  document.documentElement.classList.toggle("presenting", on);
};
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
  n: () => document.querySelector(".st-key-rail-next a")?.click(),
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
