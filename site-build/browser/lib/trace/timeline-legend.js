/** What the shapes and letters of the timeline mean. */
import { make } from "../dom.js";
import { KIND_WORDS } from "./timeline-words.js";

const SIGNS = { queue: "", prefill: "P", decode: "D", preempted: "✕", recompute: "R" };

/** @returns {HTMLElement} */
export function legend() {
  const items = Object.entries(KIND_WORDS).map(([kind, words]) =>
    make("li", {}, make("span", { class: `swatch swatch-${kind}`, "aria-hidden": "true" }, SIGNS[/** @type {keyof typeof SIGNS} */ (kind)]), words));
  const end = make("li", {}, make("span", { class: "swatch swatch-end", "aria-hidden": "true" }), "ended (T timed out, ✕ rejected, C cancelled)");
  return make("ul", { class: "legend", "aria-label": "What the shapes mean" }, ...items, end);
}
