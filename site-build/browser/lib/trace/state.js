/**
 * Who holds which block, who waits and who runs, at any step: replayed from the rows, from checkpoints on the way.
 *
 * The rules are those of `engine/blocks.py`: a block that is full when its last holder goes stays known by its
 * content (where prefix caching is on) until it is handed out anew.
 */

/** @typedef {import("./model.js").TraceModel} TraceModel */
/**
 * How things stand once step `step` is planned: its blocks are handed out, whom it preempted has none, and who ended
 * before it is gone. Step -1 is before the first one.
 * @typedef {{
 *   step: number,
 *   refs: Uint16Array,
 *   owner: Int32Array,
 *   cached: Uint8Array,
 *   evicted: number[],
 *   tables: Map<number, number[]>,
 *   tokens: Map<number, number>,
 *   waiting: number[],
 *   running: number[],
 *   ownersOf: (block: number) => number[],
 * }} State
 *   `refs`: how many requests hold a block. `owner`: the one that it was first handed to among those, or whose content
 *   it still keeps if it is free and cached; -1 for nobody's. `cached`: 1 where a block nobody holds keeps known
 *   content. `tables`: blocks of each running request in their order. `tokens`: how many tokens stand in them.
 *   `waiting`: preempted ones first, then by arrival; `running`: in the order in which they came to run.
 */

const NOBODY = -1;
const CHECKPOINTS = 64;
const CLOSEST = 32;

/** Of each model, one a lane. @type {WeakMap<TraceModel, Replay[]>} */
const replays = new WeakMap();

/** @param {TraceModel} model @param {number} step @returns {State} a copy of its own, of the step's lane */
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
    this.now = new Moment(model.numBlocks);
    /** @type {Moment[]} */
    this.kept = [];
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
    const every = Math.max(CLOSEST, Math.ceil(this.model.steps.count / CHECKPOINTS));
    const last = this.kept.at(-1)?.step ?? -1;
    if (this.now.step - last >= every) this.kept.push(this.now.copy());
  }

  /** @param {number} step */
  #jump(step) {
    const near = this.kept.findLast((moment) => moment.step <= step);
    if (near && near.step > this.now.step) this.now = near.copy();
    else if (this.now.step > step) this.now = near ? near.copy() : new Moment(this.model.numBlocks);
  }
}

class Moment {
  /** @param {number} numBlocks */
  constructor(numBlocks) {
    this.step = -1;
    this.refs = new Uint16Array(numBlocks);
    this.owner = new Int32Array(numBlocks).fill(NOBODY);
    this.cached = new Uint8Array(numBlocks);
    /** @type {Map<number, number[]>} */
    this.tables = new Map();
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
    const twin = new Moment(0);
    twin.step = this.step;
    twin.refs = this.refs.slice();
    twin.owner = this.owner.slice();
    twin.cached = this.cached.slice();
    for (const [request, blocks] of this.tables) twin.tables.set(request, blocks.slice());
    twin.tokens = new Map(this.tokens);
    twin.preempted = this.preempted.slice();
    twin.fresh = new Set(this.fresh);
    twin.arrived = this.arrived;
    return twin;
  }

  /** Go on by one step; what another lane does in it is no matter here. @param {TraceModel} model @param {number} lane */
  advance(model, lane) {
    const step = this.step + 1;
    this.#fit(model.numBlocks);
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
      this.cached[model.evicted[place]] = 0;
    }
    for (let row = steps.rowStart[step]; row < steps.rowStart[step + 1]; row += 1) {
      const request = rows.request[row];
      const blocks = this.#table(request);
      for (let place = rows.hitStart[row]; place < rows.hitStart[row + 1]; place += 1) this.#hold(blocks, model.hitBlocks[place], request);
      for (let place = rows.newStart[row]; place < rows.newStart[row + 1]; place += 1) this.#hold(blocks, model.newBlocks[place], request);
      this.tokens.set(request, rows.computed[row] + rows.tokens[row]);
    }
  }

  /** @param {number} numBlocks */
  #fit(numBlocks) {
    if (numBlocks <= this.refs.length) return;
    const [refs, owner, cached] = [this.refs, this.owner, this.cached];
    this.refs = new Uint16Array(numBlocks);
    this.refs.set(refs);
    this.owner = new Int32Array(numBlocks).fill(NOBODY);
    this.owner.set(owner);
    this.cached = new Uint8Array(numBlocks);
    this.cached.set(cached);
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
  #table(request) {
    let blocks = this.tables.get(request);
    if (!blocks) {
      this.tables.set(request, (blocks = []));
      this.fresh.delete(request);
      const place = this.preempted.indexOf(request);
      if (place >= 0) this.preempted.splice(place, 1);
    }
    return blocks;
  }

  /** @param {number[]} blocks @param {number} block @param {number} request */
  #hold(blocks, block, request) {
    blocks.push(block);
    if (this.refs[block] === 0) this.owner[block] = request;
    this.refs[block] += 1;
    this.cached[block] = 0;
  }

  /** @param {TraceModel} model @param {number} request */
  #free(model, request) {
    const keeps = model.header.settings.enable_prefix_caching === true && model.blockSize;
    const full = keeps ? Math.floor((this.tokens.get(request) ?? 0) / model.blockSize) : 0;
    const blocks = this.tables.get(request) ?? [];
    this.tables.delete(request);
    this.tokens.delete(request);
    blocks.forEach((block, place) => {
      if (this.refs[block]) this.refs[block] -= 1;
      if (this.refs[block] === 0) {
        this.cached[block] = place < full ? 1 : 0;
        if (place >= full) this.owner[block] = NOBODY;
      } else if (this.owner[block] === request) {
        this.owner[block] = this.#holders(block)[0] ?? NOBODY;
      }
    });
  }

  /** @param {number} block @returns {number[]} */
  #holders(block) {
    const found = [];
    for (const [request, blocks] of this.tables) if (blocks.includes(block)) found.push(request);
    return found;
  }

  /** @param {TraceModel} model @returns {State} */
  state(model) {
    const { steps } = model;
    const twin = this.copy();
    const inStep = this.step >= 0;
    return {
      step: this.step,
      refs: twin.refs,
      owner: twin.owner,
      cached: twin.cached,
      evicted: inStep ? Array.from(model.evicted.subarray(steps.evictedStart[this.step], steps.evictedStart[this.step + 1])) : [],
      tables: twin.tables,
      tokens: twin.tokens,
      waiting: [...twin.preempted, ...twin.fresh],
      running: [...twin.tables.keys()],
      ownersOf: (block) => twin.#holders(block),
    };
  }
}
