// States of a page as chips: a click writes their settings into the address, which says in which of
// them the page is.

import { element, listenTo, viewOf } from "../lib/dom.js";
import { get, listenToSettings, set } from "../lib/settings.js";

const isIn = ({ texts }) => Object.keys(texts).length > 0 && Object.entries(texts).every(([key, text]) => get(key) === text);

function create({ label, states }) {
  const fields = states.map(() => element("input", { type: "radio", name: "state" }));
  const chips = states.map(({ text, help }, i) => element("label", { title: help }, fields[i], element("span", {}, text)));
  const row = element("div", { class: "chips", role: "radiogroup", "aria-label": label }, ...chips);
  const view = { root: element("div", { class: "control segmented_control" }, row), states };
  fields.forEach((field, i) => (field.onchange = () => set(view.states[i].texts)));
  view.show = () => fields.forEach((field, i) => (field.checked = isIn(view.states[i])));
  listenToSettings(view, view.show);
  listenTo(view, "knob", view.show);
  return view;
}

export default function ({ parentElement, data }) {
  const looks = data.states.map(({ text, help }) => [text, help]);
  const view = viewOf(parentElement, looks, () => create(data));
  view.states = data.states;
  view.show();
}
