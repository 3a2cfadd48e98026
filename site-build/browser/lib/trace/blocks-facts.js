/** What there is to say of each block of the pool at one step, and how many of them a picture of some size can show. */
import { NOBODY } from "./books.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./state.js").State} State */
/** @typedef {"null" | "free" | "held" | "shared" | "cached"} BlockKind */
/**
 * @typedef {{ block: number, kind: BlockKind, owner: number, holders: number, used: number, evicted: boolean }} Block
 *   `owner`: whose pencil it has, -1 for nobody's. `used`: slots with a token in them, NaN where the block size isn't known.
 */
/** @typedef {Record<BlockKind, number> & { evicted: number, lendable: number }} Kinds how many of each */
/** @typedef {Kinds & { emptySlots: number }} Pool */

/** The state of a pool, ready to be asked block by block. */
export class PoolView {
  /** @param {TraceModel} model @param {State} state */
  constructor(model, state) {
    this.model = model;
    this.state = state;
    this.size = model.numBlocks;
    this.evicted = new Set(state.evicted);
  }

  /** @param {number} block @returns {BlockKind} */
  kind(block) {
    if (block === 0) return "null";
    const { books } = this.state;
    const holders = books.holders(block);
    return holders > 1 ? "shared" : holders ? "held" : books.isCached(block) ? "cached" : "free";
  }

  /** @param {number} block @returns {Block} */
  at(block) {
    const kind = this.kind(block);
    const { books } = this.state;
    const isEmpty = kind === "free" || kind === "null";
    return {
      block,
      kind,
      owner: isEmpty ? NOBODY : books.owner(block),
      holders: books.holders(block),
      used: isEmpty ? 0 : kind === "cached" ? this.model.blockSize || NaN : this.#used(books.owner(block), books.place(block)),
      evicted: this.evicted.has(block),
    };
  }

  /** Slots with a token in the block at a place of a table. @param {number} request @param {number} place */
  #used(request, place) {
    const { blockSize } = this.model;
    return blockSize ? Math.min(Math.max((this.state.tokens.get(request) ?? 0) - place * blockSize, 0), blockSize) : NaN;
  }

  /** Together, in the whole pool. @returns {Pool} */
  get counts() {
    const { blockSize } = this.model;
    const { books, tables } = this.state;
    let emptySlots = 0;
    for (const [request, blocks] of blockSize ? tables : []) {
      for (let place = blocks.length - 1; place >= 0; place -= 1) {
        const empty = blockSize - this.#used(request, place);
        if (!empty) break;
        // What several hold counts once.
        if (books.owner(blocks[place]) === request) emptySlots += empty;
      }
    }
    return { ...this.kinds(0, this.size), emptySlots };
  }

  /** Of each kind, from block `from` to before block `to`. @param {number} from @param {number} to @returns {Kinds} */
  kinds(from, to) {
    const found = this.#kinds(from, to);
    for (const block of this.evicted) if (block >= from && block < to) found.evicted += 1;
    return found;
  }

  /** The same of every cell of `each` blocks, that of block 1 first; without slots. @param {number} each @returns {Kinds[]} */
  cells(each) {
    const found = Array.from({ length: Math.ceil((this.size - 1) / each) }, (_, place) => this.#kinds(1 + place * each, Math.min(this.size, 1 + (place + 1) * each)));
    for (const block of this.evicted) {
      const cell = found[cellOf(block, each)];
      if (cell) cell.evicted += 1;
    }
    return found;
  }

  /** @param {number} from @param {number} to @returns {Kinds} evicted ones aren't counted yet */
  #kinds(from, to) {
    const { held, shared, cached } = this.state.books.sums(Math.max(1, from), to);
    const none = from === 0 && to > 0 ? 1 : 0;
    const lendable = to - from - none;
    return { null: none, free: lendable - held - cached, held: held - shared, shared, cached, evicted: 0, lendable };
  }

  /** Who holds blocks from `from` to before `to`, and how many, the most first. @param {number} from @param {number} to @returns {[number, number][]} */
  holders(from, to) {
    const { books, tables } = this.state;
    /** @type {Map<number, number>} */
    const found = new Map();
    const count = (/** @type {number} */ request) => found.set(request, (found.get(request) ?? 0) + 1);
    if (books.sums(from, to).shared) {
      for (const [request, blocks] of tables) for (const block of blocks) if (block >= from && block < to) count(request);
    } else {
      for (let block = from; block < to; block += 1) if (books.holders(block)) count(books.owner(block));
    }
    return [...found].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  }
}

/** The cell in which a block stands, where a cell is `each` blocks: block 0 is never lent and stands in none. @param {number} block @param {number} each */
export function cellOf(block, each) {
  return Math.floor((block - 1) / each);
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
