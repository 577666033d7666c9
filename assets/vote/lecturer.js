// Shows the notes of the step that is on the wall, and sends the keys of the wall to it. Without the token
// of a poll it goes on with the one that this browser leads, or begins one (see question/vote.js).

const [POLL, PACE] = ["poll", 1000]; // in the browser's storage; ms
const { poll, votes } = document.body.dataset;
const status = document.querySelector("[role=status]");
const buttons = [...document.querySelectorAll("nav button")];
const NO_WALL = "Nothing is on the wall. There, in this browser, open the course plan, choose “Class mode” in the menu “Class”, and press Page down.";
let step = null;

function post(url, news) {
  const [headers, body] = [{ "Content-Type": "application/json" }, JSON.stringify(news)];
  return fetch(url, { method: "POST", headers, body }).catch(() => null);
}

async function begin() {
  const own = localStorage.getItem(POLL);
  if (own && (await post(own, { act: "watch" }))?.ok) return open(own);
  const reply = await post(votes, { act: "watch" });
  if (!reply?.ok) return (status.textContent = (await reply?.text()) ?? "No answer from the server.");
  const { url } = await reply.json();
  const led = localStorage.getItem(POLL) ?? url; // the wall may have begun one meanwhile
  localStorage.setItem(POLL, led);
  open(led);
}
const open = (url) => location.replace(`?remote=${url.split("/").pop()}`);

async function tell(news) {
  const reply = await post(poll, news);
  if (reply?.status === 404) return location.replace(location.pathname); // the vote has ended
  if (!reply?.ok) return (status.textContent = "No answer from the class. This page tries again.");
  if (news.act === "watch") show(await reply.json());
}

function show({ wall, question, shown, total, poster }) {
  for (const button of buttons) button.disabled = !wall;
  if (poster) showWay(poster);
  if (!wall) return (status.textContent = NO_WALL);
  const answer = shown ? "the answer is shown" : "the answer is hidden";
  status.textContent = `${wall.clock || "No step of the plan is on the wall: press Next, or ▸ for the short plan"} · ${total} vote${total === 1 ? "" : "s"}, ${answer}`;
  status.title = question;
  if (wall.step === step) return;
  step = wall.step;
  const notes = document.getElementById(`step-${step}`);
  for (const each of document.querySelectorAll("details[id]")) each.open = each === notes;
  notes?.scrollIntoView();
}

// To this page from a phone.
function showWay({ qr, command }) {
  const place = document.querySelector(".phone");
  if (qr) place.insertAdjacentHTML("beforeend", qr);
  else if (command) place.append("Phones cannot reach this server. Start it with ", Object.assign(document.createElement("code"), { textContent: command }));
}

let acts = 0;
const TAB = Math.random(); // names the acts of this page
for (const button of buttons) {
  const { value } = button;
  const news = value === "again" ? { act: value } : { act: "press", key: value };
  button.onclick = () => tell({ ...news, id: `${TAB} ${(acts += 1)}` });
}
// The keys of the wall press the buttons here; Space is for a button or a note that has the focus.
addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const button = buttons.find(({ value }) => value.toLowerCase() === (key === "n" ? "pagedown" : key));
  const isOwn = key === " " && event.target.matches("button, summary");
  if (!button || isOwn || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault(); // nor does the page scroll
  if (!event.repeat) button.click();
});
if (!poll) begin();
else {
  const watch = () => document.hidden || tell({ act: "watch" });
  setInterval(watch, PACE);
  addEventListener("visibilitychange", watch);
  tell({ act: "watch", address: location.href });
}
