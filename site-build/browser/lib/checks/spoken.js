/** The words that a check has for its answers, as a field's kinds keep them. */

/** @param {Element} element @param {string} selector @returns {HTMLElement[]} */
export function all(element, selector) {
  return [...element.querySelectorAll(selector)].filter((node) => node instanceof HTMLElement);
}

/**
 * The verdict on a field: the first right answer that takes it, else the first mistake, else the rest.
 * @param {HTMLElement} element @param {HTMLInputElement} field @param {(words: HTMLElement) => boolean} takes
 * @returns {import("./kinds.js").Verdict}
 */
export function judgeField(element, field, takes) {
  const key = all(element, ".check-answer").find(takes);
  const mistake = key ? undefined : all(element, ".check-mistake").find(takes);
  const words = key ?? mistake ?? all(element, ".check-otherwise")[0];
  return {
    correct: Boolean(key),
    marks: [{ place: field.closest("label") ?? field, state: key ? "right" : "wrong" }],
    said: words ? [{ words, field }] : [],
    drew: mistake?.dataset.name,
  };
}
