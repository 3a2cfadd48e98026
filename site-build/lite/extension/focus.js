/**
 * An embedded lab takes no focus and moves nothing until the student comes to it: JupyterLab focuses a cell as it
 * opens, and the browser would scroll the lesson to it. Whoever presses on something here has come: an editor gives
 * itself the focus while the press is told, before the browser has moved it into the frame.
 */
export function keepStillUntilVisited() {
  if (window.parent === window) return;
  const { focus } = HTMLElement.prototype;
  const { scrollIntoView } = Element.prototype;
  let pressed = false;
  const press = () => {
    pressed = true;
    setTimeout(() => (pressed = false));
  };
  for (const name of ["pointerdown", "mousedown", "click"]) window.addEventListener(name, press, { capture: true });
  const isVisited = () => pressed || document.hasFocus();
  HTMLElement.prototype.focus = function (options) {
    if (isVisited()) focus.call(this, options);
  };
  Element.prototype.scrollIntoView = function (options) {
    if (isVisited()) scrollIntoView.call(this, options);
  };
}
