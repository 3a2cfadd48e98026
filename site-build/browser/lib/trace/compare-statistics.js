/** How two traces of one workload differ in numbers. */
import { LATENCIES, counts, hitRate, latencies, percentiles } from "./meters-facts.js";
import { seriesOf } from "./series.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {{ name: string, kind: "count" | "time" | "share", a: number, b: number }} Statistic NaN where a trace doesn't know */

/** What at least one of them knows. @param {TraceModel} a @param {TraceModel} b @returns {Statistic[]} */
export function statistics(a, b) {
  const [left, right] = [summary(a), summary(b)];
  return left.map(({ name, kind, value }, place) => ({ name, kind, a: value, b: right[place].value })).filter((one) => !(Number.isNaN(one.a) && Number.isNaN(one.b)));
}

/** @param {TraceModel} model @returns {{ name: string, kind: Statistic["kind"], value: number }[]} */
function summary(model) {
  const series = seriesOf(model);
  const steps = model.steps.count;
  const of = (/** @type {keyof typeof LATENCIES} */ name) => percentiles(latencies(model, LATENCIES[name], Infinity));
  const timed = /** @type {const} */ (["ttft", "tpot", "e2e"]).flatMap((name) => {
    const { p50, p95 } = of(name);
    return /** @type {const} */ ([["p50", p50], ["p95", p95]]).map(([percent, value]) => ({ name: `${name.toUpperCase()} ${percent}`, kind: /** @type {const} */ ("time"), value }));
  });
  const { arrived, finished } = counts(model, Infinity);
  const peak = series.held.subarray(0, steps).reduce((most, held) => Math.max(most, held), 0);
  return [
    { name: "requests", kind: "count", value: arrived },
    { name: "finished", kind: "count", value: finished },
    { name: "steps", kind: "count", value: steps || NaN },
    { name: "whole run", kind: "time", value: model.end },
    ...timed,
    { name: "preemptions", kind: "count", value: steps ? model.steps.preemptedStart[steps] : NaN },
    { name: "tokens computed again", kind: "count", value: steps ? series.recomputed[steps - 1] : NaN },
    { name: "prefix hit rate", kind: "share", value: model.numBlocks ? hitRate(model, Infinity) : NaN },
    { name: "most KV in use", kind: "share", value: model.numBlocks > 1 && steps ? peak / (model.numBlocks - 1) : NaN },
  ];
}
