/**
 * Which requests share which blocks: block tables as a tree, since a shared prefix is a chain of blocks that several
 * tables begin with; and what the cache still keeps of chains that nobody holds.
 */

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
/** `after`: what goes on from it; most have one child or none. @typedef {{ block: number, parent: Node | null, holders: number[], after: Node[] }} Node */

const NONE = -1;
/** More cached blocks than these would take longer than a frame, and nobody could see them. */
const MOST_KEPT = 4000;

/** What block a block came after when it was handed out, and to whom: kept for each model, and taken further as it grows. */
class Chains {
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
      let tail = rows.kind[row] ? NONE : this.#tails[request] ?? NONE;
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
  const grower = new Grower(model, state);
  for (const [request, blocks] of state.tables) grower.hold(request, blocks);
  const sharedBlocks = state.refs.reduce((sum, holders) => sum + (holders > 1 ? 1 : 0), 0);
  const savedBlocks = state.refs.reduce((sum, holders) => sum + Math.max(0, holders - 1), 0);
  let [cachedBlocks, lostBlocks] = [0, 0];
  for (let block = 1; block < state.cached.length; block += 1) {
    if (!state.cached[block]) continue;
    cachedBlocks += 1;
    if (cachedBlocks <= MOST_KEPT && !grower.keep(block)) lostBlocks += 1;
  }
  return { groups: grower.groups(), sharedBlocks, savedBlocks, cachedBlocks, lostBlocks, restBlocks: Math.max(0, cachedBlocks - MOST_KEPT) };
}

class Grower {
  #model;
  #state;
  /** @type {Map<string | null, Node>} */
  #roots = new Map();
  /** By block; where two tables hold a block after different ones, its first place. @type {Node[]} */
  #nodes = [];
  /** The entry of `newBlocks` that handed a block out last, by block. */
  #handed;
  #chains;

  /** @param {TraceModel} model @param {State} state */
  constructor(model, state) {
    this.#model = model;
    this.#state = state;
    let chains = known.get(model);
    if (!chains) known.set(model, (chains = new Chains()));
    chains.update(model);
    this.#chains = chains;
    const { steps, rows, newBlocks } = model;
    const end = state.step < 0 ? 0 : rows.newStart[steps.rowStart[state.step + 1]];
    this.#handed = new Int32Array(state.refs.length).fill(NONE);
    // Another replica's block of the same number is another block.
    const lane = state.step < 0 ? 0 : steps.lane[state.step];
    const only = model.lanes.length < 2;
    for (let entry = 0; entry < end; entry += 1) if (only || model.requests.lane[chains.takers[entry]] === lane) this.#handed[newBlocks[entry]] = entry;
  }

  /** @param {number} request @param {readonly number[]} blocks */
  hold(request, blocks) {
    let node = this.#root(this.#model.requests.salt[request] || null);
    for (const block of blocks) {
      node = this.#next(node, block);
      node.holders.push(request);
    }
  }

  /** Put a block that only the cache keeps after the one that it follows. False where that one is gone: then nobody can hit it. @param {number} block @returns {boolean} */
  keep(block) {
    if (this.#nodes[block]) return true;
    const entry = this.#handed[block];
    if (entry === NONE) return false;
    const parent = this.#chains.parents[entry];
    const salt = this.#model.requests.salt[this.#chains.takers[entry]] || null;
    if (parent === NONE) return !!this.#next(this.#root(salt), block);
    // A parent that was handed out anew since has other content.
    if (this.#handed[parent] === NONE || this.#handed[parent] > entry || !this.#stands(parent)) return false;
    this.#next(this.#nodes[parent], block);
    return true;
  }

  /** @param {number} block */
  #stands(block) {
    return !!this.#nodes[block] || (!!this.#state.cached[block] && this.keep(block));
  }

  /** @param {string | null} salt */
  #root(salt) {
    let root = this.#roots.get(salt);
    if (!root) this.#roots.set(salt, (root = { block: NONE, parent: null, holders: [], after: [] }));
    return root;
  }

  /** @param {Node} node @param {number} block @returns {Node} */
  #next(node, block) {
    const there = this.#nodes[block];
    // A root may have thousands of ways on, so the one that is known is tried first.
    const known = there && (there.parent === node ? there : node.after.find((each) => each.block === block));
    if (known) return known;
    const made = { block, parent: node, holders: [], after: [] };
    node.after.push(made);
    this.#nodes[block] ??= made;
    return made;
  }

  /** @returns {Group[]} */
  groups() {
    return [...this.#roots].map(([salt, root]) => ({ salt, segments: segments(root.after, 0, salt) }));
  }
}

/** @param {readonly Node[]} nodes @param {number} depth @param {string | null} salt @returns {Segment[]} the most shared first */
function segments(nodes, depth, salt) {
  return nodes.map((node) => segment(node, depth, salt)).sort((a, b) => b.holders.length - a.holders.length || b.leaves - a.leaves || a.blocks[0] - b.blocks[0]);
}

/** @param {Node} first @param {number} depth @param {string | null} salt @returns {Segment} */
function segment(first, depth, salt) {
  const blocks = [first.block];
  let node = first;
  while (node.after.length === 1 && node.after[0].holders.length === node.holders.length) {
    [node] = node.after;
    blocks.push(node.block);
  }
  const children = segments(node.after, depth + blocks.length, salt);
  const ends = node.holders.length - children.reduce((sum, child) => sum + child.holders.length, 0);
  const leaves = Math.max(1, children.reduce((sum, child) => sum + child.leaves, 0) + (children.length && ends > 0 ? 1 : 0));
  return { blocks, depth, holders: first.holders, salt, children, leaves };
}

/** All segments of a forest, each before those that go on from it. @param {readonly Segment[]} list @returns {Generator<Segment>} */
export function* walk(list) {
  for (const one of list) {
    yield one;
    yield* walk(one.children);
  }
}
