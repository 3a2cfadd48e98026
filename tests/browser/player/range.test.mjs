import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsToShow } from "../../../site-build/browser/lib/trace/timeline-find.js";
import { Frame } from "../../../site-build/browser/lib/trace/timeline-frame.js";
import { Range } from "../../../site-build/browser/lib/trace/timeline-range.js";

const model = (end, steps = 0) => /** @type {any} */ ({ end, steps: { count: steps }, header: { unit: "ns" }, requests: { count: 0 } });

/** Two frames on one axis: of a trace of 100 µs, and of one of 200 µs. */
function pair() {
  const range = new Range();
  const [short, long] = [model(100_000, 10), model(200_000, 30)];
  const frames = [new Frame(short, long, range), new Frame(long, short, range)];
  frames.forEach((frame, place) => Object.assign(frame, { width: 700 + 100 * place, gutter: 94 }));
  return { range, a: frames[0], b: frames[1] };
}

test("two frames of one range show the same stretch, whichever was zoomed, panned or fitted", () => {
  const { a, b } = pair();
  assert.deepEqual([a.from, a.to, b.from, b.to], [0, 200_000, 0, 200_000]);
  b.zoom(0.5, b.x(100_000));
  assert.deepEqual([a.from, a.to], [50_000, 150_000]);
  a.pan(a.plot / 2);
  assert.deepEqual([b.from, b.to], [100_000, 200_000]);
  assert.equal(b.value(b.x(123_000)), 123_000);
  a.range.bySteps = true;
  b.fit();
  assert.deepEqual([a.from, a.to, a.bySteps], [0, 30, true]);
});

test("who follows a moment of its own leaves the one that leads in sight", () => {
  const { range, a, b } = pair();
  a.zoom(0.1, a.x(0));
  assert.deepEqual([a.from, a.to], [0, 20_000]);
  a.reveal(50_000, 51_000);
  range.now = [50_000, 51_000];
  assert.ok(a.from <= 50_000 && a.to >= 51_000);
  b.reveal(65_000, 66_000, range.now);
  assert.ok(a.from <= 50_000 && a.to >= 66_000, "where both fit, both are seen");
  b.reveal(150_000, 151_000, range.now);
  assert.ok(a.from <= 50_000 && a.to >= 51_000, "where they don't, the leading one is");
  b.reveal(150_000, 151_000);
  assert.ok(b.from <= 150_000 && b.to >= 151_000);
});

test("the others are told of a change, and who made it isn't", () => {
  const range = new Range();
  const told = [];
  for (const who of ["a", "b", "c"]) range.watch(who, () => told.push(who));
  range.changed("b");
  assert.deepEqual(told, ["a", "c"]);
});

test("a row of which only an edge is seen is brought into sight", () => {
  const running = (row) => /** @type {any} */ ({ ...model(100, 1), requests: { count: 40 }, steps: { count: 1, rowStart: [0, 1] }, rows: { request: Int32Array.of(row) } });
  const first = (row) => rowsToShow(Object.assign(new Frame(running(row)), { height: 420 }), { step: 0, at: 0 });
  assert.deepEqual([14, 15, 39].map(first), [null, 15, 39]);
});
