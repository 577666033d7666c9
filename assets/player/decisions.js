// What Algorithm 1 does in a step, in words.

import { countNoun, plain } from "../lib/numbers.js";

export const STEP = { first: 1, accelerate: 2, restart: 3, afterRestart: 4 }; // of pages/shared/algorithm1.py
const FEW_RESTARTS = 12; // of more, none is drawn large or waited for
const UNBALANCED = 5; // how many times larger one residual is when rho is clearly wrong
const LEAST_MOMENTUM = 0.005; // less is printed as none

export const restartsOf = (run) => run.metrics.restarted.reduce((sum, restarted) => sum + restarted, 0);
export const hasFewRestarts = (run) => restartsOf(run) <= FEW_RESTARTS;
const isCertified = (run, tol) => run.metrics.gap.at(-1) <= tol;
// How a run ended that stands behind another one; nothing if that is not known.
export function endOf(run, tol) {
  if (run.steps) return countNoun(run.steps, "step"); // of which only the beginning may be here
  if (!run.over || run.count === 0) return "";
  return isCertified(run, tol) ? countNoun(run.count, "step") : "not done";
}

export function changeOf(ratio) {
  if (Math.abs(ratio - 1) < 0.005) return "hardly changed";
  if (ratio >= 2) return `rose ${plain(ratio, 2)}-fold`;
  return `${ratio < 1 ? "fell" : "rose"} by ${Math.round(100 * Math.abs(ratio - 1))} %`;
}

// How far P can be above the minimum: the gap is relative to P, not to the minimum.
function excess(gap, digits = 2) {
  const percent = (100 * gap) / (1 - Math.min(gap, 0.999));
  if (percent >= 0.01) return `${plain(percent, digits)} %`;
  return `${percent.toFixed(digits - 1 - Math.floor(Math.log10(percent)))} %`;
}

// Which way to turn rho after a run that is not done.
export function turnOfRho({ metrics }) {
  const [primal, dual] = [metrics.apart.at(-1), metrics.moved.at(-1)];
  if (primal > UNBALANCED * dual) return "larger";
  return dual > UNBALANCED * primal ? "smaller" : "";
}

function advice(run) {
  const restarts = restartsOf(run);
  const reasons = { larger: "W and S are still apart", smaller: "S still moves" };
  const turn = turnOfRho(run);
  const advised = turn ? `${reasons[turn]}: try a ${turn} ρ.` : "It needs more steps.";
  return 4 * restarts > run.count ? `${countNoun(restarts, "restart")} left no momentum. ${advised}` : advised;
}

function lastRun(run, ghost, tol) {
  const end = ghost && ghost !== run ? endOf(ghost, tol) : "";
  return end && ` The last run ${end === "not done" ? `was not done after ${countNoun(ghost.count, "step")}` : `took ${end}`}.`;
}

const momentumKept = (momentum) =>
  momentum > LEAST_MOMENTUM
    ? `Keep ${Math.round(100 * momentum)} % of this step as momentum.`
    : "No momentum yet.";

// {word, text, isRestart}: the decision and its reason.
export function decide(run, frame, { tol, eta, ghost = null }) {
  const at = (name) => run.metrics[name][frame];
  const say = (word, text) => ({ word, text, isRestart: word === "Restart." });
  if (run.over && frame === run.count - 1) {
    const bound = (least) => `the best W so far is ${least} above the minimum.`;
    if (isCertified(run, tol))
      return say("Done:", `${bound(`at most ${excess(tol, 1)}`)}${lastRun(run, ghost, tol)}`);
    const soFar = bound(`up to ${excess(at("gap"))}`);
    if (run.phase === "stopped") return say("Stopped:", soFar);
    return say("Not done:", `${soFar} ${advice(run)}`);
  }
  const moved = `The residual ${changeOf(at("ratio"))}`;
  const goBack = "Go back and drop";
  switch (at("step")) {
    case STEP.first:
      if (frame === 0) return say("Start.", "S begins at 0, and the band begins to pull.");
      return say("Go on.", `ρ is now ${plain(at("rho"))}: there is nothing to compare with.`);
    case STEP.restart:
      if (at("ratio") >= 1) return say("Restart.", `${moved}: momentum went too far. ${goBack} it.`);
      return say("Restart.", `${moved}; η = ${plain(eta)} asks for more. ${goBack} the momentum.`);
    case STEP.afterRestart:
      return say("Go on.", "One step without momentum. It cannot overshoot.");
    default:
      return say("Go on.", `${moved}. ${momentumKept(at("momentum"))}`);
  }
}
