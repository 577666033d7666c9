// Where a class is in the plan, and how many minutes of the plan are left: by the clock, since the first step
// that was opened in class mode; of this browser, as the vote is, until another class begins.

const FORGOTTEN = 30; // minutes after its end, when another class begins the plan

const now = () => Date.now() / 60_000;

function minutesLeft({ plan, begin, end }) {
  const key = `began ${plan}`;
  const isOver = !(now() - Number(localStorage[key]) < end + FORGOTTEN);
  if (isOver) localStorage[key] = now() - begin;
  return Math.ceil(Number(localStorage[key]) + end - now());
}

export const forgetClocks = () => Object.keys(localStorage).filter((key) => key.startsWith("began ")).forEach((key) => localStorage.removeItem(key));

const tell = ({ place, ...steps }) => ("end" in steps ? `${place} · ${minutesLeft(steps)} min left` : place);

export default function ({ parentElement, data }) {
  const isNew = !parentElement.querySelector(".clock");
  const clock = parentElement.querySelector(".clock") ?? document.createElement("span");
  clock.className = "clock";
  clock.data = data;
  parentElement.append(clock);
  const show = () => (clock.textContent = tell(clock.data));
  show();
  if (!isNew) return;
  const tick = setInterval(() => (clock.isConnected ? show() : clearInterval(tick)), 5000);
}
