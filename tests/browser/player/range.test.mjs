import assert from "node:assert/strict";
import { test } from "node:test";
import { fullest, isInSight, runningRows } from "../../../site-build/browser/lib/trace/timeline-find.js";
import { Frame } from "../../../site-build/browser/lib/trace/timeline-frame.js";
import { Range, Rows } from "../../../site-build/browser/lib/trace/timeline-range.js";
import { Scroll } from "../../../site-build/browser/lib/trace/timeline-rows.js";

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

/** A timeline of 40 requests with room for 15 rows, as these run. */
function running(...rows) {
  const frame = Object.assign(new Frame(/** @type {any} */ ({ ...model(100, 1), requests: { count: 40 }, steps: { count: 1, rowStart: [0, rows.length] }, rows: { request: Int32Array.from(rows) } })), { height: 420 });
  return { frame, rows: runningRows(frame.model, { step: 0, at: 0 }) };
}

test("a row of which only an edge is seen is brought into sight", () => {
  const seen = (row) => {
    const { frame, rows } = running(row);
    return isInSight(frame, rows);
  };
  assert.deepEqual([14, 15, 39].map(seen), [true, false, false]);
  assert.equal(runningRows(running(3).frame.model, { step: -1, at: 0 }).length, 0);
});

test("of more than there is room for, most are shown, and a straggler keeps none of them out of sight", () => {
  const { frame, rows } = running(1, 20, 22, 23, 25, 27, 39);
  assert.equal(isInSight(frame, rows), false, "the straggler alone is seen");
  assert.equal(fullest(frame, rows).first, 20);
  frame.top = 23 * 26;
  assert.equal(isInSight(frame, rows), true, "three of five that could be: nothing jumps about");
});

test("of two, the one that leads shows who runs there, and the other as well where both fit", () => {
  const ids = Array.from({ length: 40 }, (_, request) => `r${request}`);
  const index = new Map(ids.map((id, request) => [id, request]));
  const rows = new Rows();
  const side = (request, leads) => {
    const model = /** @type {any} */ ({ end: 1, header: { unit: "step" }, requests: { count: 40, ids, index }, steps: { count: 1, rowStart: [0, 1] }, rows: { request: Int32Array.of(request) } });
    const frame = Object.assign(new Frame(model), { height: 420 });
    const node = { scrollTop: 0 };
    const paper = /** @type {any} */ ({ node, look: () => (frame.top = node.scrollTop), scrollTo: (row) => (node.scrollTop = Math.max(0, row) * frame.rowHeight) });
    return { node, scroll: new Scroll(paper, frame, /** @type {any} */ ({ rows, leads }), () => {}) };
  };
  const topmost = (leading, other) => {
    const sides = [side(leading, true), side(other, false)];
    for (const { scroll } of sides) scroll.follow({ step: 0, at: 0 });
    assert.equal(sides[0].node.scrollTop, sides[1].node.scrollTop);
    return sides[0].node.scrollTop / 26;
  };
  assert.equal(topmost(22, 24), 21);
  assert.equal(topmost(22, 12), 11, "a little further up both are seen");
  assert.equal(topmost(22, 3), 21);
});
