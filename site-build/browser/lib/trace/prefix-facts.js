/**
 * Which requests share which blocks: block tables as a tree, since a shared prefix is a chain of blocks that several
 * tables begin with; and what the cache still keeps of chains that nobody holds.
 */
import { NOBODY } from "./books.js";
import { Grower } from "./prefix-tree.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./state.js").State} State */
/**
 * Blocks in a row that the same requests hold; none of them where only the cache keeps it.
 * @typedef {{ blocks: number[], depth: number, holders: number[], salt: string | null, children: Segment[], leaves: number }} Segment
 *   `depth`: how many blocks stand before it. `leaves`: how many ways go on from here.
 */
/** @typedef {{ salt: string | null, segments: Segment[] }} Group the trees of one salt: nothing is shared between two */
/**
 * @typedef {{ groups: Group[], sharedBlocks: number, savedBlocks: number, cachedBlocks: number, lostBlocks: number, restBlocks: number }} Forest
 *   `savedBlocks`: how many more there would be without sharing. `lostBlocks`: cached ones that nobody can hit, as a block before
 *   them is gone. `restBlocks`: cached ones that weren't looked at, for there are too many to draw.
 */

/** More cached blocks than these would take longer than a frame, and nobody could see them. */
const MOST_KEPT = 4000;

/** What block a block came after when it was handed out, and to whom: kept for each model, and taken further as it grows. */
export class Chains {
  /** Of each entry of `newBlocks`. */
  parents = new Int32Array(64);
  takers = new Int32Array(64);
  #rows = 0;
  #entries = 0;
  /** The last block of each request's table. @type {number[]} */
  #tails = [];

  /** @param {TraceModel} model */
  update({ rows, newBlocks, hitBlocks }) {
    const entries = rows.newStart[rows.count];
    if (entries > this.parents.length) {
      this.parents = wider(this.parents, entries);
      this.takers = wider(this.takers, entries);
    }
    for (let row = this.#rows; row < rows.count; row += 1) {
      const request = rows.request[row];
      // Whoever comes to run begins a table.
      let tail = rows.kind[row] ? NOBODY : this.#tails[request] ?? NOBODY;
      if (rows.hitStart[row + 1] > rows.hitStart[row]) tail = hitBlocks[rows.hitStart[row + 1] - 1];
      for (; this.#entries < rows.newStart[row + 1]; this.#entries += 1) {
        this.parents[this.#entries] = tail;
        this.takers[this.#entries] = request;
        tail = newBlocks[this.#entries];
      }
      this.#tails[request] = tail;
    }
    this.#rows = rows.count;
  }
}

/** @param {Int32Array} old @param {number} needed */
function wider(old, needed) {
  const made = new Int32Array(Math.max(needed, old.length * 2));
  made.set(old);
  return made;
}

/** @type {WeakMap<TraceModel, Chains>} */
const known = new WeakMap();

/** @param {TraceModel} model @param {State} state @returns {Forest} */
export function forestAt(model, state) {
  let chains = known.get(model);
  if (!chains) known.set(model, (chains = new Chains()));
  chains.update(model);
  const grower = new Grower(model, state, chains);
  for (const [request, blocks] of state.tables) grower.hold(request, blocks);
  const { shared, saved, cached } = state.books.all;
  for (const block of state.books.cachedBlocks()) {
    if (grower.looked >= MOST_KEPT) break;
    grower.keep(block);
  }
  return { groups: grower.groups(), sharedBlocks: shared, savedBlocks: saved, cachedBlocks: cached, lostBlocks: grower.lost, restBlocks: Math.max(0, cached - grower.looked) };
}

/** All segments of a forest, each before those that go on from it. @param {readonly Segment[]} list @param {Segment[]} [found] @returns {Segment[]} */
export function walk(list, found = []) {
  for (const one of list) {
    found.push(one);
    walk(one.children, found);
  }
  return found;
}
