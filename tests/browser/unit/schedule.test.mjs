import assert from "node:assert/strict";
import { test } from "node:test";
import { idleSteps, readSchedule, waitingAt } from "../../../site-build/browser/lib/schedule.js";

/** The founding example: a needs two steps, b four, c one, in two slots. */
const header = { format: "inside-the-batch.trace", schema: 1, name: "continuous batching", source: "simulated", settings: { max_num_seqs: 2 } };
const arrived = ["a", "b", "c"].map((id) => ({ event: "arrived", at: 0, id, num_prompt_tokens: 1, max_tokens: 1 }));
/** @param {number} step @param {string[]} ids */
const ran = (step, ids) => ({ event: "step", step, at: step, rows: ids.map((id) => [id, 1, step]) });
/** @param {number} at @param {string} id */
const finished = (at, id) => ({ event: "finished", at, id, reason: "length", num_output_tokens: 1, step: at - 1 });
/** @param {object[]} records @param {object} [top] */
const trace = (records, top = header) => [top, ...records].map((record) => `${JSON.stringify(record)}\n`).join("");

const continuous = trace([
  ...arrived,
  ran(0, ["a", "b"]),
  ran(1, ["a", "b"]),
  finished(2, "a"),
  ran(2, ["b", "c"]),
  finished(3, "c"),
  ran(3, ["b"]),
  finished(4, "b"),
]);

test("who held which slot, and when, in the order of admission", () => {
  const { name, slots, steps, runs } = readSchedule(continuous);
  assert.deepEqual([name, slots, steps], ["continuous batching", 2, 4]);
  assert.deepEqual(
    runs.map(({ id, slot, from, to }) => [id, slot, from, to]),
    [["a", 0, 0, 2], ["b", 1, 0, 4], ["c", 0, 2, 3]],
  );
});

test("idle stretches are what no run covers, up to the run's end", () => {
  const schedule = readSchedule(continuous);
  assert.deepEqual(schedule.gaps, [{ slot: 0, from: 3, to: 4 }]);
  assert.equal(idleSteps(schedule), 1);
});

test("a slot that nobody ever held is idle from the first step to the last", () => {
  const { gaps } = readSchedule(trace([arrived[0], ran(0, ["a"]), finished(1, "a")], header));
  assert.deepEqual(gaps, [{ slot: 1, from: 0, to: 1 }]);
});

test("who waits has arrived and isn't running yet", () => {
  const schedule = readSchedule(continuous);
  const at = (/** @type {number} */ step) => waitingAt(schedule, step).map(({ id }) => id);
  assert.deepEqual([at(0), at(1.9), at(2)], [["c"], ["c"], []]);
});

test("whoever arrives later doesn't wait before", () => {
  const late = [arrived[0], ran(0, ["a"]), { ...arrived[1], at: 1 }, ran(1, ["a"]), finished(2, "a"), ran(2, ["b"]), finished(3, "b")];
  const schedule = readSchedule(trace(late, { ...header, settings: { max_num_seqs: 1 } }));
  const at = (/** @type {number} */ step) => waitingAt(schedule, step).map(({ id }) => id);
  assert.deepEqual([at(0), at(1), at(2)], [[], ["b"], []]);
});

test("another format, another schema and another clock are refused with what they say", () => {
  for (const wrong of [{ format: "other" }, { schema: 2 }, { unit: "ns" }]) {
    assert.throws(() => readSchedule(trace([], { ...header, ...wrong })), /schema 1 in steps/);
  }
});
