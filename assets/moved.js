// What a knob or a picture tells the page by its trigger "moved". Each message has a number, and the
// page says with its data which one it heard last: what it says before that is old.

const ANSWER_TIME = 10_000; // ms, for the page's answer; a message may be lost
const START = 400; // ms in which a run of the script begins

let number = 0; // of the last move or message
const next = () => (number = Math.max(number + 1, Date.now())); // it grows, also over a reload

const awaitAnswer = (view, number) => Object.assign(view, { number, patience: performance.now() + ANSWER_TIME });
const isOld = (view, data) => data.number < view.number && performance.now() < view.patience;

function sendMoved(view, message) {
  awaitAnswer(view, next());
  view.send("moved", { ...message, number: view.number });
}

// Wait, after Back, until Streamlit has set its own controls: a run of the script with their old values
// would write these into the address again.
async function scriptHasRun() {
  const app = document.querySelector("[data-test-script-state]");
  const rests = () => app?.dataset.testScriptState === "notRunning";
  const wait = () => new Promise((wake) => setTimeout(wake, 30));
  for (let waited = 0; rests() && waited < START; waited += 30) await wait();
  while (!rests()) await wait();
}
