// The plan on the wall: it hears the lecturer's view, as a lesson does, and lets another class begin.

import { answer } from "../lib/answer.js";
import { element } from "../lib/dom.js";
import { forgetClocks } from "./clock.js";
import { guesses, repeat, voteAnew } from "./vote.js";

const WAY = "For another class: deletes the votes, hides all answers again and sets the clock to the beginning.";
const DONE = "Another class can begin: there are no votes, no answer is shown, and the clock starts with the first step.";
const listening = new WeakSet();

export default function ({ parentElement, data: { isClass } }) {
  let root = parentElement.querySelector(".ask");
  if (!root) {
    const [button, status] = [element("button", { type: "button", class: "voters" }, "Begin anew"), element("span", { role: "status" }, WAY)];
    button.onclick = async () => {
      forgetClocks();
      guesses.clear();
      answer.forget();
      await voteAnew();
      status.textContent = DONE;
    };
    root = element("div", { class: "ask" }, button, status);
    parentElement.append(root);
  }
  if (!isClass || listening.has(root)) return;
  listening.add(root);
  repeat({ data: { isClass }, parts: { root }, poll: {}, host: { update: () => {} } });
}
