// A question mark that explains a control: what it says is shown while it is pointed at or has the focus.

import { element } from "./dom.js";

export function makeHelp(text, name) {
  const bubble = element("span", { class: "bubble", role: "tooltip", popover: "manual" }, text);
  const mark = element("button", { class: "mark", type: "button", "aria-label": `About ${name}` }, "?");
  const show = () => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    bubble.showPopover();
    const { width, height } = bubble.getBoundingClientRect();
    const isBelow = bottom + height + 14 < innerHeight;
    bubble.style.top = `${isBelow ? bottom + 6 : top - height - 6}px`;
    bubble.style.left = `${Math.max(8, Math.min((left + right - width) / 2, innerWidth - width - 8))}px`;
  };
  const hide = () => bubble.hidePopover();
  Object.assign(mark, { onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide, ariaDescription: text });
  mark.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  return element("span", { class: "help" }, mark, bubble);
}
