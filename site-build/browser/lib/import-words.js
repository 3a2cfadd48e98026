/** What taking a file of work in has changed, in words. @param {import("./transfer.js").ImportReport} report */
export function importWords({ added, updated, kept, same, refused, unwritten }) {
  return [
    `Taken in: ${added.length} new, ${updated.length} updated, ${same.length} the same.`,
    kept.length ? `${kept.length} newer here: left as they are.` : "",
    updated.length + kept.length ? "Other words of yours are kept beside." : "",
    refused.length ? `${refused.length} could not be read: ${refused.join(", ")}.` : "",
    unwritten.length ? `${unwritten.length} could not be saved in this browser.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
