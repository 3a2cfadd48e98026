/**
 * Block tables grown into trees. A tree is made of pieces, each a stretch of a table that the same requests hold, so that a
 * table that nobody shares is one piece, however long it is.
 */
import { NOBODY } from "./books.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./prefix-facts.js").Segment} Segment */
/** @typedef {import("./prefix-facts.js").Group} Group */
/**
 * @typedef {{ table: readonly number[], from: number, to: number, holders: number[], after: Map<number, Piece> }} Piece
 *   `from`, `to`: its stretch of the table. `after`: what goes on from it, by first block.
 */

/** What most pieces go on with. @type {Map<number, Piece>} */
const NOTHING = new Map();

/** @param {readonly number[]} table @param {number} from @param {number} to @param {number[]} holders @returns {Piece} */
const piece = (table, from, to, holders) => ({ table, from, to, holders, after: NOTHING });

/** @param {Piece} one @param {number} block @param {Piece} next which goes on from it with that block */
function append(one, block, next) {
  if (one.after === NOTHING) one.after = new Map();
  one.after.set(block, next);
}

export class Grower {
  #model;
  #state;
  #chains;
  /** @type {Map<string | null, Piece>} */
  #roots = new Map();
  /** Those that only the cache keeps, by their block. @type {Map<number, Piece>} */
  #kept = new Map();
  /** Cached ones that nobody can hit. @type {Set<number>} */
  #lost = new Set();

  /** @param {TraceModel} model @param {State} state @param {import("./prefix-facts.js").Chains} chains */
  constructor(model, state, chains) {
    this.#model = model;
    this.#state = state;
    this.#chains = chains;
  }

  /** @param {number} request @param {readonly number[]} blocks */
  hold(request, blocks) {
    let at = this.#root(this.#model.requests.salt[request] || null);
    for (let place = 0; place < blocks.length; ) {
      const next = at.after.get(blocks[place]);
      if (!next) {
        append(at, blocks[place], piece(blocks, place, blocks.length, [request]));
        return;
      }
      const same = alike(next, blocks, place);
      split(next, same);
      next.holders.push(request);
      place += same;
      at = next;
    }
  }

  /** How many blocks that only the cache keeps were looked at. */
  get looked() {
    return this.#kept.size + this.#lost.size;
  }

  /** How many of those nobody can hit, as what came before them is gone. */
  get lost() {
    return this.#lost.size;
  }

  /** Put a block that only the cache keeps after the one that it follows, and that one first. @param {number} block */
  keep(block) {
    // Up to one that stands, for what it follows may be cached as well; then down again.
    const way = [];
    /** @type {Piece | null | undefined} */
    let at;
    for (let next = block; at === undefined; next = this.#before(next)) {
      at = this.#standing(next);
      if (at !== undefined) break;
      way.push(next);
      if (this.#before(next) === NOBODY) at = this.#rootOf(next);
    }
    for (const each of way.reverse()) {
      if (!at) this.#lost.add(each);
      else {
        const made = piece([each], 0, 1, []);
        append(at, each, made);
        this.#kept.set(each, made);
        at = made;
      }
    }
  }

  /** @returns {Group[]} */
  groups() {
    return [...this.#roots].map(([salt, root]) => ({ salt, segments: segments(root, 0, salt) }));
  }

  /** The block that one was handed out after, or -1 for the first of a table. @param {number} block */
  #before(block) {
    return this.#chains.parents[this.#state.books.handed(block)];
  }

  /** The piece that ends with a block, null where that can't be hit, undefined where it isn't known yet. @param {number} block @returns {Piece | null | undefined} */
  #standing(block) {
    const { books, tables } = this.#state;
    const kept = this.#kept.get(block);
    if (kept) return kept;
    if (books.holders(block)) return this.#heldAt(tables.get(books.owner(block)) ?? [], books.owner(block), books.place(block));
    const entry = books.handed(block);
    if (this.#lost.has(block) || !books.isCached(block) || entry === NOBODY) return null;
    const before = this.#chains.parents[entry];
    // A parent that was handed out anew since has other content.
    if (before !== NOBODY && (books.handed(before) === NOBODY || books.handed(before) >= entry)) return null;
    return undefined;
  }

  /** The piece that ends at a place of a held table. @param {readonly number[]} table @param {number} request @param {number} place */
  #heldAt(table, request, place) {
    let at = this.#root(this.#model.requests.salt[request] || null);
    for (let begun = 0; begun <= place; begun += at.to - at.from) {
      const next = at.after.get(table[begun]);
      if (!next) return null;
      split(next, Math.min(place + 1 - begun, next.to - next.from));
      at = next;
    }
    return at;
  }

  /** @param {number} block the first of a table */
  #rootOf(block) {
    return this.#root(this.#model.requests.salt[this.#chains.takers[this.#state.books.handed(block)]] || null);
  }

  /** @param {string | null} salt */
  #root(salt) {
    let root = this.#roots.get(salt);
    if (!root) this.#roots.set(salt, (root = piece([], 0, 0, [])));
    return root;
  }
}

/** How far a piece and a table go together from a place on. @param {Piece} piece @param {readonly number[]} blocks @param {number} place */
function alike({ table, from, to }, blocks, place) {
  let same = 1;
  while (from + same < to && table[from + same] === blocks[place + same]) same += 1;
  return same;
}

/** Let a piece end after some of its blocks; another takes the rest. @param {Piece} one @param {number} length */
function split(one, length) {
  if (one.from + length === one.to) return;
  const rest = piece(one.table, one.from + length, one.to, one.holders.slice());
  rest.after = one.after;
  one.to = rest.from;
  one.after = new Map([[rest.table[rest.from], rest]]);
}

/** How often a way may part: no picture has room for more. */
const MOST_PARTINGS = 200;

/** @param {Piece} piece @param {number} depth @param {string | null} salt @param {number} [partings] before it @returns {Segment[]} what goes on from it, the most shared first */
function segments({ after }, depth, salt, partings = 0) {
  if (partings > MOST_PARTINGS) return [];
  return [...after.values()].map((each) => segment(each, depth, salt, partings)).sort((a, b) => b.holders.length - a.holders.length || b.leaves - a.leaves || a.blocks[0] - b.blocks[0]);
}

/** @param {Piece} first @param {number} depth @param {string | null} salt @param {number} partings @returns {Segment} */
function segment(first, depth, salt, partings) {
  const blocks = first.table.slice(first.from, first.to);
  let last = first;
  for (let next = only(last); next; next = only(last)) {
    last = next;
    for (let place = last.from; place < last.to; place += 1) blocks.push(last.table[place]);
  }
  const children = segments(last, depth + blocks.length, salt, partings + 1);
  const ends = last.holders.length - children.reduce((sum, child) => sum + child.holders.length, 0);
  const leaves = Math.max(1, children.reduce((sum, child) => sum + child.leaves, 0) + (children.length && ends > 0 ? 1 : 0));
  return { blocks, depth, holders: first.holders, salt, children, leaves };
}

/** What alone goes on from a piece, where the same requests hold it. @param {Piece} piece @returns {Piece | null} */
function only({ after, holders }) {
  if (after.size !== 1) return null;
  const [next] = after.values();
  return next.holders.length === holders.length ? next : null;
}
