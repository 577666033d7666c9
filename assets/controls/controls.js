// A control: it shows what the address says, and writes there what the reader sets.

import { element, viewOf } from "../lib/dom.js";
import { makeHelp } from "../lib/help.js";
import { QUIET, get, getAll, listenToSettings, placeOf, set, turn } from "../lib/settings.js";

// Each returns the elements of a control, and how it shows what the address says.
const KINDS = {
  selectbox: (design, name) => {
    const field = element("select", { "aria-label": name }, ...design.texts.map((text) => element("option", {}, text)));
    field.onchange = () => turn([[design, field.selectedIndex]], true);
    return [[field], (now) => (field.selectedIndex = placeOf(now))];
  },
  segmented_control: (design, name) => {
    const fields = design.texts.map(() => element("input", { type: "radio", name: design.key }));
    fields.forEach((field, place) => (field.onchange = () => turn([[design, place]], true)));
    const chips = fields.map((field, i) => element("label", {}, field, element("span", {}, design.texts[i])));
    return [
      [element("div", { class: "chips", role: "radiogroup", "aria-label": name }, ...chips)],
      (now) => fields.forEach((field, place) => (field.checked = place === placeOf(now))),
    ];
  },
  several: ({ key, texts, usual, least }, name) => {
    const fields = texts.map(() => element("input", { type: "checkbox" }));
    const told = () => getAll(key).filter((text) => texts.includes(text));
    const on = () => (told().length >= least ? told() : usual);
    const chips = fields.map((field, i) => {
      field.onchange = () => {
        const picked = texts.filter((_, k) => fields[k].checked);
        if (picked.length < least) field.checked = true; // so many take part at least
        else set({ [key]: String(picked) === String(usual) ? null : picked });
      };
      return element("label", {}, field, element("span", {}, texts[i]));
    });
    return [
      [element("div", { class: "chips", role: "group", "aria-label": name }, ...chips)],
      () => fields.forEach((field, i) => (field.checked = on().includes(texts[i]))),
    ];
  },
  toggle: (design, name) => {
    const field = element("input", { type: "checkbox", role: "switch", "aria-label": name });
    field.onchange = () => turn([[design, Number(field.checked)]], true);
    return [[field], (now) => (field.checked = placeOf(now) === 1)];
  },
  button: (design, name) => {
    const field = element("button", { type: "button", class: "press", title: design.help }, name);
    field.onclick = () => turn([[design, 1 - placeOf(design)]], true);
    return [[field], () => {}];
  },
  number: ({ key, low, high, step, usual, complaint }, name) => {
    const field = element("input", { type: "number", min: low, max: high, "aria-label": name });
    const wrong = element("p", { class: "wrong", role: "status" });
    const isTyped = watchTyping(field);
    let timer = 0;
    const check = () => {
      const isRight = field.value !== "" && field.checkValidity();
      wrong.textContent = isRight ? "" : complaint;
      field.ariaInvalid = !isRight;
      return isRight;
    };
    const write = (rests) => {
      clearTimeout(timer);
      const value = Number(field.value);
      if (check()) set({ [key]: value === usual ? null : String(value) }, rests);
    };
    const stepBy = (sign) => {
      const next = (field.value === "" ? low : Number(field.value)) + sign * step;
      field.value = Math.max(low, Math.min(high, next));
      write(false);
      timer = setTimeout(write, QUIET, true);
    };
    const button = (text, sign) => {
      const node = element("button", { type: "button", tabindex: -1, "aria-label": `${name}: ${sign * step > 0 ? "more" : "less"}` }, text);
      node.onclick = () => stepBy(sign);
      return node;
    };
    field.addEventListener("input", check);
    field.addEventListener("change", () => write(true));
    field.onkeydown = (event) => {
      event.stopPropagation(); // keys of the player, of Streamlit
      const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (sign) event.preventDefault();
      if (sign) stepBy(sign);
    };
    const show = ({ value }, isNews) => {
      if (isTyped() && !isNews) return;
      if (isNews) clearTimeout(timer);
      const text = get(key) ?? String(usual);
      field.value = /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : value;
      check();
    };
    return [[element("div", { class: "steps" }, field, button("−", -1), button("+", 1)), wrong], show];
  },
  text: ({ key, placeholder, most }, name) => {
    const field = element("input", { type: "text", maxlength: most, placeholder, "aria-label": name });
    const isTyped = watchTyping(field);
    field.addEventListener("change", () => set({ [key]: field.value || null }));
    field.onkeydown = (event) => event.stopPropagation();
    const show = (_, isNews) => {
      if (isNews || !isTyped()) field.value = (get(key) ?? "").slice(0, most);
    };
    return [[field], show];
  },
};

// Whether something is being typed into a field, which a run of the page must not overwrite.
function watchTyping(field) {
  let isTyped = false;
  field.addEventListener("input", () => (isTyped = true));
  for (const end of ["change", "blur"]) field.addEventListener(end, () => (isTyped = false));
  return () => isTyped;
}

function create(design) {
  const { key, kind, label, help, isQuiet, disabled } = design;
  const [nodes, show] = KINDS[kind](design, label);
  const head = element("div", { class: "head" }, ...(isQuiet || kind === "button" ? [] : [element("span", {}, label)]));
  if (help && kind !== "button") head.append(makeHelp(help, label));
  const root = element("div", { class: `control ${kind}`, "data-key": key }, ...(head.firstChild ? [head] : []), ...nodes);
  for (const field of root.querySelectorAll("select, input, .steps button")) field.disabled = disabled;
  const view = { root, show };
  listenToSettings(view, () => show(view.design, true));
  return view;
}

export default function ({ parentElement, data }) {
  const { at, value, ...looks } = data;
  const view = viewOf(parentElement, looks, () => create(data));
  view.design = data;
  view.show(data, false);
}
