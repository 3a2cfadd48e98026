/** What is kept of a check after an attempt. */
import assert from "node:assert/strict";
import test from "node:test";

import { attempted, drafted, renumbered } from "../../../site-build/browser/lib/checks/attempt.js";

const attempt = (more) => ({ at: 5, hash: "h", answer: "a", shown: "This", correct: false, seconds: 3, variant: 0, ...more });

test("attempts are counted for what is asked now, and every one is kept", () => {
  const first = attempted(null, attempt({ confidence: "sure" }), ["h"]);
  const second = attempted(first, attempt({ at: 9, correct: true }), ["h"]);
  assert.deepEqual([first.attempts, second.attempts], [1, 2]);
  assert.deepEqual(second.tries.map(({ at, correct, confidence }) => [at, correct, confidence]), [[5, false, "sure"], [9, true, undefined]]);
  assert.equal(second.tries[0].shown, undefined);
});

test("an answer to an earlier version is kept beside the new one", () => {
  const before = attempted(null, attempt({ hash: "old", shown: "That" }), ["old"]);
  const after = attempted(before, attempt({ at: 7 }), ["h"]);
  assert.deepEqual(after.earlier, { hash: "old", shown: "That", correct: false, at: 5 });
  assert.equal(after.attempts, 1);
  assert.equal(attempted(after, attempt({ at: 8 }), ["h"]).earlier.hash, "old");
});

test("another variant of the same check is no earlier version", () => {
  const before = attempted(null, attempt({ hash: "one" }), ["one", "two"]);
  const after = attempted(before, attempt({ hash: "two", variant: 1 }), ["one", "two"]);
  assert.equal(after.earlier, undefined);
  assert.deepEqual([after.attempts, after.variant, after.tries.length], [1, 1, 2]);
});

test("the first attempt stays, however many follow", () => {
  let kept = attempted(null, attempt({ at: 1 }), ["h"]);
  for (let at = 2; at < 60; at += 1) kept = attempted(kept, attempt({ at }), ["h"]);
  assert.deepEqual([kept.tries.length, kept.tries[0].at, kept.tries.at(-1).at, kept.attempts], [20, 1, 59, 59]);
});

test("a draft and other numbers are no attempts", () => {
  assert.equal(drafted(null, { hash: "h", answer: "…", shown: "…" }).attempts, 0);
  const answered = attempted(null, attempt({ correct: true }), ["h"]);
  assert.deepEqual([renumbered(answered, 2, "x").attempts, renumbered(answered, 2, "x").correct], [1, true]);
  assert.deepEqual(renumbered(null, 2, "x"), { hash: "x", answer: "", correct: false, attempts: 0, variant: 2 });
});
