// Lays out class mode and the picture alone in 1,000 px at least. In a smaller window, such as a frame on a
// slide, the page is in a frame of that width, which is made smaller as a whole: there all lengths and the
// places of pointers are those of a large window. An upright window keeps the layout of phones.
(() => {
  const LEAST = 1000; // px
  const isWhole = (address) => /[?&](stage|present)=1/.test(address);
  const isSmall = () => innerWidth < LEAST && innerWidth > innerHeight;
  if (window.frameElement?.matches(".scaled")) return;
  if (!isWhole(location.search) || !isSmall()) {
    const check = () => isWhole(location.search) && isSmall() && location.reload();
    for (const event of ["resize", "popstate"]) addEventListener(event, check);
    return;
  }
  document.write("<plaintext hidden>"); // what follows is not run here
  const frame = Object.assign(document.createElement("iframe"), { className: "scaled", src: location.href });
  const fit = () => {
    const scale = Math.min(1, innerWidth / LEAST);
    const size = `width: ${innerWidth / scale}px; height: ${innerHeight / scale}px`;
    frame.style = `position: fixed; inset: 0; border: 0; ${size}; transform: scale(${scale}); transform-origin: 0 0`;
  };
  const follow = () => {
    const { location: inner, document: page } = frame.contentWindow;
    if (inner.origin !== location.origin) return;
    document.title = page.title;
    if (!isWhole(inner.search)) location.replace(inner.href);
    else if (inner.href !== location.href) history.replaceState(null, "", inner.href); // for a reload
  };
  frame.onload = () => {
    setInterval(follow, 500);
    if (document.hasFocus()) frame.focus(); // keys are for the page
  };
  addEventListener("resize", fit);
  fit();
  addEventListener("DOMContentLoaded", () => document.body.replaceChildren(frame));
})();
