/** The words for what became of a write. */

/** @type {Record<import("../store.js").Reason, string>} */
const UNSAVED = {
  off: "Not saved: this browser's storage is switched off. Your words stay until you close this page.",
  full: "Not saved: this browser's storage is full. Your words stay until you close this page.",
  unverified: "Not saved: the browser didn't keep what was written. Your words stay until you close this page.",
  newer: "Not saved: a newer version of the course wrote this item. Reload the page to see it.",
};

/** @param {import("../store.js").PutResult} result @returns {string} */
export function savingWords(result) {
  return result.ok ? "Saved" : UNSAVED[result.reason];
}
