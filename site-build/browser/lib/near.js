/** Tells once that something on the page is near, so that what it needs is there when it is seen. */

/** How far outside the window something may be and still be near. */
const NEAR = "800px";

/** @type {WeakMap<Element, () => Promise<unknown>>} */
const awaited = new WeakMap();

const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    // What couldn't be fetched is once there is a network again.
    awaited.get(target)?.().catch((error) => {
      console.error("What is near could not be loaded", target, error);
      addEventListener("online", () => watcher.observe(target), { once: true });
    });
  }
}, { rootMargin: NEAR });

/** @param {Element} element @param {() => Promise<unknown>} deed done again later where it fails */
export function whenNear(element, deed) {
  awaited.set(element, deed);
  watcher.observe(element);
}
