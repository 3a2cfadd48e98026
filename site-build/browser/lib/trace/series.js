/**
 * One number a step, for all steps: what the meters draw over time, of all replicas together. Taken in one pass over the rows, which goes on
 * where it stood when a trace grows. What a block is worth follows `engine.metrics.memory`, what is computed again
 * `engine.metrics.tokens`.
 */
import { Pages, SIZE } from "./pages.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */

const NONE = -1;

/** @type {WeakMap<TraceModel, Series>} */
const known = new WeakMap();

/** @param {TraceModel} model @returns {Series} up to its last step */
export function seriesOf(model) {
  let series = known.get(model);
  if (!series) known.set(model, (series = new Series()));
  series.update(model);
  return series;
}

export class Series {
  count = 0;
  /** Blocks that somebody holds; a shared one counts once. */
  held = new Int32Array(64);
  /** Slots in them that hold no token once the step is done. */
  empty = new Int32Array(64);
  running = new Int32Array(64);
  waiting = new Int32Array(64);
  /** How many of those who were there in the step before still are: with none, nothing was between the two. */
  carried = new Int32Array(64);
  /** Tokens of the step's rows. */
  tokens = new Int32Array(64);
  /** Tokens that were computed a second time, in all steps up to this one. */
  recomputed = new Float64Array(64);
  /** Of each row, the tokens that were computed before. */
  again = new Int32Array(64);

  /** What is true after the last step that was taken. */
  #now = new Tables();
  #version = -1;

  /** @param {TraceModel} model */
  update(model) {
    if (model.version === this.#version) return;
    this.#version = model.version;
    const { count } = model.steps;
    this.#grow(model);
    this.#now.meet(model);
    for (let step = this.count; step < count; step += 1) {
      const tokens = this.#now.advance(model, step, this.again);
      this.carried[step] = this.#now.carried;
      this.held[step] = this.#now.held;
      this.empty[step] = this.#now.numEmpty;
      this.running[step] = this.#now.running;
      this.waiting[step] = this.#now.present - this.#now.running;
      this.tokens[step] = tokens;
      this.recomputed[step] = this.#now.recomputed;
    }
    this.count = count;
  }

  /** @param {TraceModel} model */
  #grow({ steps, rows }) {
    for (const name of /** @type {const} */ (["held", "empty", "running", "waiting", "carried", "tokens"])) {
      this[name] = longer(this[name], steps.count);
    }
    this.recomputed = longer(this.recomputed, steps.count);
    this.again = longer(this.again, rows.count);
  }
}

/** @template {Int32Array | Float64Array} A @param {A} old @param {number} needed @returns {A} */
function longer(old, needed) {
  if (old.length >= needed) return old;
  const made = new /** @type {any} */ (old).constructor(Math.max(needed, old.length * 2));
  made.set(old);
  return made;
}

/** Block tables as the rows tell them; each is a chain of entries, so that nothing is boxed. */
class Tables {
  held = 0;
  numEmpty = 0;
  running = 0;
  /** Who has arrived and not ended. */
  present = 0;
  /** And who was here before the latest step as well. */
  carried = 0;
  recomputed = 0;
  #arrived = 0;
  /** Who will have ended, by the step before which they do. @type {Map<number, number[]>} */
  #ends = new Map();
  /** Whose end wasn't heard of yet. @type {Set<number>} */
  #open = new Set();
  #met = 0;
  /** How many hold each block, of each replica: every one has blocks of its own. @type {Pages<Int32Array>[]} */
  #holders = [];
  #lane = new Int32Array(0);
  #first = new Int32Array(0);
  #size = new Int32Array(0);
  #emptyOf = new Int32Array(0);
  #reached = new Int32Array(0);
  #runs = new Uint8Array(0);
  /** Entries: a block, and the entry before it in its table. */
  #block = new Int32Array(64);
  #before = new Int32Array(64);
  #entries = 0;

  /** Hear of requests and ends that the trace tells by now. @param {TraceModel} model */
  meet(model) {
    const { count, endedStep } = model.requests;
    this.#fit(model);
    for (; this.#met < count; this.#met += 1) this.#open.add(this.#met);
    for (const request of this.#open) {
      const step = endedStep[request];
      if (step < 0) continue;
      const there = this.#ends.get(step);
      if (there) there.push(request);
      else this.#ends.set(step, [request]);
      this.#open.delete(request);
    }
  }

  /** @param {TraceModel} model @param {number} step @param {Int32Array} again @returns {number} tokens of the step */
  advance(model, step, again) {
    this.#comeAndGo(model, step);
    const { steps, rows } = model;
    for (let place = steps.preemptedStart[step]; place < steps.preemptedStart[step + 1]; place += 1) {
      this.#drop(model.preempted[place]);
    }
    let tokens = 0;
    for (let row = steps.rowStart[step]; row < steps.rowStart[step + 1]; row += 1) {
      const request = rows.request[row];
      if (!this.#runs[request]) {
        this.#runs[request] = 1;
        this.#lane[request] = steps.lane[step];
        this.running += 1;
      }
      for (let place = rows.hitStart[row]; place < rows.hitStart[row + 1]; place += 1) this.#hold(request, model.hitBlocks[place]);
      for (let place = rows.newStart[row]; place < rows.newStart[row + 1]; place += 1) this.#hold(request, model.newBlocks[place]);
      const start = rows.computed[row];
      const end = start + rows.tokens[row];
      const before = this.#reached[request];
      again[row] = Math.max(0, Math.min(end, before) - start);
      this.recomputed += again[row];
      this.#reached[request] = Math.max(before, end);
      this.#setEmpty(request, Math.max(0, this.#size[request] * model.blockSize - end));
      tokens += end - start;
    }
    return tokens;
  }

  /** @param {TraceModel} model */
  #fit({ requests }) {
    this.#lane = longer(this.#lane, requests.count);
    const old = this.#first.length;
    if (old >= requests.count) return;
    this.#first = longer(this.#first, requests.count);
    this.#first.fill(NONE, old);
    this.#size = longer(this.#size, requests.count);
    this.#emptyOf = longer(this.#emptyOf, requests.count);
    this.#reached = longer(this.#reached, requests.count);
    const runs = new Uint8Array(this.#first.length);
    runs.set(this.#runs);
    this.#runs = runs;
  }

  /** Who arrived, and who ended, before a step. @param {TraceModel} model @param {number} step */
  #comeAndGo({ requests }, step) {
    const before = this.#arrived;
    while (this.#arrived < requests.count && requests.arrivedStep[this.#arrived] <= step) this.#arrived += 1;
    this.present += this.#arrived - before;
    for (const request of this.#ends.get(step) ?? []) {
      this.present -= 1;
      this.#drop(request);
    }
    this.#ends.delete(step);
    this.carried = Math.max(0, this.present - (this.#arrived - before));
  }

  /** @param {number} request @param {number} block */
  #hold(request, block) {
    if (this.#entries >= this.#block.length) {
      this.#block = longer(this.#block, this.#entries + 1);
      this.#before = longer(this.#before, this.#entries + 1);
    }
    this.#block[this.#entries] = block;
    this.#before[this.#entries] = this.#first[request];
    this.#first[request] = this.#entries++;
    this.#size[request] += 1;
    if (this.#count(request, block, 1) === 1) this.held += 1;
  }

  /** @param {number} request */
  #drop(request) {
    for (let entry = this.#first[request]; entry !== NONE; entry = this.#before[entry]) {
      if (!this.#count(request, this.#block[entry], -1)) this.held -= 1;
    }
    this.#first[request] = NONE;
    this.#size[request] = 0;
    this.#setEmpty(request, 0);
    if (this.#runs[request]) this.running -= 1;
    this.#runs[request] = 0;
  }

  /** One holder more, or one fewer. @param {number} request @param {number} block @param {1 | -1} change @returns {number} how many hold it now */
  #count(request, block, change) {
    const holders = (this.#holders[this.#lane[request]] ??= new Pages(new Int32Array(SIZE)));
    return (holders.own(Math.floor(block / SIZE))[block % SIZE] += change);
  }

  /** @param {number} request @param {number} slots */
  #setEmpty(request, slots) {
    this.numEmpty += slots - this.#emptyOf[request];
    this.#emptyOf[request] = slots;
  }
}
