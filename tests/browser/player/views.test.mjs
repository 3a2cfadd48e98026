import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../../site-build/browser/lib/trace/blocks-facts.js";
import { matching } from "../../../site-build/browser/lib/trace/compare-facts.js";
import { count, figures, listing, ranges, rowsOf, share, time } from "../../../site-build/browser/lib/trace/language.js";
import * as compareWords from "../../../site-build/browser/lib/trace/compare-words.js";
import { letters, pencil } from "../../../site-build/browser/lib/trace/marks.js";
import { nearestRank, percentiles } from "../../../site-build/browser/lib/trace/meters-facts.js";
import { TraceModel } from "../../../site-build/browser/lib/trace/model.js";
import { filled } from "../../../site-build/browser/lib/trace/why-words.js";

test("all blocks are seen where they fit, each as large as the room allows", () => {
  for (const blocks of [1, 10, 199, 600]) {
    const { columns, rows, size, each, cells } = layout(blocks, 317, 308);
    assert.deepEqual([each, cells], [1, blocks]);
    assert.ok(columns * size <= 317 && rows * size <= 308 && columns * rows >= blocks);
  }
  assert.ok(layout(10, 317, 308).size > layout(600, 317, 308).size);
});

test("where they don't fit, a square stands for a round number of them and none is left out", () => {
  for (const blocks of [2_000, 4_000, 99_999, 100_000, 1_000_000]) {
    const { columns, rows, size, each, cells } = layout(blocks, 317, 308);
    assert.match(String(each), /^[12458]0*$/);
    assert.ok(cells * each >= blocks && (cells - 1) * each < blocks);
    assert.ok(columns * size <= 317 && rows * size <= 308 && columns * rows >= cells);
  }
});

test("a percentile is the smallest value with enough at or below it, as in engine.metrics", () => {
  assert.deepEqual([1, 2, 3, 10, 100, 300].map((many) => nearestRank(many, 95)), [1, 2, 3, 10, 95, 285]);
  assert.deepEqual(percentiles(Float64Array.of(5, 1, 3)), { n: 3, p50: 3, p95: 5, p99: 5 });
  assert.equal(percentiles(new Float64Array()).p50, NaN);
});

test("numbers, shares and times are written with what they mean and no more", () => {
  assert.deepEqual([count(1, "step"), count(2_000, "step"), count(0, "branch", "branches")], ["1 step", "2,000 steps", "0 branches"]);
  assert.deepEqual([listing([]), listing(["a"]), listing(["a", "b", "c"]), listing(["a", "b", "c", "d"], 2)], ["", "a", "a, b and c", "a, b and 2 more"]);
  assert.deepEqual([share(0), share(0.004), share(0.5), share(0.996), share(1), share(NaN), share(0.0004), share(0.9999)], ["0 %", "0.4 %", "50 %", "99.6 %", "100 %", "not known", "less than 0.1 %", "more than 99.9 %"]);
  assert.deepEqual([time(1, "step"), time(1.5, "step"), time(0, "ns"), time(999, "ns"), time(1_500, "ns"), time(2_345_678, "ns"), time(3e9, "ns")], ["1 step", "1.5 steps", "0 ms", "999 ns", "1.5 µs", "2.35 ms", "3 s"]);
  assert.deepEqual([figures(0.012345), figures(1234.5), figures(7)], ["0.0123", "1,235", "7"]);
});

test("a request has a pencil by its order and a name that fits", () => {
  const model = /** @type {any} */ ({ requests: { ids: ["a", "r123", "request-17", "chat-é😀"] } });
  assert.deepEqual([0, 1, 2, 3].map((request) => letters(model, request)), ["a", "r123", "…-17", "…-é😀"]);
  assert.deepEqual([0, 5, 6].map(pencil), [1, 6, 1]);
});

test("a sentence is filled with facts and their nouns, and says what is missing", () => {
  const reason = { rule: "no_block", id: "r1", facts: { needed: 1, free: 1_200, policy: "fcfs" } };
  assert.equal(filled("{id} needs {needed:free block} of {free}: {policy}.", reason), "r1 needs 1 free block of 1,200: fcfs.");
  assert.equal(filled("{nothing} {toString}", reason), "(no nothing) (no toString)");
});

/** @param {number[]} indices @param {number[]} times */
function stepped(indices, times) {
  const model = new TraceModel({ format: "inside-the-batch.trace", schema: 1, name: "made", source: "simulated", unit: "ns" });
  indices.forEach((step, place) => model.append({ event: "step", step, at: times[place], duration: 5 }));
  return model;
}

test("two traces are aligned by the index of a step, or by time", () => {
  const a = stepped([0, 1, 2, 5], [0, 10, 20, 50]);
  const b = stepped([0, 1, 2, 3, 4, 5], [0, 20, 40, 60, 80, 100]);
  const none = stepped([], []);
  assert.deepEqual(matching(a, b, { step: 3, at: 50 }, false), { step: 5, at: 100 });
  assert.deepEqual(matching(b, a, { step: 4, at: 80 }, false), { step: 2, at: 20 });
  assert.deepEqual(matching(a, b, { step: 3, at: 50 }, true), { step: 2, at: 50 });
  assert.deepEqual(matching(a, b, { step: -1, at: 0 }, true), { step: -1, at: 0 });
  assert.deepEqual(matching(a, none, { step: 3, at: 50 }, false), { step: -1, at: 50 });
  assert.deepEqual(matching(none, a, { step: -1, at: 12 }, false), { step: 1, at: 12 });
});

test("of too many rows the first are written, and how many more there are", () => {
  let written = 0;
  const rows = rowsOf(Array.from({ length: 20_000 }, (_, place) => place), (one) => [String((written += 1) && one)]);
  assert.deepEqual([rows.length, rows[499], rows[500], written], [501, ["499"], ["19,500 more", "not listed here"], 500]);
  assert.equal(ranges([1, 2, 3, 7, 9, 10]), "1 to 3, 7 and 9 to 10");
});

test("of two long traces the requests around the chosen one are compared", () => {
  const long = new TraceModel({ format: "inside-the-batch.trace", schema: 1, name: "long", source: "simulated" });
  for (let number = 0; number < 250; number += 1) long.append({ event: "arrived", at: 0, id: `r${number}`, num_prompt_tokens: 1, max_tokens: 1 });
  const table = (request) => compareWords.words(long, null, { request }, long).tables[1];
  assert.match(table(null).caption, /, 1 to 100 of 250 \(choose one/);
  assert.deepEqual(table(240).rows.map(([id]) => id).slice(-1), ["r249"]);
  assert.ok(table(120).rows.some(([id]) => id === "r120"));
});
