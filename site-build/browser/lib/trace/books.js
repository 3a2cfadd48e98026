/**
 * The books of a pool of blocks: how many hold a block, whose it is, whether it keeps known content, and which entry of
 * `newBlocks` handed it out last.
 *
 * They are kept in pages, and each page knows its sums: so that a copy and a count cost by the pages that something happened
 * in, not by the blocks of the pool.
 */
import { Pages, SIZE } from "./pages.js";

export const NOBODY = -1;
/** Where a page keeps what: a column for each, and its sums behind them. */
const [REFS, OWNER, PLACE, HANDED, CACHED, SUMS] = [0, 1, 2, 3, 4, 5].map((column) => column * SIZE);
const [HELD, SHARED, SAVED, KEPT] = [0, 1, 2, 3].map((place) => SUMS + place);

/** @typedef {{ held: number, shared: number, cached: number, saved: number }} Sums
 *   `held`: blocks that somebody holds, `shared`: those of them that several do, `saved`: how many more there would be without
 *   sharing, `cached`: blocks that nobody holds and that keep known content. */

/** What stands where nothing happened yet. */
const BLANK = new Int32Array(KEPT + 1).fill(NOBODY, OWNER, CACHED);

export class Books {
  #pages = new Pages(BLANK);

  /** How many pages there are. */
  get size() {
    return this.#pages.size;
  }

  /** How many were ever made on the way to these. */
  get made() {
    return this.#pages.made;
  }

  /** @returns {Books} */
  copy() {
    const twin = new Books();
    twin.#pages = this.#pages.copy();
    return twin;
  }

  /** How many hold a block. @param {number} block */
  holders(block) {
    return this.#read(block, REFS);
  }

  /** To whom a block was handed first among those who hold it, or whose content it still keeps; -1 for nobody. @param {number} block */
  owner(block) {
    return this.#read(block, OWNER);
  }

  /** Where it stands in its owner's table. @param {number} block */
  place(block) {
    return this.#read(block, PLACE);
  }

  /** The entry of `newBlocks` that handed a block out last, or -1. @param {number} block */
  handed(block) {
    return this.#read(block, HANDED);
  }

  /** Whether nobody holds a block and it keeps known content. @param {number} block */
  isCached(block) {
    return this.#read(block, CACHED) === 1;
  }

  /** @param {number} block @param {number} request @param {number} place in its table @param {number} [entry] of `newBlocks`, where it is handed out anew @returns {number} how many hold it now */
  hold(block, request, place, entry) {
    const page = this.#own(block);
    const at = block % SIZE;
    const holders = (page[REFS + at] += 1);
    if (holders === 1) {
      page[OWNER + at] = request;
      page[PLACE + at] = place;
      page[HELD] += 1;
    } else {
      page[SAVED] += 1;
      if (holders === 2) page[SHARED] += 1;
    }
    keep(page, at, 0);
    if (entry !== undefined) page[HANDED + at] = entry;
    return holders;
  }

  /** One holder fewer. @param {number} block @param {boolean} keeps whether its content stays known @returns {number} how many are left */
  drop(block, keeps) {
    const page = this.#own(block);
    const at = block % SIZE;
    const left = (page[REFS + at] -= 1);
    if (left) {
      page[SAVED] -= 1;
      if (left === 1) page[SHARED] -= 1;
      return left;
    }
    page[HELD] -= 1;
    keep(page, at, keeps ? 1 : 0);
    if (!keeps) page[OWNER + at] = NOBODY;
    return left;
  }

  /** Its content is gone. @param {number} block */
  forget(block) {
    if (this.isCached(block)) keep(this.#own(block), block % SIZE, 0);
  }

  /** Another of its holders is its owner now. @param {number} block @param {number} request @param {number} place in its table */
  give(block, request, place) {
    const page = this.#own(block);
    page[OWNER + (block % SIZE)] = request;
    page[PLACE + (block % SIZE)] = place;
  }

  /** Of the whole pool. @returns {Sums} */
  get all() {
    const found = { held: 0, shared: 0, cached: 0, saved: 0 };
    for (const place of this.#pages.places) addPage(found, this.#pages.read(place));
    return found;
  }

  /** From block `from` to before block `to`. @param {number} from @param {number} to @returns {Sums} */
  sums(from, to) {
    const found = { held: 0, shared: 0, cached: 0, saved: 0 };
    for (let first = from - (from % SIZE); first < to; first += SIZE) {
      const page = this.#pages.read(first / SIZE);
      if (page === BLANK) continue;
      if (first >= from && first + SIZE <= to) addPage(found, page);
      else addPart(found, page, Math.max(0, from - first), Math.min(SIZE, to - first));
    }
    return found;
  }

  /** Cached blocks in their order. @returns {Generator<number>} */
  *cachedBlocks() {
    for (const place of this.#pages.places) {
      const page = this.#pages.read(place);
      if (page[KEPT]) for (let at = 0; at < SIZE; at += 1) if (page[CACHED + at]) yield place * SIZE + at;
    }
  }

  /** @param {number} block @param {number} column */
  #read(block, column) {
    return this.#pages.read(Math.floor(block / SIZE))[column + (block % SIZE)];
  }

  /** The page of a block, to be written. @param {number} block */
  #own(block) {
    return this.#pages.own(Math.floor(block / SIZE));
  }
}

/** @param {Int32Array} page @param {number} at @param {0 | 1} known */
function keep(page, at, known) {
  page[KEPT] += known - page[CACHED + at];
  page[CACHED + at] = known;
}

/** @param {Sums} sums @param {Int32Array} page */
function addPage(sums, page) {
  sums.held += page[HELD];
  sums.shared += page[SHARED];
  sums.saved += page[SAVED];
  sums.cached += page[KEPT];
}

/** @param {Sums} sums @param {Int32Array} page @param {number} from @param {number} to */
function addPart(sums, page, from, to) {
  for (let at = from; at < to; at += 1) {
    const holders = page[REFS + at];
    if (holders) sums.held += 1;
    if (holders > 1) sums.shared += 1;
    sums.saved += Math.max(0, holders - 1);
    sums.cached += page[CACHED + at];
  }
}
