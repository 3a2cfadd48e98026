/** What answers say of themselves, what is due, and what a results file holds. */
import assert from "node:assert/strict";
import test from "node:test";

import { answerFacts, dueChecks, placedChecks } from "../../../site-build/browser/lib/check-facts.js";
import { packResults } from "../../../site-build/browser/lib/results.js";

const check = (id, more) => ({ id, kind: "choice", title: id.toUpperCase(), ...more });
const MAP = {
  course: "a-course",
  lessons: [{ id: "l", title: "L", url: "lessons/l/", checks: [check("one"), check("two", { alias: "old-two" }), check("three"), check("four")] }],
};
const one = (correct, confidence, at = 1) => ({ at, hash: "h", answer: "a", correct, seconds: 4, confidence });
const RECORDS = {
  one: { at: 9, data: { correct: true, attempts: 2, tries: [one(false, "sure"), one(true, "fair")], review: { step: 0, due: 50 } } },
  "old-two": { at: 9, data: { correct: true, attempts: 1, tries: [one(true, "sure")], review: { step: 1, due: 20 } } },
  three: { at: 9, data: { hash: "h", answer: "x", correct: false, attempts: 1 } },
  four: { at: 9, data: { hash: "h", answer: "", correct: false, attempts: 0, variant: 2 } },
};
const PLACED = placedChecks(MAP, (id) => RECORDS[id] ?? null);

test("accuracy is told at the first try and by now, confidence by the first try", () => {
  assert.deepEqual(answerFacts(PLACED, ["guess", "sure"]), {
    all: 4,
    answered: 3,
    first: 1,
    now: 2,
    confidence: [
      { level: "guess", answered: 0, right: 0 },
      { level: "sure", answered: 2, right: 1 },
    ],
  });
});

test("what is due comes oldest first, with an address that asks it anew, also where a check was renamed", () => {
  assert.deepEqual(dueChecks(PLACED, 60), [
    { title: "TWO", url: "lessons/l/?review=two#check-two", since: 20 },
    { title: "ONE", url: "lessons/l/?review=one#check-one", since: 50 },
  ]);
  assert.deepEqual(dueChecks(PLACED, 10), []);
});

test("a results file says what is in it, and holds nothing else", () => {
  const all = packResults("a-course", PLACED, { answers: true, confidence: true, times: true }, " Ada ");
  assert.deepEqual([all.course, all.name, all.checks.map(({ id }) => id)], ["a-course", "Ada", ["one", "two", "three"]]);
  assert.deepEqual(all.checks[0].tries[0], { correct: false, hash: "h", answer: "a", confidence: "sure", at: 1, seconds: 4 });
  assert.equal(all.about.length, 5);
  const bare = packResults("a-course", PLACED, { answers: false, confidence: false, times: false }, "");
  assert.deepEqual(bare.checks[0].tries, [{ correct: false, hash: "h" }, { correct: true, hash: "h" }]);
  assert.equal(bare.about.length, 2);
});
