/**
 * When a check comes back: after 1, 7 and 30 days. Pure: no clock.
 *
 * An answer before the day is due climbs nothing; a wrong one starts again at the first day.
 */

export const LADDER_DAYS = [1, 7, 30];
const DAY_MS = 86_400_000;

/** `step` counts reviews that went well; `due` is null once all of them did. @typedef {{ step: number, due: number | null }} Review */

/** @param {number} step @param {number} at @returns {Review} */
function after(step, at) {
  const days = LADDER_DAYS[step];
  return { step, due: days === undefined ? null : at + days * DAY_MS };
}

/** @param {Review | null} before @param {{ at: number, correct: boolean }} answer @returns {Review} */
export function reviewed(before, { at, correct }) {
  if (!before || !correct) return after(0, at);
  if (before.due === null || at < before.due) return before;
  return after(before.step + 1, at);
}

/** @param {Review | undefined} review @param {number} now */
export function isDue(review, now) {
  return typeof review?.due === "number" && review.due <= now;
}

/** The records that are due, oldest due first. @template {{ data: { [field: string]: unknown } }} R @param {R[]} records @param {number} now @returns {R[]} */
export function dueRecords(records, now) {
  const due = (/** @type {R} */ record) => /** @type {Review | undefined} */ (record.data.review);
  return records
    .filter((record) => isDue(due(record), now))
    .sort((a, b) => Number(due(a)?.due) - Number(due(b)?.due));
}
