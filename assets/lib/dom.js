export const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// React to an event of the page until a view has left it.
export function listenTo(view, name, react) {
  const listener = ({ detail }) => {
    if (view.root.isConnected) react(detail);
    else document.removeEventListener(name, listener);
  };
  document.addEventListener(name, listener);
}
