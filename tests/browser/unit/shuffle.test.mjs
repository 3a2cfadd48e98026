import assert from "node:assert/strict";
import { test } from "node:test";
import { shuffled } from "../../../site-build/browser/lib/shuffle.js";

const letters = ["a", "b", "c", "d"];

test("the same student sees the same order each time, and nothing is lost", () => {
  const order = shuffled(letters, 42, "waste-31");
  assert.deepEqual(shuffled(letters, 42, "waste-31"), order);
  assert.deepEqual([...order].sort(), letters);
  assert.deepEqual(letters, ["a", "b", "c", "d"]);
});

test("over many students every order comes up about as often as every other", () => {
  const counts = new Map();
  for (let seed = 0; seed < 4800; seed += 1) {
    const order = shuffled(letters, seed, "waste-31").join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 24);
  for (const [order, count] of counts) assert.ok(count > 130 && count < 280, `${order} came up ${count} times of 200 expected`);
});

test("two checks of one student are shuffled apart", () => {
  const orders = new Set(Array.from({ length: 50 }, (_, i) => shuffled(letters, 42, `check-${i}`).join("")));
  assert.ok(orders.size > 10);
});
