import assert from "node:assert/strict";
import { test } from "node:test";
import { TraceModel } from "../../../site-build/browser/lib/trace/model.js";
import { MOST_BYTES, readTrace } from "../../../site-build/browser/lib/trace/read.js";

const HEAD = { format: "inside-the-batch.trace", schema: 1, name: "made", source: "simulated" };
const ARRIVED = { event: "arrived", at: 0, id: "r1", num_prompt_tokens: 4, max_tokens: 2 };
const STEP = { event: "step", step: 0, at: 0, rows: [["r1", 4, 0, "new", [1]]] };
const lines = (...records) => records.map((record) => JSON.stringify(record)).join("\n") + "\n";

const problem = async (source, name = "a.trace.jsonl") => {
  try {
    await readTrace(source, { name });
  } catch (error) {
    return error.message;
  }
  return "nothing was wrong";
};

test("a trace is read from text and from a file, whatever ends its lines", async () => {
  const text = lines(HEAD, ARRIVED, STEP);
  for (const source of [text, new Blob([text]), text.replaceAll("\n", "\r\n"), `\uFEFF${text}`, text.trimEnd()]) {
    const model = await readTrace(source);
    assert.deepEqual([model.requests.count, model.steps.count, model.rows.count, model.complete], [1, 1, 1, true]);
  }
});

test("letters that end up in two pieces of a file stay whole", async () => {
  const text = lines(HEAD, { ...ARRIVED, id: "ü".repeat(700_000) }, { event: "cancelled", at: 1, id: "ü".repeat(700_000) });
  const model = await readTrace(new Blob([text]));
  assert.equal(model.requests.ids[0].length, 700_000);
});

const BROKEN = [
  ["", "a.trace.jsonl: got an empty file, expected a trace: a header and one record a line"],
  ["\n", /line 1: got an empty first line, expected a trace/],
  ["id,arrived\nr1,0\n", /line 1: got a table \(CSV\) with the columns id,arrived/],
  ['{"request_throughput": 3.2, "completed": 5}', /line 1: got a result of vLLM's benchmark/],
  ["<!doctype html>", /line 1: got a page or a picture/],
  ["\0\u0001\u0002", /line 1: got a file that is no text/],
  ["{\n  \"format\": 1\n}", /line 1: got JSON over several lines, or one that is cut off/],
  ["[1, 2]", /line 1: got a JSON array/],
  ["Once upon a time", /line 1: got a text that begins with "Once upon a time"/],
  [lines({ format: "inside-the-batch.workload", schema: 1 }), /line 1: got a workload of this course/],
  [lines({ ...HEAD, schema: 2 }), "a.trace.jsonl, line 1: schema: got 2, expected 1, the version that this player reads"],
  [lines({ ...HEAD, unit: "ms" }), "a.trace.jsonl, line 1: unit: got \"ms\", expected one of step, ns"],
  [lines(HEAD, { ...ARRIVED, at: 1.5 }), "a.trace.jsonl, line 2: at: got 1.5, expected a whole number, 0 or more"],
  [lines(HEAD, { ...ARRIVED, at: undefined }), "a.trace.jsonl, line 2: at: got nothing, expected a whole number, 0 or more"],
  [lines(HEAD, { ...ARRIVED, colour: "red" }), /line 2: colour: got "red", expected none but the fields at, id/],
  [lines(HEAD, { ...ARRIVED, constructor: 1 }), /line 2: constructor: got 1, expected none but the fields at, id/],
  [lines(HEAD, ARRIVED).replace("}\n{", '}\n{"__proto__":5,'), /line 2: __proto__: got 5, expected none but the fields at, id/],
  [lines(HEAD, ARRIVED, { ...STEP, lane: 5 }), "a.trace.jsonl, line 3: lane: got 5, expected a text"],
  [lines(HEAD, { event: "slept", at: 0 }), /line 2: event: got "slept", expected one of arrived, admitted/],
  [lines(HEAD, ARRIVED, ARRIVED), 'a.trace.jsonl, line 3: id: got "r1", which arrived before, expected an id of its own'],
  [lines(HEAD, STEP), 'a.trace.jsonl, line 2: rows[0].id: got "r1", which never arrived, expected a request that is here'],
  [lines(HEAD, ARRIVED, { ...STEP, rows: [["r1", "4", 0]] }), 'a.trace.jsonl, line 3: rows[0].num_scheduled_tokens: got "4", expected a whole number, 0 or more'],
  [lines(HEAD, ARRIVED, { ...STEP, rows: [["r1", 4, 0, "new", [1, -1]]] }), /line 3: rows\[0\]\.new_blocks\[1\]: got -1, expected a block's id/],
  [lines(HEAD, ARRIVED, { ...STEP, rows: [["r1", 4, 0, "new", [4e9]]] }), /line 3: rows\[0\]\.new_blocks\[0\]: got 4000000000, expected a block's id/],
  [lines(HEAD, ARRIVED, STEP, { ...STEP, at: 1 }), "a.trace.jsonl, line 4: step: got 0, expected 1 or later, for steps count up"],
  [lines(HEAD, { ...ARRIVED, at: 5 }, STEP), "a.trace.jsonl, line 3: at: got 0, expected 5 or later, for time doesn't run backwards"],
  [lines(HEAD, ARRIVED, { event: "cancelled", at: 1, id: "r1" }, { event: "cancelled", at: 2, id: "r1" }), 'a.trace.jsonl, line 4: id: got "r1", which has ended, expected a request that is here'],
  [lines(HEAD, ARRIVED) + '{"event":"step","st', 'a.trace.jsonl, line 3: got "{\\"event\\":\\"step\\",\\"st", expected a JSON object on one line'],
  [lines(HEAD, ARRIVED) + "\n" + lines(STEP), 'a.trace.jsonl, line 3: got "", expected a JSON object on one line'],
  [lines(HEAD, ARRIVED, { ...STEP, why: [["rule"]] }), /line 3: why\[0\]: got \["rule"\], expected an array of a rule/],
  [lines(HEAD, [1]), "a.trace.jsonl, line 2: got [1], expected a JSON object on one line"],
];

for (const [text, words] of BROKEN) {
  test(`refused in words: ${JSON.stringify(text).slice(0, 70)}`, async () => {
    const said = await problem(text);
    if (typeof words === "string") assert.equal(said, words);
    else assert.match(said, words);
    assert.equal(await problem(new Blob([text])), said, "and the same from a file");
  });
}

test("bytes that are no text are refused in words", async () => {
  assert.match(await problem(new Blob([new Uint8Array([0x1f, 0x8b, 8, 0xff, 0xfe])])), /got bytes that are no text, expected a trace/);
});

test("a file that is too large is refused before it is read, with the limit", async () => {
  const huge = Object.assign(new Blob([]), {});
  Object.defineProperty(huge, "size", { value: MOST_BYTES + 1 });
  assert.match(await problem(huge), /got 257 MB, expected at most 256 MB/);
});

test("reading comes in slices, tells how far it is, and can be stopped", async () => {
  const steps = Array.from({ length: 30_000 }, (_, step) => ({ event: "step", step, at: step, rows: [["r1", 1, step]] }));
  const text = lines(HEAD, ARRIVED, ...steps);
  const shares = [];
  await readTrace(text, { progress: (share) => shares.push(share) });
  assert.ok(shares.length >= 2, `${shares.length} slices`);
  assert.ok(shares.every((share) => share > 0 && share <= 1), String(shares));
  const stop = new AbortController();
  await assert.rejects(readTrace(text, { signal: stop.signal, progress: () => stop.abort() }), { name: "AbortError" });
});

test("a record that is refused leaves no half of itself behind", () => {
  const model = new TraceModel(HEAD);
  model.append(ARRIVED);
  assert.throws(() => model.append({ ...STEP, rows: [["r1", 1, 0], ["r2", 1, 0]] }), /rows\[1\]\.id: got "r2", which never arrived/);
  assert.deepEqual([model.steps.count, model.rows.count, model.requests.preemptions[0]], [0, 0, 0]);
  model.append(STEP);
  assert.deepEqual([model.steps.count, model.rows.count], [1, 1]);
});
