// What each question to tell.mjs asks of the views' modules.

import { PoolView } from "../../../site-build/browser/lib/trace/blocks-facts.js";
import * as blocksWords from "../../../site-build/browser/lib/trace/blocks-words.js";
import { firstDifference } from "../../../site-build/browser/lib/trace/compare-facts.js";
import * as compareWords from "../../../site-build/browser/lib/trace/compare-words.js";
import { LATENCIES, counts, hitRate, horizon, latencies, percentiles } from "../../../site-build/browser/lib/trace/meters-facts.js";
import * as metersWords from "../../../site-build/browser/lib/trace/meters-words.js";
import { forestAt } from "../../../site-build/browser/lib/trace/prefix-facts.js";
import * as prefixWords from "../../../site-build/browser/lib/trace/prefix-words.js";
import { batchAt } from "../../../site-build/browser/lib/trace/queue-facts.js";
import * as queueWords from "../../../site-build/browser/lib/trace/queue-words.js";
import { seriesOf } from "../../../site-build/browser/lib/trace/series.js";
import { stateAt } from "../../../site-build/browser/lib/trace/state.js";
import * as whyWords from "../../../site-build/browser/lib/trace/why-words.js";

/** @typedef {import("../../../site-build/browser/lib/trace/model.js").TraceModel} TraceModel */

/** @type {Record<string, (...given: any[]) => unknown>} */
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
      return { said, counts: pool.counts };
    });
  },
  /** Queue and batch in each step, by names. */
  queue(model) {
    const names = (/** @type {number[]} */ list) => list.map((request) => model.requests.ids[request]);
    return eachStep(model, (step) => {
      const { parts, running, waiting, preempted, budget, used, ordered } = batchAt(model, step, stateAt(model, step));
      const said = parts.map(({ request, tokens, use, computed }) => [model.requests.ids[request], tokens, computed, use]);
      return { parts: said, running: names(running), waiting: names(waiting), preempted: names(preempted), budget, used, ordered };
    });
  },
  /** The prefix tree in each step: every segment with the way to it. */
  prefix(model) {
    return eachStep(model, (step) => {
      const forest = forestAt(model, stateAt(model, step));
      return { ...forest, groups: undefined, segments: forest.groups.flatMap(({ segments }) => paths(model, segments, [])) };
    });
  },
  /** The words of one view in each step, or at the end where there are none. */
  words: (model, { view }) => (model.steps.count ? eachStep(model, (step) => WORDS[view](model, momentAt(model, step))) : [WORDS[view](model, { step: -1, at: model.end })]),
  /** The words of every view at one step, or at the end where there are none. */
  all(model, { step }) {
    const moment = model.steps.count ? momentAt(model, step) : { step: -1, at: model.end };
    return Object.fromEntries(Object.entries(WORDS).map(([view, words]) => [view, words(model, moment)]));
  },
  /** Where two traces part, and how they differ. */
  compare: (a, b) => ({ found: firstDifference(a, b), words: compareWords.words(a, { step: -1, at: 0 }, null, b) }),
  /** Each step's reasons in words. */
  why(model, rules) {
    whyWords.rules.known = rules;
    return eachStep(model, (step) => ({ told: whyWords.told(model.why(step), rules), words: whyWords.words(model, { step }) }));
  },
};

/** @template T @param {TraceModel} model @param {(step: number) => T} tell @returns {T[]} */
function eachStep(model, tell) {
  return Array.from({ length: model.steps.count }, (_, step) => tell(step));
}

const WORDS = /** @type {Record<string, Function>} */ ({ blocks: blocksWords.words, queue: queueWords.words, prefix: prefixWords.words, meters: metersWords.words, why: whyWords.words });

/** @param {TraceModel} model @param {number} step */
function momentAt(model, step) {
  return { step, at: model.steps.at[step] };
}

/** @param {TraceModel} model @param {any[]} segments @param {number[]} before @returns {any[]} */
function paths(model, segments, before) {
  return segments.flatMap((/** @type {any} */ segment) => {
    const path = [...before, ...segment.blocks];
    const { depth, salt, blocks, holders } = segment;
    return [{ path, depth, salt, blocks, holders: holders.map((/** @type {number} */ request) => model.requests.ids[request]) }, ...paths(model, segment.children, path)];
  });
}
