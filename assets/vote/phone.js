// Sends the vote of a phone, and hears what the lecturer does; then the page is loaded again.

const PACE = 2500; // ms
const { round, shown } = document.body.dataset;
const status = document.querySelector("[role=status]");
const chips = [...document.querySelectorAll("[aria-pressed]")];

async function tell(news) {
  const [headers, body] = [{ "Content-Type": "application/json" }, JSON.stringify(news)];
  const reply = await fetch(location.pathname, { method: "POST", headers, body }).catch(() => null);
  if (!reply || reply.status >= 500) return (status.textContent = "No answer from the class. This page tries again.");
  if (!reply.ok) return location.reload(); // the vote has ended, or this phone is not in it any more
  const state = await reply.json();
  if (String([state.round, state.shown]) !== String([round, shown])) return location.reload();
  chips.forEach((chip, i) => chip.setAttribute("aria-pressed", i === state.vote));
  if (status.textContent !== state.said) status.textContent = state.said;
}

chips.forEach((chip, i) => (chip.onclick = () => tell({ round: Number(round), answer: i })));
setInterval(() => document.hidden || tell({}), PACE);
addEventListener("visibilitychange", () => document.hidden || tell({}));
