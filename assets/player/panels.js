// The panels of a player: their kinds, and their places.

import { element } from "../lib/dom.js";
import { describeCurve, describeLines, frameUnder, paintCurve, paintLines } from "../lib/lines.js";
import { describePicture, paintPicture } from "../lib/pictures.js";
import { band } from "./band.js";
import { decide } from "./decisions.js";
import { valuesOf } from "./knobs.js";
import { createCanvas, createReadout, paintReadout } from "./panel.js";
import { ratio } from "./ratio.js";
import { residuals } from "./residuals.js";
import { losses } from "./losses.js";
import { layOut } from "./stage.js";
import { describeVectors, paintVectors } from "./vectors.js";

// The words below a run of Algorithm 1: what it decides in this step.
const decision = {
  create: (spec) => ({ spec, root: element("section", { class: "decision" }) }),
  paint({ spec, root }, player) {
    const { shown: run, frame, ghost } = player;
    const { eta } = valuesOf(player);
    const { word, text, isRestart } = decide(run, frame, { tol: spec.tol, eta, ghost });
    root.replaceChildren(element("b", isRestart ? { class: "event" } : {}, word), ` ${text}`);
  },
};

// What creates and draws each kind of panel, and tells what lies under the pointer; in some the pointer
// seeks.
const KINDS = {
  picture: { paint: paintPicture, describe: describePicture },
  vectors: { paint: paintVectors, describe: describeVectors },
  lines: { paint: paintLines, describe: describeLines, frameUnder },
  curve: { paint: paintCurve, describe: describeCurve },
  losses,
  readout: { create: createReadout, paint: paintReadout },
  band,
  decision,
  ratio,
  residuals,
};

export function mountPanels(player, specs, more, shapeOf) {
  player.observer.disconnect();
  const create = (spec) => {
    const kind = KINDS[spec.kind];
    return Object.assign((kind.create ?? createCanvas)(spec, player, shapeOf), { kind });
  };
  const [first, rest] = [specs.map(create), more.map(create)];
  player.panels = [...first, ...rest];
  player.stagePanels = first.filter(({ canvas }) => canvas);
  const words = first.filter(({ spec }) => spec.kind === "decision");
  const numbers = first.filter(({ spec }) => spec.kind === "readout");
  const roots = (panels) => panels.map(({ root }) => root);
  player.grid.replaceChildren(...roots(player.stagePanels));
  player.root.querySelector(".numbers").replaceChildren(...roots(numbers));
  player.root.querySelector(".words").replaceChildren(...roots(words));
  player.more.replaceChildren(...roots(rest));
  player.more.parentElement.hidden = rest.length === 0;
  layOut(player);
}
