// React to an event of the page until a view has left it.
function listenTo(view, name, react) {
  const listener = ({ detail }) => {
    if (view.root.isConnected) react(detail);
    else document.removeEventListener(name, listener);
  };
  document.addEventListener(name, listener);
}
