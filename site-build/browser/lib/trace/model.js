/**
 * A trace in columns. Every view reads it and none reads JSON.
 *
 * In all of `lib/trace`, a `request` is a request's place in `model.requests`, in the order of arrival; a `step`
 * is a step's place in `model.steps`, and `model.steps.index[step]` is the index that the trace gives it (the two
 * differ where a trace leaves idle steps out). Times are in the header's unit.
 */
import { Flat, table } from "./columns.js";
import { MOST_BLOCKS, checkHeader } from "./records.js";
import { SPAN_COLUMNS } from "./spans.js";
import { take } from "./take.js";

export { END, ROW_KIND } from "./codes.js";

/** @typedef {{ rule: string, id: string, facts: Record<string, any> }} Reason */
/** @typedef {{ from: number, to: number, lost: number }} Gap */
/** @typedef {{ name: string, source: string, unit: "step" | "ns", settings: Record<string, any>, seed: number | null, about: string }} Header */

const REQUEST_COLUMNS = {
  arrived: Float64Array, // NaN where a live link lost it
  promptTokens: Float64Array, // NaN as well
  maxTokens: Float64Array,
  priority: Float64Array,
  admitted: Float64Array, // NaN: not yet; so are first and ended
  first: Float64Array,
  ended: Float64Array,
  end: Uint8Array,
  outputTokens: Int32Array, // handed over so far
  cachedTokens: Int32Array,
  preemptions: Int32Array,
  reached: Int32Array, // the most tokens that were ever computed: what lies below is computed again
  lane: Int32Array, // its replica, a place in `model.lanes`; -1: not yet known
  arrivedStep: Int32Array, // how many steps stand before its arrival in the trace
  endedStep: Int32Array, // and before its end; -1: not yet
  firstSpan: Int32Array,
  lastSpan: Int32Array,
};
const STEP_COLUMNS = {
  index: Int32Array,
  at: Float64Array,
  duration: Float64Array,
  lane: Uint8Array, // the replica that took it, a place in `model.lanes`
  before: Int32Array, // the step before it of the same lane, or -1
  rowStart: Int32Array,
  preemptedStart: Int32Array,
  evictedStart: Int32Array,
};
const ROW_COLUMNS = {
  request: Int32Array,
  tokens: Int32Array,
  computed: Int32Array,
  kind: Uint8Array,
  newStart: Int32Array,
  hitStart: Int32Array,
};

export class TraceModel {
  requests = Object.assign(table(REQUEST_COLUMNS), {
    /** @type {string[]} */ ids: [],
    /** @type {Map<string, number>} */ index: new Map(),
    /** @type {string[]} */ tenant: [],
    /** @type {(string | null)[]} */ salt: [],
    /** Why it ended, in the trace's word; "" where it gives none. @type {string[]} */ reason: [],
  });
  steps = table(STEP_COLUMNS);
  rows = table(ROW_COLUMNS);
  handed = table({ request: Int32Array, at: Float64Array, tokens: Int32Array });
  spans = table(SPAN_COLUMNS);
  /** The flat lists that starts point into, as they grow; views read their numbers below. */
  flat = { newBlocks: new Flat(), hitBlocks: new Flat(), preempted: new Flat(), evicted: new Flat() };
  /** @type {Map<number, Reason[]>} */
  reasons = new Map();
  /** The replicas behind one router, by name; most traces have one without a name. @type {string[]} */
  lanes = [];
  /** The latest step of each. @type {number[]} */
  lastSteps = [];
  /** @type {Gap[]} */
  gaps = [];
  /** When nothing could ever run again, and who waits then. @type {{ at: number, requests: number[] } | null} */
  stalled = null;
  /** Grows with every append. */
  version = 0;
  /** Whether the trace has come to its end. */
  complete = false;
  /** Why it didn't, in words, once it won't. */
  problem = "";
  /** The time of the latest record. */
  now = 0;
  /** The latest time that the trace tells of: a step's end counts. */
  end = 0;
  /** One more than the highest block id that was seen. */
  blocksSeen = 0;

  /** @param {any} header the first line of a trace, as JSON gives it. Throws a `TraceProblem`. */
  constructor(header) {
    checkHeader(header);
    const { name, source, unit = "step", settings = {}, seed = null, about = "" } = header;
    /** @type {Header} */
    this.header = { name, source, unit, settings, seed, about };
  }

  get newBlocks() {
    return this.flat.newBlocks.data;
  }
  get hitBlocks() {
    return this.flat.hitBlocks.data;
  }
  get preempted() {
    return this.flat.preempted.data;
  }
  get evicted() {
    return this.flat.evicted.data;
  }

  /** How many blocks the pool has, the null block included; 0 where neither settings nor rows know blocks. */
  get numBlocks() {
    const told = this.header.settings.num_blocks;
    return Math.max(Number.isInteger(told) && told > 0 && told <= MOST_BLOCKS ? told : 0, this.blocksSeen);
  }

  /** Tokens in a block, as the settings say; 0 where they don't. */
  get blockSize() {
    const told = this.header.settings.block_size;
    return Number.isInteger(told) && told > 0 ? told : 0;
  }

  /** Which rules decided in a step, where the trace recorded it. @param {number} step @returns {Reason[]} */
  why(step) {
    return this.reasons.get(step) ?? [];
  }

  /** Whether any step says why. */
  get knowsWhy() {
    return this.reasons.size > 0;
  }

  /** The last step that had begun at a time, or -1. @param {number} at @returns {number} */
  stepAt(at) {
    return lastUpTo(this.steps.at, this.steps.count, at);
  }

  /** The step that the trace gives this index, or the last one before it, where there is one lane. @param {number} index @returns {number} */
  stepOfIndex(index) {
    return lastUpTo(this.steps.index, this.steps.count, index);
  }

  /** Take one record, as JSON gives it. Throws a `TraceProblem`, and then nothing is taken. @param {any} record */
  append(record) {
    take(this, record);
    this.version += 1;
  }

  /** @param {boolean} complete @param {string} [why] */
  close(complete, why = "") {
    this.complete = complete;
    this.problem = complete ? "" : why || "the trace ends before its run did";
    this.version += 1;
  }
}

/** The last place of a sorted column whose value is at most this, or -1. @param {ArrayLike<number>} column @param {number} count @param {number} value */
export function lastUpTo(column, count, value) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
