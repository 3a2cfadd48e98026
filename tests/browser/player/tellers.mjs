// What each question to tell.mjs asks of the views' modules.

import { PoolView } from "../../../site-build/browser/lib/trace/blocks-facts.js";
import * as blocksWords from "../../../site-build/browser/lib/trace/blocks-words.js";
import { LATENCIES, counts, hitRate, horizon, latencies, percentiles } from "../../../site-build/browser/lib/trace/meters-facts.js";
import { seriesOf } from "../../../site-build/browser/lib/trace/series.js";
import { stateAt } from "../../../site-build/browser/lib/trace/state.js";

/** @typedef {import("../../../site-build/browser/lib/trace/model.js").TraceModel} TraceModel */

/** @type {Record<string, (...models: TraceModel[]) => unknown>} */
export const TELLERS = {
  /** The meters at the end of the trace. */
  meters(model) {
    const until = horizon(model, { step: model.steps.count - 1, at: model.end });
    const summaries = Object.entries(LATENCIES).map(([name, latency]) => [name, percentiles(latencies(model, latency, until))]);
    const series = seriesOf(model);
    const last = model.steps.count - 1;
    return {
      ...Object.fromEntries(summaries),
      counts: counts(model, until),
      hitRate: hitRate(model, until),
      recomputed: series.recomputed[last],
      preemptions: model.steps.preemptedStart[model.steps.count],
    };
  },
  /** One list a step of everything that is drawn over time. */
  series(model) {
    const { count, held, empty, running, waiting, tokens } = seriesOf(model);
    return { held, empty, running, waiting, tokens, count };
  },
  /** What each lendable block is in each step, in words. */
  blocks(model) {
    return eachStep(model, (step) => {
      const pool = new PoolView(model, stateAt(model, step));
      const said = Array.from({ length: pool.size - 1 }, (_, place) => blocksWords.blockWords(pool, place + 1));
      return { said, counts: pool.counts() };
    });
  },
  /** The block map's words in each step. */
  blocksWords: (model) => eachStep(model, (step) => blocksWords.words(model, { step })),
};

/** @template T @param {TraceModel} model @param {(step: number) => T} tell @returns {T[]} */
function eachStep(model, tell) {
  return Array.from({ length: model.steps.count }, (_, step) => tell(step));
}
