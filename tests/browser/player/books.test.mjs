import assert from "node:assert/strict";
import { test } from "node:test";
import { Books } from "../../../site-build/browser/lib/trace/books.js";
import { PoolView } from "../../../site-build/browser/lib/trace/blocks-facts.js";
import { TraceModel } from "../../../site-build/browser/lib/trace/model.js";
import { forestAt, walk } from "../../../site-build/browser/lib/trace/prefix-facts.js";
import { stateAt } from "../../../site-build/browser/lib/trace/state.js";

const BLOCKS = 2_000;
const random = (seed) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const sumsOf = (holders, cached, from, to) => {
  const found = { held: 0, shared: 0, cached: 0, saved: 0 };
  for (let block = from; block < to; block += 1) {
    found.held += holders[block] > 0 ? 1 : 0;
    found.shared += holders[block] > 1 ? 1 : 0;
    found.saved += Math.max(0, holders[block] - 1);
    found.cached += cached.has(block) ? 1 : 0;
  }
  return found;
};

test("books kept in pages say what books block by block say, and a copy stays as it was", () => {
  const next = random(7);
  const [books, holders, cached] = [new Books(), new Array(BLOCKS).fill(0), new Set()];
  const copies = [];
  for (let round = 0; round < 6_000; round += 1) {
    const block = Math.floor(next() * BLOCKS);
    if (holders[block] && next() < 0.5) {
      const keeps = next() < 0.5;
      books.drop(block, keeps);
      holders[block] -= 1;
      if (!holders[block] && keeps) cached.add(block);
    } else if (next() < 0.1) {
      books.forget(block);
      cached.delete(block);
    } else {
      books.hold(block, round, 0);
      holders[block] += 1;
      cached.delete(block);
    }
    if (round % 1_000 === 0) copies.push([books.copy(), holders.slice(), new Set(cached)]);
  }
  for (const [there, held, kept] of [...copies, [books, holders, cached]]) {
    for (const [from, to] of [[0, BLOCKS], [1, 257], [255, 256], [300, 1_999], [512, 1_024]]) assert.deepEqual(there.sums(from, to), sumsOf(held, kept, from, to));
    assert.deepEqual(there.all, sumsOf(held, kept, 0, BLOCKS));
    assert.deepEqual([...there.cachedBlocks()], [...kept].sort((a, b) => a - b));
    assert.deepEqual(held, held.map((_, block) => there.holders(block)));
  }
});

const HEAD = { format: "inside-the-batch.trace", schema: 1, name: "made", source: "simulated", settings: { num_blocks: 1_000_001, block_size: 4, enable_prefix_caching: true } };
const made = (...records) => {
  const model = new TraceModel(HEAD);
  for (const record of records) model.append(record);
  return model;
};
const arrived = (id) => ({ event: "arrived", at: 0, id, num_prompt_tokens: 4, max_tokens: 9 });

test("the cells of a map hold what their blocks do, to the last one", () => {
  const model = made(arrived("a"), { event: "step", step: 0, at: 0, rows: [["a", 8, 0, "new", [1, 2_000, 2_001, 1_000_000]]], evicted: [2_001, 5] });
  const pool = new PoolView(model, stateAt(model, 0));
  const cells = pool.cells(2_000);
  assert.equal(cells.length, 500);
  assert.deepEqual([0, 1, 2, 499].map((place) => cells[place].held), [2, 1, 0, 1]);
  assert.deepEqual([0, 1].map((place) => cells[place].evicted), [1, 1]);
  assert.equal(cells.reduce((sum, { lendable }) => sum + lendable, 0), 1_000_000);
});

test("a block that follows itself, and one held twice, are no way without an end", () => {
  const rows = [["a", 16, 0, "new", [5, 5, 6]]];
  const model = made(arrived("a"), { event: "step", step: 0, at: 0, rows }, { event: "finished", at: 1, id: "a", reason: "stop", num_output_tokens: 1 }, { event: "step", step: 1, at: 1 });
  for (const step of [0, 1]) {
    const { groups } = forestAt(model, stateAt(model, step));
    assert.ok(groups.flatMap(({ segments }) => [...walk(segments)]).every(({ blocks }) => blocks.length > 0));
  }
});

test("checkpoints of a large pool that changes everywhere stay within bounds, and lead to the same state", () => {
  const [blocks, steps, each] = [1_000_000, 2_400, 250];
  const model = made(arrived("keeper"));
  let next = 0;
  for (let step = 0; step < steps; step += 1) {
    const id = `r${step}`;
    const mine = Array.from({ length: each }, () => 1 + ((next++ * 7_919) % blocks));
    model.append({ ...arrived(id), at: step });
    model.append({ event: "step", step, at: step, rows: [[id, each * 4, 0, "new", mine]] });
    model.append({ event: "finished", at: step + 1, id, reason: "stop", num_output_tokens: 1 });
  }
  const before = process.memoryUsage().arrayBuffers;
  const { books } = stateAt(model, steps - 1);
  const end = books.all;
  assert.ok(process.memoryUsage().arrayBuffers - before < 400e6);
  assert.ok(books.made < 10 * books.size, `the way there made ${books.made} pages, of which no checkpoint keeps most`);
  const early = stateAt(model, 700).books.all;
  assert.deepEqual([early.held, early.cached], [each, 700 * each]);
  assert.deepEqual(stateAt(model, steps - 1).books.all, end);
});

test("a moment costs by what changes in it, not by how many run", () => {
  const [many, steps] = [100_000, [1, 2, 3, 4, 5]];
  const ids = Array.from({ length: many }, (_, request) => `r${request}`);
  const rows = (step) => ids.map((id) => [id, 1, step]);
  const model = made(...ids.map(arrived), ...[0, ...steps].map((step) => ({ event: "step", step, at: step, rows: rows(step) })));
  const least = (work) => Math.min(...steps.map((step) => cost(() => work(step))));
  const cost = (work) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  stateAt(model, 0);
  const tables = new Map(ids.map((_, request) => [request, []]));
  const [move, copy] = [least((step) => stateAt(model, step)), least(() => new Map(tables))];
  assert.ok(move < copy, `a move takes ${move} µs, and one copy of all tables ${copy}`);
});
