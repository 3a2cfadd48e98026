/** Small helpers for making and changing nodes; text always goes in as text. */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null>} [attributes] true sets an empty one; false and null set none
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

/** @param {string} label @param {string} [look] "primary" or "quiet" @returns {HTMLButtonElement} */
export function button(label, look) {
  return make("button", { type: "button", class: look ? `course-button course-button--${look}` : "course-button" }, label);
}

/** A line that is read out when its text changes. @param {string} [name] a class of its own @returns {HTMLParagraphElement} */
export function statusLine(name = "") {
  return make("p", { class: `course-status ${name}`.trim(), role: "status" });
}

/** Words for a screen reader alone. @param {string} text */
export function unseen(text) {
  return make("span", { class: "course-unseen" }, text);
}

/** Off, but still there for the keyboard and for a screen reader. @param {HTMLButtonElement} node @param {boolean} off */
export function setOff(node, off) {
  if (off) node.setAttribute("aria-disabled", "true");
  else node.removeAttribute("aria-disabled");
}

/** @param {Element} node */
export function isOff(node) {
  return node.getAttribute("aria-disabled") === "true";
}

/** Focus without moving the page. @param {HTMLElement} node */
export function focusStill(node) {
  node.focus({ preventScroll: true });
}

/** @param {number} at milliseconds @returns {HTMLTimeElement} the day, in the reader's own way */
export function day(at) {
  const date = new Date(at);
  const words = date.toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });
  return make("time", { datetime: date.toISOString() }, words);
}
