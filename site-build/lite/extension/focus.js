/**
 * An embedded lab takes no focus and moves nothing until the student comes to it: JupyterLab focuses a cell as it
 * opens, and the browser would scroll the lesson to it.
 */
export function keepStillUntilVisited() {
  if (window.parent === window) return;
  const { focus } = HTMLElement.prototype;
  const { scrollIntoView } = Element.prototype;
  HTMLElement.prototype.focus = function (options) {
    if (document.hasFocus()) focus.call(this, options);
  };
  Element.prototype.scrollIntoView = function (options) {
    if (document.hasFocus()) scrollIntoView.call(this, options);
  };
}
