/** The meters in words. */
import { count, number, share, time } from "./language.js";
import { LATENCIES, counts, hitRate, horizon, latencies, percentiles } from "./meters-facts.js";
import { seriesOf } from "./series.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./meters-facts.js").Percentiles} Percentiles */
/** @typedef {import("./language.js").Words} Words */
/**
 * @typedef {object} Readings everything up to the end of the step that is shown; NaN for what isn't known
 * @property {number} use held blocks over lendable ones
 * @property {number} held
 * @property {number} lendable
 * @property {number} hitRate
 * @property {number} preemptions
 * @property {number} recomputed
 * @property {number} running
 * @property {number} waiting
 * @property {number} arrived
 * @property {number} finished
 * @property {Record<"ttft" | "tpot" | "e2e", Percentiles>} latencies
 */

/** What each latency is called, and what it is. */
export const LATENCY_NAMES = Object.freeze({
  ttft: "TTFT, time to first token",
  tpot: "TPOT, time per output token",
  e2e: "E2E, time to the whole answer",
});

/** @param {TraceModel} model @param {import("./clock.js").Moment} moment @returns {Readings} */
export function readings(model, moment) {
  const until = horizon(model, moment);
  const { step } = moment;
  const series = seriesOf(model);
  const steps = model.steps.count > 0;
  const lendable = model.numBlocks ? (model.numBlocks - 1) * Math.max(1, model.lanes.length) : NaN;
  const held = step < 0 ? 0 : series.held[step];
  const summary = (/** @type {keyof typeof LATENCIES} */ name) => percentiles(latencies(model, LATENCIES[name], until));
  return {
    ...counts(model, until),
    use: held / lendable,
    held: model.numBlocks ? held : NaN,
    lendable,
    hitRate: hitRate(model, until),
    preemptions: steps ? (step < 0 ? 0 : model.steps.preemptedStart[step + 1]) : NaN,
    recomputed: steps ? (step < 0 ? 0 : series.recomputed[step]) : NaN,
    running: steps ? (step < 0 ? 0 : series.running[step]) : NaN,
    waiting: steps ? (step < 0 ? 0 : series.waiting[step]) : NaN,
    latencies: { ttft: summary("ttft"), tpot: summary("tpot"), e2e: summary("e2e") },
  };
}

/** @param {TraceModel} model @param {import("./clock.js").Moment} moment @returns {Words} */
export function words(model, moment) {
  const { unit } = model.header;
  const now = readings(model, moment);
  const told = [`So far ${count(now.arrived, "request")} arrived and ${number(now.finished)} finished.`];
  if (!Number.isNaN(now.use)) told.push(`${number(now.held)} of ${count(now.lendable, "lendable block")} are held: ${share(now.use)}.`);
  if (!Number.isNaN(now.hitRate)) told.push(`The prefix cache held ${share(now.hitRate)} of the prompt tokens that were admitted.`);
  if (now.preemptions >= 0) told.push(`${count(now.preemptions, "preemption")}, ${count(now.recomputed, "token")} computed again.`);
  const { ttft } = now.latencies;
  told.push(ttft.n ? `Half of the first tokens came within ${time(ttft.p50, unit)} (n = ${number(ttft.n)}).` : "No first token has come yet.");
  const at = (/** @type {number} */ value) => (Number.isNaN(value) ? "none yet" : time(value, unit));
  const rows = Object.entries(LATENCY_NAMES).map(([name, title]) => {
    const { n, p50, p95, p99 } = now.latencies[/** @type {keyof typeof LATENCY_NAMES} */ (name)];
    return [title, number(n), at(p50), at(p95), at(p99)];
  });
  return {
    sentence: told.join(" "),
    tables: [
      { caption: "Percentiles so far, by nearest rank", heads: ["latency", "n", "p50", "p95", "p99"], rows },
      { caption: "Meters", heads: ["meter", "now"], rows: meterRows(now) },
    ],
  };
}

/** @param {Readings} now @returns {string[][]} */
function meterRows(now) {
  const whole = (/** @type {number} */ value) => (Number.isNaN(value) ? "not known" : number(value));
  return [
    ["KV use", share(now.use)],
    ["prefix hit rate in tokens", Number.isNaN(now.hitRate) ? "nothing to say yet" : share(now.hitRate)],
    ["running", whole(now.running)],
    ["waiting", whole(now.waiting)],
    ["preemptions", whole(now.preemptions)],
    ["tokens computed again", whole(now.recomputed)],
  ];
}
