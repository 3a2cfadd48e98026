/** What there is to say of each block of the pool at one step, and how many of them a picture of some size can show. */

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./state.js").State} State */
/** @typedef {"null" | "free" | "held" | "shared" | "cached"} BlockKind */
/**
 * @typedef {{ block: number, kind: BlockKind, owner: number, holders: number, used: number, evicted: boolean }} Block
 *   `owner`: whose pencil it has, -1 for nobody's. `used`: slots with a token in them, NaN where the block size isn't known.
 */
/** @typedef {Record<BlockKind, number> & { evicted: number, lendable: number, emptySlots: number }} Pool how many of each */

/** The state of a pool, ready to be asked block by block. */
export class PoolView {
  /** @param {TraceModel} model @param {State} state */
  constructor(model, state) {
    this.model = model;
    this.state = state;
    this.size = model.numBlocks;
    this.evicted = new Set(state.evicted);
    /** Slots with a token, of those blocks that aren't full. @type {Map<number, number>} */
    this.partial = new Map();
    const { blockSize } = model;
    for (const [request, blocks] of state.tables) {
      const tokens = state.tokens.get(request) ?? 0;
      for (let place = blocks.length - 1; place >= 0 && (place + 1) * blockSize > tokens; place -= 1) {
        this.partial.set(blocks[place], Math.max(0, tokens - place * blockSize));
      }
    }
  }

  /** @param {number} block @returns {BlockKind} */
  kind(block) {
    if (block === 0) return "null";
    const holders = this.state.refs[block];
    return holders > 1 ? "shared" : holders ? "held" : this.state.cached[block] ? "cached" : "free";
  }

  /** @param {number} block @returns {Block} */
  at(block) {
    const kind = this.kind(block);
    const full = kind === "free" || kind === "null" ? 0 : this.model.blockSize || NaN;
    return {
      block,
      kind,
      owner: kind === "free" || kind === "null" ? -1 : this.state.owner[block],
      holders: this.state.refs[block] ?? 0,
      used: this.model.blockSize ? this.partial.get(block) ?? full : full,
      evicted: this.evicted.has(block),
    };
  }

  /** Together, from block `from` to before block `to`. @param {number} [from] @param {number} [to] @returns {Pool} */
  counts(from = 0, to = this.size) {
    const found = { null: 0, free: 0, held: 0, shared: 0, cached: 0, evicted: 0, lendable: 0, emptySlots: 0 };
    for (let block = from; block < to; block += 1) {
      found[this.kind(block)] += 1;
      if (this.evicted.has(block)) found.evicted += 1;
    }
    for (const [block, used] of this.partial) if (block >= from && block < to) found.emptySlots += this.model.blockSize - used;
    found.lendable = to - from - found.null;
    return found;
  }

  /** Who holds blocks from `from` to before `to`, and how many, the most first. @param {number} from @param {number} to @returns {[number, number][]} */
  holders(from, to) {
    /** @type {[number, number][]} */
    const found = [];
    for (const [request, blocks] of this.state.tables) {
      let count = 0;
      for (const block of blocks) if (block >= from && block < to) count += 1;
      if (count) found.push([request, count]);
    }
    return found.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  }
}

/** @typedef {{ columns: number, rows: number, size: number, each: number, cells: number }} Layout `each`: how many blocks a cell stands for */

const LARGEST = 30;
const SMALLEST = 11;

/**
 * The largest cells that let all blocks be seen in this room; where the smallest are too many, each stands for several.
 * @param {number} blocks lendable ones @param {number} width @param {number} height in CSS pixels @returns {Layout}
 */
export function layout(blocks, width, height) {
  const room = (/** @type {number} */ size) => ({ columns: Math.max(1, Math.floor(width / size)), rows: Math.max(1, Math.floor(height / size)) });
  for (let size = LARGEST; size >= SMALLEST; size -= 1) {
    const { columns, rows } = room(size);
    if (columns * rows >= blocks) return { columns, rows: Math.ceil(blocks / columns), size, each: 1, cells: blocks };
  }
  const { columns, rows } = room(SMALLEST + 3);
  const each = roundUp(Math.ceil(blocks / (columns * rows)));
  const cells = Math.ceil(blocks / each);
  return { columns, rows: Math.ceil(cells / columns), size: SMALLEST + 3, each, cells };
}

/** To a number that reads easily: 2, 4, 5, 8, 10, 20, 40, 50, 80, 100 … @param {number} value */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}
