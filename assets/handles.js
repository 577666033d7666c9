// What the pictures with handles share: a drag, the pause after keys, the sliders of the page.

const SETTLED = 400; // ms after the last key
const SHOWN = "aria-valuetext"; // what a slider of the page shows

// Follow the pointer that has come down on a handle, until it is lifted.
function drag(handle, event, onMove, onEnd) {
  event.preventDefault();
  handle.focus({ preventScroll: true, focusVisible: false });
  handle.setPointerCapture(event.pointerId);
  handle.onpointermove = onMove;
  handle.onpointerup = handle.onpointercancel = () => {
    handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
    onEnd();
  };
}

// Do something after the last of several keys; `view.settling` is not 0 until then.
function afterKeys(view, then) {
  clearTimeout(view.settling);
  view.settling = setTimeout(() => {
    view.settling = 0;
    then();
  }, SETTLED);
}

// Do something at each change of a slider of the page, while the picture is there.
function watchSliders(root, onChange) {
  const slid = new MutationObserver(() => (root.isConnected ? onChange() : slid.disconnect()));
  slid.observe(document.body, { subtree: true, attributeFilter: [SHOWN] });
}
