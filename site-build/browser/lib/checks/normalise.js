/** A few words as they are compared: the course kit does the same (`kinds/text.py`). Pure. */

/** @param {string} text */
export function normalise(text) {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[-\u2010-\u2015\u2212_]+/g, " ")
    .replace(/["'“”‘’`´«».,;:!?()]+/g, "")
    .trim()
    .split(/\s+/)
    .join(" ");
}
