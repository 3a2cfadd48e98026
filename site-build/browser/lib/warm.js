/** Fetch what a click will want while the pointer is on its way to the button. */
import { RUNTIME } from "../runtime.js";
import { courseUrl } from "./page.js";

/** A pointer that passes by rests less long. */
const REST_MS = 120;

/** @type {Set<string>} */
const asked = new Set();

/** @param {readonly string[]} addresses relative to the site's root */
function fetchAll(addresses) {
  const thrifty = /** @type {any} */ (navigator).connection?.saveData === true;
  for (const address of thrifty ? [] : addresses) {
    if (asked.has(address)) continue;
    asked.add(address);
    // Read to the end, so that all of it is in the browser's cache; what fails here is fetched again, and told, later.
    void fetch(courseUrl(address)).then((answer) => answer.arrayBuffer()).catch(() => asked.delete(address));
  }
}

/** @param {HTMLElement} button @param {"lab" | "snippet"} what @param {AbortSignal} signal */
export function warmFor(button, what, signal) {
  let rest = 0;
  const begin = () => (rest = setTimeout(() => fetchAll(RUNTIME.files[what]), REST_MS));
  for (const reach of ["pointerenter", "focus"]) button.addEventListener(reach, begin, { signal });
  for (const leave of ["pointerleave", "blur"]) button.addEventListener(leave, () => clearTimeout(rest), { signal });
}
