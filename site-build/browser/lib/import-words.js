/** So many are named, and so much of a name is: a file may be anything. */
const NAMED = 5;
const NAME_LENGTH = 60;

/** @param {string[]} names */
function named(names) {
  const first = names.slice(0, NAMED).map((name) => (name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name));
  return first.join(", ") + (names.length > NAMED ? `, and ${names.length - NAMED} more` : "");
}

/** What loading a file of work has changed, in words. @param {import("./transfer.js").ImportReport} report */
export function importWords({ added, updated, kept, same, refused, unwritten }) {
  return [
    `Loaded: ${added.length} new, ${updated.length} updated, ${same.length} the same.`,
    kept.length ? `${kept.length} newer here: left as they are.` : "",
    updated.length + kept.length ? "Other words of yours are kept beside." : "",
    refused.length ? `${refused.length} could not be read: ${named(refused)}.` : "",
    unwritten.length ? `${unwritten.length} could not be saved in this browser.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
