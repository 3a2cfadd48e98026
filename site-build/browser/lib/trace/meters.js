/** The meters: how full memory is, what the cache saves, how long requests take so far; each with its line over time. */
import { make } from "../dom.js";
import { number, share, time } from "./language.js";
import { LATENCIES } from "./meters-facts.js";
import { readings } from "./meters-words.js";
import { say } from "./parts.js";
import { seriesOf } from "./series.js";
import { Sparkline } from "./sparkline.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./meters-words.js").Readings} Readings */
/** @typedef {import("./sparkline.js").Line} Line */
/**
 * @typedef {object} MeterKind
 * @property {string} title
 * @property {(now: Readings, unit: string) => string} value
 * @property {(now: Readings, unit: string) => string} more
 * @property {(model: TraceModel) => Line} line
 */

const NO_LINE = { x: () => 0, y: () => NaN, count: 0, top: 1 };

/**
 * A value of each step, over the trace's time.
 * @param {TraceModel} model @param {(step: number) => number} value
 * @param {{ top?: number, idle?: number }} [options] `top` is the largest value if left out; `idle` is it while nobody is there
 */
function overSteps(model, value, { top, idle } = {}) {
  const { count, at, duration } = model.steps;
  const { carried } = seriesOf(model);
  const allEnded = model.requests.end.subarray(0, model.requests.count).every((end) => end);
  /** @type {[number[], number[]]} */
  const [xs, ys] = [[], []];
  for (let step = 0; step < count; step += 1) {
    xs.push(at[step]);
    ys.push(value(step));
    const end = at[step] + duration[step];
    if (idle === undefined || (step + 1 < count ? carried[step + 1] || at[step + 1] <= end : !allEnded)) continue;
    xs.push(end);
    ys.push(idle);
  }
  const end = model.end || 1;
  return { x: (/** @type {number} */ place) => xs[place] / end, y: (/** @type {number} */ place) => ys[place], count: xs.length, top: top ?? ys.reduce((most, each) => Math.max(most, each), 0) };
}

/** A latency at the time at which it was known. @param {keyof typeof LATENCIES} name @returns {(model: TraceModel) => Line} */
function overRequests(name) {
  return (model) => {
    const { requests, end } = model;
    const known = name === "ttft" ? requests.first : requests.ended;
    const values = Array.from({ length: requests.count }, (_, request) => request)
      .map((request) => ({ at: known[request], value: LATENCIES[name](model, request, Infinity) }))
      .filter(({ value }) => !Number.isNaN(value))
      .sort((a, b) => a.at - b.at);
    const top = values.reduce((most, { value }) => Math.max(most, value), 0);
    return { x: (place) => values[place].at / (end || 1), y: (place) => values[place].value, count: values.length, top };
  };
}

/** @param {keyof typeof LATENCIES} name @returns {MeterKind} */
function latency(name) {
  const known = (/** @type {Readings} */ now) => now.latencies[name];
  return {
    title: `${name.toUpperCase()} p50`,
    value: (now, unit) => (known(now).n ? time(known(now).p50, unit) : "none yet"),
    more: (now, unit) => (known(now).n ? `p95 ${time(known(now).p95, unit)}, p99 ${time(known(now).p99, unit)}, n\u00a0=\u00a0${number(known(now).n)}` : "n\u00a0=\u00a00"),
    line: overRequests(name),
  };
}

const LATENCY_METERS = [latency("ttft"), latency("tpot"), latency("e2e")];

/** @type {readonly MeterKind[]} */
const WITH_STEPS = [
  {
    title: "Running and waiting",
    value: (now) => `${number(now.running)} run, ${number(now.waiting)} wait`,
    more: (now) => `${number(now.arrived)} arrived, ${number(now.finished)} finished`,
    line: (model) => overSteps(model, (step) => seriesOf(model).running[step] + seriesOf(model).waiting[step], { idle: 0 }),
  },
  {
    title: "Preemptions",
    value: (now) => number(now.preemptions),
    more: (now) => `${number(now.recomputed)} tokens computed again`,
    line: (model) => overSteps(model, (step) => model.steps.preemptedStart[step + 1]),
  },
];

/** @type {readonly MeterKind[]} */
const WITH_BLOCKS = [
  {
    title: "KV use",
    value: (now) => share(now.use),
    more: (now) => `${number(now.held)} of ${number(now.lendable)} blocks`,
    line: (model) => overSteps(model, (step) => seriesOf(model).held[step], { top: (model.numBlocks - 1) * Math.max(1, model.lanes.length), idle: 0 }),
  },
  {
    title: "Prefix hit rate",
    value: (now) => (Number.isNaN(now.hitRate) ? "none yet" : share(now.hitRate)),
    more: () => "of prompt tokens admitted",
    line: hitLine,
  },
];

/** The hit rate after each admission. @param {TraceModel} model @returns {Line} */
function hitLine(model) {
  const { requests, end } = model;
  const admitted = Array.from({ length: requests.count }, (_, request) => request)
    .filter((request) => !Number.isNaN(requests.admitted[request]))
    .sort((a, b) => requests.admitted[a] - requests.admitted[b]);
  let [hits, prompts] = [0, 0];
  const rates = admitted.map((request) => {
    hits += requests.cachedTokens[request];
    prompts += requests.promptTokens[request];
    return prompts ? hits / prompts : 0;
  });
  return rates.length ? { x: (place) => requests.admitted[admitted[place]] / (end || 1), y: (place) => rates[place], count: rates.length, top: 1 } : NO_LINE;
}

/** @param {Context} context */
export function create(context) {
  return new Meters(context);
}

class Meters {
  #context;
  /** @type {Meter[]} */
  #meters = [];
  #version = -1;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    this.node = make("div", { class: "view meters" });
  }

  /** @param {import("./clock.js").Moment} moment */
  show(moment) {
    const { model } = this.#context;
    const grown = model.version !== this.#version;
    this.#version = model.version;
    if (grown) this.#fit();
    const now = readings(model, moment);
    const x = model.end ? Math.max(0, moment.at) / model.end : 0;
    for (const meter of this.#meters) {
      if (grown) meter.draw(model);
      meter.show(now, model.header.unit, x);
    }
  }

  /** The meters that this trace has something to say to: a live one may come to know more. */
  #fit() {
    const { numBlocks, steps } = this.#context.model;
    const kinds = [...(numBlocks ? WITH_BLOCKS : []), ...(steps.count ? WITH_STEPS : []), ...LATENCY_METERS];
    if (kinds.length === this.#meters.length) return;
    this.#meters = kinds.map((kind) => new Meter(kind));
    this.node.replaceChildren(...this.#meters.map(({ node }) => node));
  }

  destroy() {
    this.node.remove();
  }
}

class Meter {
  #kind;
  #value = make("strong", {});
  #more = make("span", { class: "more" });
  #spark = new Sparkline();

  /** @param {MeterKind} kind */
  constructor(kind) {
    this.#kind = kind;
    this.node = make("div", { class: "meter" }, make("span", { class: "name" }, kind.title), this.#value, this.#more, this.#spark.node);
  }

  /** @param {TraceModel} model */
  draw(model) {
    this.#spark.draw(this.#kind.line(model));
  }

  /** @param {Readings} now @param {string} unit @param {number} x */
  show(now, unit, x) {
    say(this.#value, this.#kind.value(now, unit));
    say(this.#more, this.#kind.more(now, unit));
    this.#spark.mark(x);
  }
}
