// Says that a browser is too old, in JavaScript and CSS that old ones can read.
document.addEventListener("DOMContentLoaded", function () {
  var isNew = window.AbortSignal && AbortSignal.any && HTMLElement.prototype.showPopover && CSS.supports("color", "light-dark(red, red)");
  var text = "This browser is too old for parts of this app: please use Chrome or Edge 123, Firefox 125, Safari 17.5, or a newer one.";
  var layout = "<style>body { display: flex; flex-direction: column; height: 100vh } #root { position: relative; flex: 1 }</style>";
  if (!isNew) document.body.insertAdjacentHTML("afterbegin", '<p role="alert" style="margin: 0; padding: 0.5rem; background: Mark; color: MarkText">' + text + "</p>" + layout);
});
