/** A table that is wider than the page scrolls by itself; then the keyboard has to reach it. */

const SCROLLS = ".md-typeset__scrollwrap";

/** @param {Element} wrap */
function setReachable(wrap) {
  if (wrap.scrollWidth <= wrap.clientWidth) {
    for (const name of ["tabindex", "role", "aria-label"]) wrap.removeAttribute(name);
    return;
  }
  wrap.setAttribute("tabindex", "0");
  wrap.setAttribute("role", "group");
  wrap.setAttribute("aria-label", "Table");
}

const watcher = new ResizeObserver((changes) => changes.forEach(({ target }) => setReachable(target)));

/** Watch what the theme wraps around tables. @param {Element | Document} within */
export function watchTables(within) {
  if (within instanceof Element && within.matches(SCROLLS)) watcher.observe(within);
  within.querySelectorAll(SCROLLS).forEach((wrap) => watcher.observe(wrap));
}
