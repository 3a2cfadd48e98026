/** One notebook and nothing around it: JupyterLab's menus lead to places that this site doesn't have. */

const CHROME = ["top-panel-wrapper", "menu-panel-wrapper", "spacer-widget-top", "spacer-widget-bottom"];

/** @param {any} widget a Lumino widget, whose layout is redone as its parts are hidden */
export function hideChrome(widget) {
  for (const child of widget.children()) {
    if (CHROME.includes(child.id)) child.hide();
    else hideChrome(child);
  }
}
