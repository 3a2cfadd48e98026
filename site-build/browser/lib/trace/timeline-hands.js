/** What a pointer, a wheel and two fingers do to the timeline. */
import { RULER } from "./timeline-frame.js";

/** @typedef {{ hover: (x: number, y: number) => void, choose: (x: number, y: number) => void, scrub: (x: number) => void, moved: () => void }} Acts */

/** A press that moves less is a click. */
const STILL = 4;

/** @param {HTMLElement} node @param {import("./timeline-frame.js").Frame} frame @param {Acts} acts @param {AbortSignal} signal */
export function listenToHands(node, frame, acts, signal) {
  /** The fingers that are down, and where. @type {Map<number, { x: number, y: number }>} */
  const down = new Map();
  let travelled = 0;
  let scrubs = false;

  const place = (/** @type {MouseEvent} */ event) => {
    const box = node.getBoundingClientRect();
    return { x: event.clientX - box.left - node.clientLeft, y: event.clientY - box.top - node.clientTop };
  };

  node.addEventListener("pointerdown", (event) => {
    const at = place(event);
    // The scroll bar is the browser's own.
    if (event.button !== 0 || at.x > node.clientWidth || at.y > node.clientHeight) return;
    down.set(event.pointerId, at);
    travelled = 0;
    scrubs = at.y < RULER && at.x > frame.gutter;
    // Wherever it is let go, we hear of it.
    node.setPointerCapture(event.pointerId);
    if (scrubs) acts.scrub(at.x);
  }, { signal });

  node.addEventListener("pointermove", (event) => {
    const at = place(event);
    const before = down.get(event.pointerId);
    if (!before) return acts.hover(at.x, at.y);
    travelled += Math.hypot(at.x - before.x, at.y - before.y);
    down.set(event.pointerId, at);
    if (scrubs) return acts.scrub(at.x);
    if (travelled < STILL) return;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) pinch(frame, before.x, at.x, other.x);
    else frame.pan(before.x - at.x);
    acts.moved();
  }, { signal });

  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    node.addEventListener(name, (event) => {
      const at = down.get(event.pointerId);
      down.delete(event.pointerId);
      if (at && name === "pointerup" && travelled < STILL && !scrubs) acts.choose(at.x, at.y);
    }, { signal });
  }

  node.addEventListener("pointerleave", () => acts.hover(-1, -1), { signal });

  node.addEventListener("wheel", (event) => {
    const sideways = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) frame.zoom(Math.exp(Math.min(Math.max(event.deltaY, -60), 60) / 120), place(event).x);
    else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) frame.pan(sideways);
    else return;
    event.preventDefault();
    acts.moved();
  }, { signal, passive: false });
}

/** One finger moved while another rests. @param {import("./timeline-frame.js").Frame} frame @param {number} before @param {number} after @param {number} rests */
function pinch(frame, before, after, rests) {
  const [was, is] = [Math.abs(before - rests), Math.abs(after - rests)];
  if (was > 10 && is > 10) frame.zoom(was / is, rests);
}
