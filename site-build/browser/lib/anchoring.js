/**
 * Keeps what is read in its place where something above it grows: players and checks draw themselves late. Browsers do
 * so by themselves (`overflow-anchor`); Safari doesn't.
 */

/** @type {WeakMap<Element, { width: number, height: number }>} */
const sizes = new WeakMap();

/**
 * How far a part has grown since it was last seen, if it stood wholly above the window. Lines that break anew in another
 * width are no growth: where a phone is turned, Safari itself finds the place again.
 * @param {Element} part @param {number} shift how far those before it have just pushed it down
 */
function grownAbove(part, shift) {
  const { bottom, width, height } = part.getBoundingClientRect();
  const before = sizes.get(part);
  sizes.set(part, { width, height });
  const growth = before?.width === width ? height - before.height : 0;
  return bottom - growth - shift <= 0 ? growth : 0;
}

const watcher = new ResizeObserver((entries) => {
  // They come in the order in which they were given: that of the page.
  const grown = entries.reduce((shift, { target }) => shift + grownAbove(target, shift), 0);
  if (grown) scrollBy({ top: grown, behavior: "instant" });
});

/** @param {Element[]} parts those of a page's text, in its order */
export function keepPlace(parts) {
  if (CSS.supports("overflow-anchor", "auto")) return;
  for (const part of parts) watcher.observe(part);
}
