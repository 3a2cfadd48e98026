/**
 * Two traces of one workload: where they first part, and which steps differ. `a` and `b` are models; requests are
 * matched by id and steps by the index that the traces give them.
 */
import { BlockNames } from "./block-names.js";
import { END } from "./codes.js";
import { LATENCIES } from "./meters-facts.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {"rows" | "order" | "tokens" | "computed" | "preempted" | "hits" | "blocks" | "evicted" | "missing" | "ended"} Aspect what differs in a step */
/**
 * @typedef {object} Difference
 * @property {Aspect | "time" | "end" | "first" | "workload"} aspect
 * @property {number} a the step's place in `a`, -1 where it has none
 * @property {number} b
 * @property {string} id of the request that it is about; "" for none
 * @property {string[]} left what is so in `a`
 * @property {string[]} right and in `b`
 */

/** A step's rows by id, in a shape that can be compared. @param {TraceModel} model @param {number} step */
function stepOf(model, step) {
  const { steps, rows, requests } = model;
  const ids = [];
  /** @type {Map<string, { tokens: number, computed: number, fresh: Int32Array, hits: Int32Array }>} */
  const of = new Map();
  for (let row = steps.rowStart[step]; row < steps.rowStart[step + 1]; row += 1) {
    const id = requests.ids[rows.request[row]];
    ids.push(id);
    of.set(id, {
      tokens: rows.tokens[row],
      computed: rows.computed[row],
      fresh: model.newBlocks.subarray(rows.newStart[row], rows.newStart[row + 1]),
      hits: model.hitBlocks.subarray(rows.hitStart[row], rows.hitStart[row + 1]),
    });
  }
  const preempted = Array.from(model.preempted.subarray(steps.preemptedStart[step], steps.preemptedStart[step + 1]), (request) => requests.ids[request]);
  const evicted = Array.from(model.evicted.subarray(steps.evictedStart[step], steps.evictedStart[step + 1]), String);
  return { ids, of, preempted, evicted };
}

/** What differs first between two steps; null where they decided the same. @param {TraceModel} a @param {number} i @param {TraceModel} b @param {number} j @param {BlockNames} names @returns {Difference | null} */
function stepDifference(a, i, b, j, names) {
  const [left, right] = [stepOf(a, i), stepOf(b, j)];
  const differ = (/** @type {Aspect} */ aspect, /** @type {string} */ id, /** @type {string[]} */ here, /** @type {string[]} */ there) => ({ aspect, a: i, b: j, id, left: here, right: there });
  if (!same(left.preempted, right.preempted)) return differ("preempted", "", left.preempted, right.preempted);
  const [onlyLeft, onlyRight] = [left.ids.filter((id) => !right.of.has(id)), right.ids.filter((id) => !left.of.has(id))];
  if (onlyLeft.length || onlyRight.length) return differ("rows", "", onlyLeft, onlyRight);
  for (const [id, mine] of left.of) {
    const other = right.of.get(id);
    if (!other) continue;
    if (mine.computed !== other.computed) return differ("computed", id, [String(mine.computed)], [String(other.computed)]);
    if (mine.tokens !== other.tokens) return differ("tokens", id, [String(mine.tokens)], [String(other.tokens)]);
  }
  if (!same(left.ids, right.ids)) return differ("order", "", left.ids, right.ids);
  if (!(a.blocksSeen && b.blocksSeen)) return null;
  for (const [id, mine] of left.of) {
    const other = right.of.get(id);
    if (other && !names.joined(mine.hits, other.hits)) return differ("hits", id, strings(mine.hits), strings(other.hits));
    if (other && !names.fresh(mine.fresh, other.fresh)) return differ("blocks", id, strings(mine.fresh), strings(other.fresh));
  }
  return names.evicted(left.evicted.map(Number), right.evicted.map(Number)) ? null : differ("evicted", "", left.evicted, right.evicted);
}

/** The place in `b` of each request of `a`, or -1. @param {TraceModel} a @param {TraceModel} b */
function twinsOf(a, b) {
  return Int32Array.from(a.requests.ids, (id) => b.requests.index.get(id) ?? -1);
}

/** Whether all of a step is alike, seen without making anything: most steps of two like traces are. @param {TraceModel} a @param {TraceModel} b @param {number} step @param {Int32Array} twins @param {BlockNames} names */
function equalSteps(a, b, step, twins, names) {
  const [mine, other] = [a.steps.rowStart[step], b.steps.rowStart[step]];
  const count = a.steps.rowStart[step + 1] - mine;
  if (count !== b.steps.rowStart[step + 1] - other || !alike(a.preempted, a.steps.preemptedStart, b.preempted, b.steps.preemptedStart, step, step, twins)) return false;
  for (let row = 0; row < count; row += 1) {
    const [i, j] = [mine + row, other + row];
    if (twins[a.rows.request[i]] !== b.rows.request[j] || a.rows.tokens[i] !== b.rows.tokens[j] || a.rows.computed[i] !== b.rows.computed[j]) return false;
    if (!names.joined(part(a.hitBlocks, a.rows.hitStart, i), part(b.hitBlocks, b.rows.hitStart, j))) return false;
    if (!names.fresh(part(a.newBlocks, a.rows.newStart, i), part(b.newBlocks, b.rows.newStart, j))) return false;
  }
  return names.evicted(part(a.evicted, a.steps.evictedStart, step), part(b.evicted, b.steps.evictedStart, step));
}

/** A stretch of a flat list. @param {Int32Array} values @param {Int32Array} start @param {number} place */
function part(values, start, place) {
  return values.subarray(start[place], start[place + 1]);
}

/** Whether two stretches of flat lists are alike. @param {Int32Array} a @param {Int32Array} aStart @param {Int32Array} b @param {Int32Array} bStart @param {number} i @param {number} j @param {Int32Array} [twins] */
function alike(a, aStart, b, bStart, i, j, twins) {
  const [from, to, other] = [aStart[i], aStart[i + 1], bStart[j]];
  if (to - from !== bStart[j + 1] - other) return false;
  for (let place = from; place < to; place += 1) if ((twins ? twins[a[place]] : a[place]) !== b[other + place - from]) return false;
  return true;
}

/** Whether a step ran the same tokens of the same requests, in any order. @param {TraceModel} a @param {TraceModel} b @param {number} step @param {Int32Array} twins @param {Int32Array} seen @param {Int32Array} rowOf both are scratch, one entry a request of `b` */
function runAlike(a, b, step, twins, seen, rowOf) {
  const [from, to] = [b.steps.rowStart[step], b.steps.rowStart[step + 1]];
  if (a.steps.rowStart[step + 1] - a.steps.rowStart[step] !== to - from) return false;
  for (let row = from; row < to; row += 1) {
    seen[b.rows.request[row]] = step + 1;
    rowOf[b.rows.request[row]] = row;
  }
  for (let row = a.steps.rowStart[step]; row < a.steps.rowStart[step + 1]; row += 1) {
    const twin = twins[a.rows.request[row]];
    if (twin < 0 || seen[twin] !== step + 1) return false;
    if (a.rows.tokens[row] !== b.rows.tokens[rowOf[twin]] || a.rows.computed[row] !== b.rows.computed[rowOf[twin]]) return false;
  }
  return alike(a.preempted, a.steps.preemptedStart, b.preempted, b.steps.preemptedStart, step, step, twins);
}

/** @param {ArrayLike<unknown>} a @param {ArrayLike<unknown>} b */
function same(a, b) {
  if (a.length !== b.length) return false;
  for (let place = 0; place < a.length; place += 1) if (a[place] !== b[place]) return false;
  return true;
}

/** @param {Int32Array} values */
function strings(values) {
  return Array.from(values, String);
}

/** Whether both know steps, so that decisions can be compared. @param {TraceModel} a @param {TraceModel} b */
export function bothHaveSteps(a, b) {
  return a.steps.count > 0 && b.steps.count > 0;
}

/**
 * The moment of one trace that stands beside a moment of the other: the step of the same index, or else what there was at that time.
 * @param {TraceModel} from @param {TraceModel} to @param {import("./clock.js").Moment} moment @param {boolean} byTime
 * @returns {import("./clock.js").Moment}
 */
export function matching(from, to, { step, at }, byTime) {
  if (!to.steps.count) return { step: -1, at };
  if (byTime || !from.steps.count) {
    const found = step < 0 && from.steps.count ? -1 : to.stepAt(at);
    return { step: found, at };
  }
  if (step < 0) return { step: -1, at: 0 };
  const found = to.stepOfIndex(from.steps.index[step]);
  return { step: found, at: found < 0 ? 0 : to.steps.at[found] };
}

/**
 * Where two traces first part. Where both have steps, decisions come first and times after; elsewhere the first request that
 * fared otherwise. Null where nothing differs.
 * @param {TraceModel} a @param {TraceModel} b @returns {Difference | null}
 */
export function firstDifference(a, b) {
  return workloadDifference(a, b) ?? (bothHaveSteps(a, b) ? decisionDifference(a, b) ?? timeDifference(a, b) : null) ?? requestDifference(a, b);
}

/** @param {TraceModel} a @param {TraceModel} b @returns {Difference | null} */
function workloadDifference(a, b) {
  const missing = (/** @type {TraceModel} */ one, /** @type {TraceModel} */ other) => one.requests.ids.filter((id) => !other.requests.index.has(id));
  const [left, right] = [missing(a, b), missing(b, a)];
  if (left.length || right.length) return { aspect: "workload", a: -1, b: -1, id: "", left, right };
  for (const [id, k] of a.requests.index) {
    const [mine, other] = [a.requests.promptTokens[k], b.requests.promptTokens[b.requests.index.get(id) ?? 0]];
    if (mine !== other && !Number.isNaN(mine + other)) return { aspect: "workload", a: -1, b: -1, id, left: [String(mine)], right: [String(other)] };
  }
  return null;
}

/** @param {TraceModel} a @param {TraceModel} b @returns {Difference | null} */
function decisionDifference(a, b) {
  const both = Math.min(a.steps.count, b.steps.count);
  const twins = twinsOf(a, b);
  const names = new BlockNames(a, b);
  for (let step = 0; step < both; step += 1) {
    const [mine, other] = [a.steps.index[step], b.steps.index[step]];
    if (mine !== other) return { aspect: "missing", a: mine < other ? step : -1, b: other < mine ? step : -1, id: "", left: [String(mine)], right: [String(other)] };
    names.begin();
    const found = equalSteps(a, b, step, twins, names) ? null : stepDifference(a, step, b, step, names);
    if (found) return found;
  }
  if (a.steps.count === b.steps.count) return null;
  return { aspect: "ended", a: a.steps.count > both ? both : -1, b: b.steps.count > both ? both : -1, id: "", left: [], right: [] };
}

/** @param {TraceModel} a @param {TraceModel} b @returns {Difference | null} */
function timeDifference(a, b) {
  if (a.header.unit !== b.header.unit) return null;
  for (let step = 0; step < a.steps.count; step += 1) {
    for (const column of /** @type {const} */ (["at", "duration"])) {
      const [mine, other] = [a.steps[column][step], b.steps[column][step]];
      if (mine !== other) return { aspect: "time", a: step, b: step, id: column, left: [String(mine)], right: [String(other)] };
    }
  }
  return null;
}

/** @param {TraceModel} a @param {TraceModel} b @returns {Difference | null} the earliest in `a` */
function requestDifference(a, b) {
  /** @type {{ at: number, found: Difference } | null} */
  let earliest = null;
  for (const [id, k] of a.requests.index) {
    const j = b.requests.index.get(id) ?? -1;
    const found = outcomeDifference(a, k, b, j, id);
    if (!found) continue;
    const at = found.aspect === "first" ? a.requests.first[k] : a.requests.ended[k];
    if (!earliest || at < earliest.at) earliest = { at, found };
  }
  return earliest?.found ?? null;
}

/** @param {TraceModel} a @param {number} k @param {TraceModel} b @param {number} j @param {string} id @returns {Difference | null} */
function outcomeDifference(a, k, b, j, id) {
  const [mine, other] = [a.requests, b.requests];
  const base = { a: stepNear(a, mine.first[k]), b: stepNear(b, other.first[j]), id };
  const [first, second] = [LATENCIES.ttft(a, k, Infinity), LATENCIES.ttft(b, j, Infinity)];
  if (a.header.unit === b.header.unit && first !== second && !Number.isNaN(first + second)) return { ...base, aspect: "first", left: [String(first)], right: [String(second)] };
  if (mine.end[k] === other.end[j] && mine.outputTokens[k] === other.outputTokens[j]) return null;
  const told = (/** @type {TraceModel["requests"]} */ requests, /** @type {number} */ at) => [Object.keys(END)[requests.end[at]], String(requests.outputTokens[at])];
  return { ...base, aspect: "end", left: told(mine, k), right: told(other, j) };
}

/** @param {TraceModel} model @param {number} at */
function stepNear(model, at) {
  return Number.isNaN(at) ? -1 : model.stepAt(at);
}

/**
 * Which steps ran other requests, or other tokens of them. Another order, or another block of the pool, mostly follows from what
 * came before and isn't counted.
 * @param {TraceModel} a @param {TraceModel} b @returns {Uint8Array} 1 where they differ
 */
export function differingSteps(a, b) {
  const found = new Uint8Array(Math.max(a.steps.count, b.steps.count));
  const both = Math.min(a.steps.count, b.steps.count);
  found.fill(1, both);
  const twins = twinsOf(a, b);
  const seen = new Int32Array(b.requests.count);
  const row = new Int32Array(b.requests.count);
  for (let step = 0; step < both; step += 1) {
    if (a.steps.index[step] !== b.steps.index[step] || !runAlike(a, b, step, twins, seen, row)) found[step] = 1;
  }
  return found;
}
