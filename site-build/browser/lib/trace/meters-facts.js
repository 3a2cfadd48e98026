/**
 * What a trace says in numbers so far, as `engine.metrics` says it of a whole trace: percentiles are nearest
 * rank, all latencies count from arrival, and an answer of one token has no TPOT.
 */
import { END } from "./codes.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {{ step: number, at: number }} Moment */
/** @typedef {{ n: number, p50: number, p95: number, p99: number }} Percentiles NaN where n is 0 */

/** @param {TraceModel} model @param {Moment} moment until when everything counts: the end of the step that is shown, at least */
export function horizon({ steps }, { step, at }) {
  if (step < 0) return steps.count ? -Infinity : at;
  return step >= steps.count ? at : Math.max(at, steps.at[step] + steps.duration[step]);
}

/** Which of `count` ordered values is the percentile, from 1. @param {number} count @param {number} percent a whole number */
export function nearestRank(count, percent) {
  return Math.max(1, Math.ceil((count * percent) / 100));
}

/** @param {Float64Array} values put in order here @returns {Percentiles} */
export function percentiles(values) {
  values.sort();
  const at = (/** @type {number} */ percent) => values[nearestRank(values.length, percent) - 1] ?? NaN;
  return { n: values.length, p50: at(50), p95: at(95), p99: at(99) };
}

/** @typedef {(model: TraceModel, request: number, until: number) => number} Latency NaN where it isn't known by then */

/** @type {Record<"ttft" | "tpot" | "e2e", Latency>} */
export const LATENCIES = {
  ttft: ({ requests }, k, until) => known(requests.first[k], until) - requests.arrived[k],
  e2e: ({ requests }, k, until) =>
    requests.end[k] === END.finished ? known(requests.ended[k], until) - requests.arrived[k] : NaN,
  tpot: (model, k, until) => {
    const tokens = model.requests.outputTokens[k];
    return tokens < 2 ? NaN : (LATENCIES.e2e(model, k, until) - LATENCIES.ttft(model, k, until)) / (tokens - 1);
  },
};

/** @param {number} at @param {number} until */
function known(at, until) {
  return at <= until ? at : NaN;
}

/** @param {TraceModel} model @param {Latency} latency @param {number} until @returns {Float64Array} of those requests that have it */
export function latencies(model, latency, until) {
  const { count } = model.requests;
  const found = new Float64Array(count);
  let n = 0;
  for (let k = 0; k < count; k += 1) {
    const one = latency(model, k, until);
    if (!Number.isNaN(one)) found[n++] = one;
  }
  return found.subarray(0, n);
}

/**
 * Cached prompt tokens over all prompt tokens of the requests admitted by then; NaN where nobody was, or where the trace
 * has no steps, as nobody saw the cache then.
 * @param {TraceModel} model @param {number} until
 */
export function hitRate({ requests, steps }, until) {
  let prompts = 0;
  let hits = 0;
  for (let k = 0; k < requests.count; k += 1) {
    if (!(requests.admitted[k] <= until)) continue;
    prompts += requests.promptTokens[k];
    hits += requests.cachedTokens[k];
  }
  return steps.count && prompts ? hits / prompts : NaN;
}

/**
 * How many requests have come so far. Who arrives just as a step ends isn't seen by it.
 * @param {TraceModel} model @param {number} until @returns {{ arrived: number, finished: number }}
 */
export function counts({ requests, steps, end }, until) {
  let [arrived, finished] = [0, 0];
  const all = !steps.count || until >= end;
  for (let k = 0; k < requests.count; k += 1) {
    if (all ? requests.arrived[k] <= until : requests.arrived[k] < until) arrived += 1;
    if (requests.end[k] === END.finished && requests.ended[k] <= until) finished += 1;
  }
  return { arrived, finished };
}
