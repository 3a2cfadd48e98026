/**
 * Who holds which block, who waits and who runs, at any step: replayed from the rows, from checkpoints on the way.
 *
 * The rules are those of `engine/blocks.py`: a block that is full when its last holder goes stays known by its
 * content (where prefix caching is on) until it is handed out anew.
 *
 * What a state is made of is shared with the replay until that writes it, so that a moment costs by what changes in it.
 */
import { Books, NOBODY } from "./books.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/**
 * How things stand once step `step` is planned: its blocks are handed out, whom it preempted has none, and who ended
 * before it is gone. Step -1 is before the first one.
 * @typedef {{
 *   step: number,
 *   books: Books,
 *   evicted: number[],
 *   tables: Map<number, readonly number[]>,
 *   tokens: Map<number, number>,
 *   waiting: number[],
 *   running: number[],
 *   ownersOf: (block: number) => number[],
 * }} State
 *   `books`: of each block, who holds it or whose content it keeps. `tables`: blocks of each running request in their order.
 *   `tokens`: how many tokens stand in them.
 *   `waiting`: preempted ones first, then by arrival; `running`: in the order in which they came to run.
 */

const CHECKPOINTS = 64;
const CLOSEST = 32;
/** Of books, of some 5 KB each: checkpoints that keep more are thinned out. */
const MOST_PAGES = 40_000;

/** Of each model, one a lane. @type {WeakMap<TraceModel, Replay[]>} */
const replays = new WeakMap();

/** @param {TraceModel} model @param {number} step @returns {State} of the step's lane, to be read */
export function stateAt(model, step) {
  const wanted = Math.min(Math.max(step, -1), model.steps.count - 1);
  const lane = wanted < 0 ? 0 : model.steps.lane[wanted];
  const lanes = replays.get(model) ?? [];
  replays.set(model, lanes);
  lanes[lane] ??= new Replay(model, lane);
  return lanes[lane].at(wanted);
}

class Replay {
  /** @param {TraceModel} model @param {number} lane */
  constructor(model, lane) {
    this.model = model;
    this.lane = lane;
    /** @type {Moment} */
    this.now = new Moment();
    /** @type {Moment[]} */
    this.kept = [];
    /** How many pages of books those keep, about; and how much rarer they are than at first, as they kept too many. */
    this.pages = 0;
    this.thinned = 1;
  }

  /** @param {number} step @returns {State} */
  at(step) {
    if (step < this.now.step || step - this.now.step > CLOSEST) this.#jump(step);
    while (this.now.step < step) {
      this.now.advance(this.model, this.lane);
      this.#keep();
    }
    return this.now.state(this.model);
  }

  #keep() {
    const last = this.kept.at(-1);
    const every = this.thinned * Math.max(CLOSEST, Math.ceil(this.model.steps.count / CHECKPOINTS));
    if (this.now.step - (last?.step ?? -1) < every) return;
    const { books } = this.now;
    // What two checkpoints share costs nothing.
    this.pages += Math.min(books.size, books.made - (last?.books.made ?? 0));
    this.kept.push(this.now.copy());
    if (this.pages <= MOST_PAGES) return;
    this.kept = this.kept.filter((_, place) => place % 2);
    this.pages /= 2;
    this.thinned *= 2;
  }

  /** @param {number} step */
  #jump(step) {
    const near = this.kept.findLast((moment) => moment.step <= step);
    if (near && near.step > this.now.step) this.now = near.copy();
    else if (this.now.step > step) this.now = near ? near.copy() : new Moment();
  }
}

class Moment {
  constructor() {
    this.step = -1;
    this.books = new Books();
    /** @type {Map<number, number[]>} */
    this.tables = new Map();
    /** Whose table may be written: no copy shares it. @type {Set<number>} */
    this.own = new Set();
    /** @type {Map<number, number>} */
    this.tokens = new Map();
    /** Preempted ones that wait again, the latest first. @type {number[]} */
    this.preempted = [];
    /** Arrived and never ran; some of them may be gone. @type {Set<number>} */
    this.fresh = new Set();
    /** How many arrivals were looked at. */
    this.arrived = 0;
  }

  /** @returns {Moment} */
  copy() {
    const twin = new Moment();
    twin.step = this.step;
    twin.books = this.books.copy();
    twin.tables = new Map(this.tables);
    this.own.clear();
    twin.tokens = new Map(this.tokens);
    twin.preempted = this.preempted.slice();
    twin.fresh = new Set(this.fresh);
    twin.arrived = this.arrived;
    return twin;
  }

  /** Go on by one step; what another lane does in it is no matter here. @param {TraceModel} model @param {number} lane */
  advance(model, lane) {
    const step = this.step + 1;
    this.#arrivals(model, step);
    this.#ends(model, step);
    this.step = step;
    const { steps, rows } = model;
    if (steps.lane[step] !== lane) return;
    for (let place = steps.preemptedStart[step]; place < steps.preemptedStart[step + 1]; place += 1) {
      const request = model.preempted[place];
      this.#free(model, request);
      this.preempted.unshift(request);
    }
    for (let place = steps.evictedStart[step]; place < steps.evictedStart[step + 1]; place += 1) {
      this.books.forget(model.evicted[place]);
    }
    for (let row = steps.rowStart[step]; row < steps.rowStart[step + 1]; row += 1) {
      const request = rows.request[row];
      this.#hold(request, model.hitBlocks, rows.hitStart[row], rows.hitStart[row + 1], false);
      this.#hold(request, model.newBlocks, rows.newStart[row], rows.newStart[row + 1], true);
      this.tokens.set(request, rows.computed[row] + rows.tokens[row]);
    }
  }

  /** @param {TraceModel} model @param {number} step */
  #arrivals({ requests }, step) {
    for (; this.arrived < requests.count && requests.arrivedStep[this.arrived] <= step; this.arrived += 1) {
      this.fresh.add(this.arrived);
    }
  }

  /** Who ended before this step. @param {TraceModel} model @param {number} step */
  #ends(model, step) {
    const { endedStep } = model.requests;
    const gone = (/** @type {number} */ request) => endedStep[request] >= 0 && endedStep[request] <= step;
    for (const request of this.tables.keys()) if (gone(request)) this.#free(model, request);
    for (const request of this.fresh) if (gone(request)) this.fresh.delete(request);
    if (this.preempted.some(gone)) this.preempted = this.preempted.filter((request) => !gone(request));
  }

  /** @param {number} request @returns {number[]} */
  #begun(request) {
    const blocks = this.tables.get(request);
    if (blocks) return blocks;
    this.fresh.delete(request);
    const place = this.preempted.indexOf(request);
    if (place >= 0) this.preempted.splice(place, 1);
    return this.#put(request, []);
  }

  /** @param {number} request @param {number[]} blocks */
  #put(request, blocks) {
    this.tables.set(request, blocks);
    this.own.add(request);
    return blocks;
  }

  /** @param {number} request @param {Int32Array} list @param {number} from @param {number} to @param {boolean} isNew whether they are handed out anew */
  #hold(request, list, from, to, isNew) {
    let blocks = this.#begun(request);
    if (from < to && !this.own.has(request)) blocks = this.#put(request, blocks.slice());
    for (let place = from; place < to; place += 1) {
      this.books.hold(list[place], request, blocks.length, isNew ? place : undefined);
      blocks.push(list[place]);
    }
  }

  /** @param {TraceModel} model @param {number} request */
  #free(model, request) {
    const keeps = model.header.settings.enable_prefix_caching === true && model.blockSize;
    const full = keeps ? Math.floor((this.tokens.get(request) ?? 0) / model.blockSize) : 0;
    const blocks = this.tables.get(request) ?? [];
    this.tables.delete(request);
    this.own.delete(request);
    this.tokens.delete(request);
    /** @type {Set<number>} */
    const left = new Set();
    blocks.forEach((block, place) => {
      if (this.books.drop(block, place < full) && this.books.owner(block) === request) left.add(block);
    });
    this.#inherit(left);
  }

  /** Blocks whose owner is gone are the next holder's. @param {Set<number>} blocks */
  #inherit(blocks) {
    for (const [request, table] of this.tables) {
      if (!blocks.size) return;
      table.forEach((block, place) => blocks.delete(block) && this.books.give(block, request, place));
    }
  }

  /** @param {TraceModel} model @returns {State} */
  state(model) {
    const { steps } = model;
    const twin = this.copy();
    const inStep = this.step >= 0;
    return {
      step: this.step,
      books: twin.books,
      evicted: inStep ? Array.from(model.evicted.subarray(steps.evictedStart[this.step], steps.evictedStart[this.step + 1])) : [],
      tables: twin.tables,
      tokens: twin.tokens,
      waiting: [...twin.preempted, ...twin.fresh],
      running: [...twin.tables.keys()],
      ownersOf: (block) => (twin.books.holders(block) ? [...twin.tables].filter(([, blocks]) => blocks.includes(block)).map(([request]) => request) : []),
    };
  }
}
