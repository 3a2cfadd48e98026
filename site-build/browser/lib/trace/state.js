/**
 * Who holds which block, who waits and who runs, at any step: replayed from the rows, from checkpoints on the way.
 *
 * The rules are those of `engine/blocks.py`: a block that is full when its last holder goes stays known by its
 * content (where prefix caching is on) until it is handed out anew.
 *
 * What a state is made of is shared with the replay until that writes it, so that a moment costs by what changes in it.
 */
import { Books } from "./books.js";
import { Column } from "./pages.js";
import { Tables } from "./tables.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/**
 * How things stand once step `step` is planned: its blocks are handed out, whom it preempted has none, and who ended
 * before it is gone. Step -1 is before the first one.
 * @typedef {{
 *   step: number,
 *   books: Books,
 *   evicted: number[],
 *   tables: Tables,
 *   tokens: Column<number>,
 *   readonly waiting: number[],
 *   running: readonly number[],
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
    this.now = new Moment(lane);
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
      this.now.advance(this.model);
      this.#keep();
    }
    return this.now.state(this.model);
  }

  #keep() {
    const { step, books } = this.now;
    const { count } = this.model.steps;
    const last = this.kept.at(-1);
    const every = this.thinned * Math.max(CLOSEST, Math.ceil(count / CHECKPOINTS));
    if (step - (last?.step ?? -1) < every) return;
    // What two checkpoints share costs nothing.
    const pages = Math.min(books.size, books.made - (last?.books.made ?? 0));
    // All that come until the end would be as large.
    if (this.pages + pages * (1 + (count - step) / every) > MOST_PAGES) return this.#thin();
    this.pages += pages;
    this.kept.push(this.now.copy());
  }

  #thin() {
    this.kept = this.kept.filter((_, place) => place % 2);
    this.pages /= 2;
    this.thinned *= 2;
  }

  /** @param {number} step */
  #jump(step) {
    const near = this.kept.findLast((moment) => moment.step <= step);
    if (near && near.step > this.now.step) this.now = near.copy();
    else if (this.now.step > step) this.now = near ? near.copy() : new Moment(this.lane);
  }
}

class Moment {
  step = -1;
  books = new Books();
  tables = new Tables();
  /** @type {Column<number>} */
  tokens = new Column();
  /** Preempted ones that wait again, the latest first. @type {number[]} */
  preempted = [];
  /** How many have arrived, and how many of the first of them ran or are gone. */
  arrived = 0;
  served = 0;

  /** @param {number} lane whose steps it goes by */
  constructor(lane) {
    this.lane = lane;
  }

  /** @returns {Moment} */
  copy() {
    const { lane, step, books, tables, tokens, preempted, arrived, served } = this;
    return Object.assign(new Moment(lane), { step, arrived, served, books: books.copy(), tables: tables.copy(), tokens: tokens.copy(), preempted: preempted.slice() });
  }

  /** Go on by one step; what another lane does in it is no matter here. @param {TraceModel} model */
  advance(model) {
    this.step += 1;
    this.#comeAndGo(model);
    if (model.steps.lane[this.step] === this.lane) this.#run(model);
    while (this.served < this.arrived && !this.#isFresh(model, this.served)) this.served += 1;
  }

  /** Who arrived, and who ended, before this step. @param {TraceModel} model */
  #comeAndGo(model) {
    const { requests } = model;
    while (this.arrived < requests.count && requests.arrivedStep[this.arrived] <= this.step) this.arrived += 1;
    this.#free(model, this.tables.running.filter((request) => this.#isGone(model, request)));
    this.preempted = this.preempted.filter((request) => !this.#isGone(model, request));
  }

  /** @param {TraceModel} model @param {number} request */
  #isGone({ requests: { endedStep } }, request) {
    return endedStep[request] >= 0 && endedStep[request] <= this.step;
  }

  /** Whether one that has arrived waits here for the first time; who comes to no replica may wait for any. @param {TraceModel} model @param {number} request */
  #isFresh(model, request) {
    const lane = model.requests.lane[request];
    return (lane < 0 || lane === this.lane) && !this.tables.knows(request) && !this.#isGone(model, request);
  }

  /** @param {TraceModel} model */
  #run(model) {
    const { steps, rows } = model;
    const { step } = this;
    const preempted = Array.from(model.preempted.subarray(steps.preemptedStart[step], steps.preemptedStart[step + 1]));
    this.#free(model, preempted);
    this.preempted = [...preempted.reverse(), ...this.preempted];
    for (let place = steps.evictedStart[step]; place < steps.evictedStart[step + 1]; place += 1) {
      this.books.forget(model.evicted[place]);
    }
    for (let row = steps.rowStart[step]; row < steps.rowStart[step + 1]; row += 1) {
      const request = rows.request[row];
      if (!this.tables.get(request)) this.#begin(request);
      this.#hold(request, model.hitBlocks, rows.hitStart[row], rows.hitStart[row + 1], false);
      this.#hold(request, model.newBlocks, rows.newStart[row], rows.newStart[row + 1], true);
      this.tokens.set(request, rows.computed[row] + rows.tokens[row]);
    }
  }

  /** @param {number} request */
  #begin(request) {
    this.tables.begin(request);
    const place = this.preempted.indexOf(request);
    if (place >= 0) this.preempted.splice(place, 1);
  }

  /** @param {number} request @param {Int32Array} list @param {number} from @param {number} to @param {boolean} isNew whether they are handed out anew */
  #hold(request, list, from, to, isNew) {
    if (from === to) return;
    const blocks = this.tables.own(request);
    for (let place = from; place < to; place += 1) {
      this.books.hold(list[place], request, blocks.length, isNew ? place : undefined);
      blocks.push(list[place]);
    }
  }

  /** @param {TraceModel} model @param {readonly number[]} requests */
  #free({ header, blockSize }, requests) {
    const keeps = header.settings.enable_prefix_caching === true && blockSize;
    this.tables.end(requests, (request, blocks) => {
      const full = keeps ? Math.floor((this.tokens.get(request) ?? 0) / blockSize) : 0;
      this.tokens.set(request, undefined);
      /** @type {Set<number>} */
      const left = new Set();
      blocks.forEach((block, place) => {
        if (this.books.drop(block, place < full) && this.books.owner(block) === request) left.add(block);
      });
      this.#inherit(left);
    });
  }

  /** Blocks whose owner is gone are the next holder's. @param {Set<number>} blocks */
  #inherit(blocks) {
    if (!blocks.size) return;
    for (const [request, table] of this.tables) {
      table.forEach((block, place) => blocks.delete(block) && this.books.give(block, request, place));
      if (!blocks.size) return;
    }
  }

  /** @param {TraceModel} model @returns {State} */
  state(model) {
    const { evictedStart } = model.steps;
    const twin = this.copy();
    const { step, books, tables, tokens } = twin;
    return {
      step,
      books,
      evicted: step >= 0 ? Array.from(model.evicted.subarray(evictedStart[step], evictedStart[step + 1])) : [],
      tables,
      tokens,
      get waiting() {
        return twin.#waiting(model);
      },
      running: tables.running,
      ownersOf: (block) => (books.holders(block) ? [...tables].filter(([, blocks]) => blocks.includes(block)).map(([request]) => request) : []),
    };
  }

  /** @param {TraceModel} model */
  #waiting(model) {
    const all = this.preempted.slice();
    for (let request = this.served; request < this.arrived; request += 1) if (this.#isFresh(model, request)) all.push(request);
    return all;
  }
}
