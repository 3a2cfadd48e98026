/** A table that is wider than the page scrolls by itself; then the keyboard has to reach it. */

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

/** @param {Element[]} wraps what the theme puts around tables */
export function watchTables(wraps) {
  for (const wrap of wraps) watcher.observe(wrap);
}
