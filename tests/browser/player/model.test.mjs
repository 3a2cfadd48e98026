import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../../site-build/browser/lib/trace/clock.js";
import { happenings, nextEvent } from "../../../site-build/browser/lib/trace/events.js";
import { fragment, placeIn } from "../../../site-build/browser/lib/trace/link.js";
import { END, TraceModel } from "../../../site-build/browser/lib/trace/model.js";
import { spans } from "../../../site-build/browser/lib/trace/spans.js";
import { stateAt } from "../../../site-build/browser/lib/trace/state.js";

const HEAD = { format: "inside-the-batch.trace", schema: 1, name: "made", source: "live", unit: "ns", settings: { num_blocks: 6, block_size: 4, enable_prefix_caching: true } };
const arrived = (id, at = 0, num_prompt_tokens = 4) => ({ event: "arrived", at, id, num_prompt_tokens, max_tokens: 9 });
const step = (number, at, rows, more = {}) => ({ event: "step", step: number, at, duration: 10, rows, ...more });
const model = (...records) => {
  const made = new TraceModel(HEAD);
  for (const record of records) made.append(record);
  return made;
};
const holders = ({ books }) => [0, 1, 2, 3, 4, 5].map((block) => books.holders(block));
const told = (made, id) => spans(made, made.requests.index.get(id)).map(({ kind, from, to, firstStep, lastStep, tokens }) => [kind, from, to, firstStep, lastStep, tokens].join(" "));

test("a trace that still goes on ends where it has come to", () => {
  const made = model(arrived("a"), step(0, 5, [["a", 4, 0, "new", [1]]]), arrived("b", 12));
  assert.deepEqual(told(made, "a"), ["queue 0 5 0 -1 0", "prefill 5 15 0 0 4"]);
  assert.deepEqual(told(made, "b"), ["queue 12 15 1 0 0"]);
  const before = made.version;
  made.append(step(1, 15, [["a", 1, 4], ["b", 4, 0, "new", [2]]]));
  assert.equal(made.version, before + 1);
  assert.deepEqual(told(made, "b"), ["queue 12 15 1 0 0", "prefill 15 25 1 1 4"]);
  assert.equal(made.requests.outputTokens[0], 2);
});

test("chunks of a prompt are stretches of their own, decode steps are one, what was lost is computed again", () => {
  const made = model(
    arrived("a", 0, 6),
    ...[step(0, 0, [["a", 4, 0, "new", [1]]]), step(1, 10, [["a", 2, 4, "running", [2]]]), step(2, 20, [["a", 1, 6]]), step(3, 30, [["a", 1, 7]])],
    step(4, 40, [], { preempted: ["a"] }),
    ...[step(5, 50, [["a", 4, 4, "resumed", [3], [1]]]), step(6, 60, [["a", 1, 8]])],
    { event: "finished", at: 70, id: "a", reason: "length", num_output_tokens: 4, step: 6 },
  );
  assert.deepEqual(told(made, "a"), [
    ...["queue 0 0 0 -1 0", "prefill 0 10 0 0 4", "prefill 10 20 1 1 2", "decode 20 40 2 3 2"],
    ...["preempted 40 50 4 4 0", "recompute 50 60 5 5 4", "decode 60 70 6 6 1"],
  ]);
  assert.equal(made.requests.end[0], END.finished);
});

test("a step in which a running request got nothing is a gap between two stretches", () => {
  const made = model(arrived("a"), arrived("b"), step(0, 0, [["a", 4, 0, "new", [1]]]), step(1, 10, [["a", 1, 4]]), step(2, 20, [["b", 4, 0, "new", [2]]]), step(3, 30, [["a", 1, 5]]));
  assert.deepEqual(told(made, "a").slice(2), ["decode 10 20 1 1 1", "decode 30 40 3 3 1"]);
});

test("over a lost stretch nothing goes on, and who arrived in it is met midway", () => {
  const made = model(
    arrived("a"),
    ...[step(0, 0, [["a", 4, 0, "new", [1]]]), step(1, 10, [["a", 1, 4]])],
    { event: "gap", from: 20, to: 40, lost: 3 },
    step(4, 40, [["a", 1, 8], ["b", 1, 9]]),
  );
  assert.deepEqual(made.gaps, [{ from: 20, to: 40, lost: 3 }]);
  assert.deepEqual(told(made, "a").slice(2), ["decode 10 20 1 1 1", "decode 40 50 2 2 1"]);
  assert.deepEqual(told(made, "b"), ["decode 40 50 2 2 1"]);
  assert.ok(Number.isNaN(made.requests.arrived[1]));
});

test("what a link tells besides is taken and draws nothing; its end closes the trace", () => {
  const made = model(arrived("a"), { event: "metrics", at: 3, running: 1 }, { event: "lateness", at: 4 });
  assert.equal(made.complete, false);
  made.append({ event: "end", complete: false, why: "the server went away" });
  assert.deepEqual([made.complete, made.problem], [false, "the server went away"]);
});

test("replicas have steps and blocks of their own", () => {
  const made = model(
    arrived("a"), arrived("b"),
    ...[step(0, 0, [["a", 4, 0, "new", [1]]], { lane: "one" }), step(0, 1, [["b", 4, 0, "new", [1]]], { lane: "two" })],
    ...[step(1, 10, [["a", 1, 4, "running", [2]]], { lane: "one" }), step(1, 11, [["b", 1, 4, "running", [3]]], { lane: "two" })],
  );
  assert.deepEqual(made.lanes, ["one", "two"]);
  assert.deepEqual(holders(stateAt(made, 2)), [0, 1, 1, 0, 0, 0]);
  assert.deepEqual(holders(stateAt(made, 3)), [0, 1, 0, 1, 0, 0]);
  assert.deepEqual(told(made, "a").at(-1), "decode 10 20 2 2 1");
});

test("a state is the same whichever way one comes to it", () => {
  const records = [arrived("a", 0, 400)];
  for (let number = 0; number < 300; number += 1) records.push(step(number, number * 10, [["a", 1, number, "running", number % 4 ? [] : [1 + (number % 5)]]]));
  const [there, back] = [model(...records), model(...records)];
  const forwards = Array.from({ length: 300 }, (_, number) => stateAt(there, number));
  for (const number of [299, 3, 150, 149, 70, 298, 0]) assert.deepEqual(holders(stateAt(back, number)), holders(forwards[number]), `step ${number}`);
  const early = stateAt(there, 10);
  const seen = [holders(early), early.books.all, [...early.tables]];
  stateAt(there, 290);
  assert.deepEqual([holders(early), early.books.all, [...early.tables]], seen, "what a view has stays as it was");
});

test("the clock counts steps where there are some, else every time at which something happened", () => {
  const made = model(arrived("a"), step(0, 5, [["a", 4, 0]]), step(3, 20, [["a", 1, 4]]));
  const clock = new Clock(made);
  assert.deepEqual([clock.last, clock.moment(0), clock.moment(2)], [2, { step: -1, at: 0 }, { step: 1, at: 20 }]);
  assert.deepEqual([clock.ofTime(19), clock.ofTime(20), made.stepOfIndex(3), made.stepOfIndex(2)], [1, 2, 1, 0]);
  const bare = model(arrived("a", 3), { event: "first_token", at: 8, id: "a" }, { event: "tokens", at: 9, id: "a", num_tokens: 2 });
  const times = new Clock(bare);
  assert.deepEqual([0, 1, 2, 3].map((place) => times.moment(place).at), [0, 3, 8, 9]);
  assert.equal(times.ofTime(8.5), 2);
  assert.deepEqual(told(bare, "a"), ["queue 3 8 0 -1 0", "decode 8 9 0 -1 3"]);
});

test("one jumps to the next event of a kind, and back", () => {
  const made = model(
    arrived("a"), step(0, 0, [["a", 4, 0, "new", [1]]]), { event: "first_token", at: 10, id: "a", step: 0 },
    arrived("b", 11), step(1, 12, [["a", 1, 4]], { evicted: [3] }),
    step(2, 22, [["b", 4, 0, "new", [2], [1]]], { preempted: ["a"] }),
    { event: "finished", at: 32, id: "b", reason: "stop", num_output_tokens: 1, step: 2 },
  );
  const clock = new Clock(made);
  const next = (kind, place, way = 1) => nextEvent(made, clock, kind, place, way);
  assert.deepEqual(["arrival", "first", "preemption", "eviction", "hit", "finish"].map((kind) => next(kind, 0)), [1, 1, 3, 2, 3, 3]);
  assert.deepEqual([next("arrival", 1), next("arrival", 2), next("arrival", 2, -1), next("hit", 3)], [2, null, 1, null]);
  assert.deepEqual([0, 1, 2, 3].map((place) => happenings(made, clock.moment(place))), [
    "Before the first step.",
    "Step 0, 0 ms: a arrives; 1 request gets 4 tokens; first token of a.",
    "Step 1, 12 ns: b arrives; 1 request gets 1 token; 1 block evicted.",
    "Step 2, 22 ns: 1 request gets 4 tokens; 1 block found in the cache; a is preempted; b finished.",
  ]);
});

test("where there are no steps, a time says who arrives, answers and ends", () => {
  const made = model(
    ...[arrived("a", 3), arrived("b", 3), { event: "first_token", at: 8, id: "a" }, { event: "tokens", at: 9, id: "a", num_tokens: 2 }],
    ...[{ event: "finished", at: 9, id: "a", reason: "stop", num_output_tokens: 3 }, { event: "cancelled", at: 9, id: "b" }],
  );
  const clock = new Clock(made);
  assert.deepEqual([1, 2, 3].map((place) => happenings(made, clock.moment(place))), ["3 ns: a and b arrive.", "8 ns: first token of a.", "9 ns: a finished; b cancelled."]);
});

test("a moment goes into the address and comes back, beside what the page keeps there", () => {
  const place = { moment: "step:7", choice: "r 3~&=%" };
  const hash = fragment("#rate=3&slots=8", "here", place);
  assert.match(hash, /^#rate=3&slots=8&moment=here~step/);
  assert.deepEqual(placeIn(hash, "here"), place);
  assert.equal(placeIn(hash, "other"), null);
  assert.equal(placeIn("#waste", "here"), null);
  assert.equal(fragment("#waste", "1", { moment: "step:7", choice: "r3" }), "#moment=1~step:7~r3");
});
