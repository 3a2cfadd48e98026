/** Tells once that something on the page is near, so that what it needs is there when it is seen. */

/** How far outside the window something may be and still be near. */
const NEAR = "800px";

/** @type {WeakMap<Element, () => void>} */
const awaited = new WeakMap();

const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    awaited.get(target)?.();
  }
}, { rootMargin: NEAR });

/** @param {Element} element @param {() => void} deed */
export function whenNear(element, deed) {
  awaited.set(element, deed);
  watcher.observe(element);
}
