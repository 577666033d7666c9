// Whether the reader wants no motion.
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// All elements below one, also those that a component keeps to itself.
export function* below(element) {
  for (const child of element.children) {
    yield child;
    if (child.shadowRoot) yield* below(child.shadowRoot);
    yield* below(child);
  }
}

// Whether a key is pressed alone, and not typed into a field.
export function isShortcut(event) {
  const [target] = event.composedPath();
  const isTyping = target.matches?.("input:not([type=range], [type=radio], [type=checkbox]), select, textarea, [contenteditable]");
  return !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
}

const views = new WeakMap();

// The view in the element of a component; a new one, which `create` makes, if it is designed otherwise.
export function viewOf(parent, design, create) {
  const stamp = JSON.stringify(design);
  const before = views.get(parent);
  if (before?.stamp === stamp) return before;
  before?.root.remove();
  const view = Object.assign(create(), { stamp });
  parent.append(view.root);
  views.set(parent, view);
  return view;
}

// React to an event of the page until a view has left it.
export function listenTo(view, name, react) {
  const listener = ({ detail }) => {
    if (view.root.isConnected) react(detail);
    else document.removeEventListener(name, listener);
  };
  document.addEventListener(name, listener);
}
