/** A check comes back after 1, 7 and 30 days, and never climbs by being answered early. */
import assert from "node:assert/strict";
import test from "node:test";

import { dueRecords, isDue, reviewed } from "../../../site-build/browser/lib/review.js";

const DAY = 86_400_000;

test("the ladder is 1, 7 and 30 days, and then it is done", () => {
  let at = 1_000;
  let review = reviewed(null, { at, correct: true });
  for (const days of [1, 7, 30]) {
    assert.equal(review.due, at + days * DAY);
    assert.equal(isDue(review, at + days * DAY - 1), false);
    at += days * DAY;
    assert.equal(isDue(review, at), true);
    review = reviewed(review, { at, correct: true });
  }
  assert.deepEqual(review, { step: 3, due: null });
  assert.equal(isDue(review, at * 10), false);
  assert.deepEqual(reviewed(review, { at: at * 2, correct: true }), review);
});

test("a right answer before its day changes nothing, a wrong one starts again", () => {
  const review = { step: 2, due: 50 * DAY };
  assert.equal(reviewed(review, { at: 40 * DAY, correct: true }), review);
  assert.deepEqual(reviewed(review, { at: 40 * DAY, correct: false }), { step: 0, due: 41 * DAY });
  assert.deepEqual(reviewed({ step: 3, due: null }, { at: 0, correct: false }), { step: 0, due: DAY });
});

test("what is due comes oldest first; what was never answered doesn't come", () => {
  const record = (id, review) => ({ id, data: { review } });
  const records = [record("late", { step: 1, due: 30 }), record("never"), record("older", { step: 0, due: 10 }), record("not yet", { step: 0, due: 90 })];
  assert.deepEqual(dueRecords(records, 50).map(({ id }) => id), ["older", "late"]);
});
