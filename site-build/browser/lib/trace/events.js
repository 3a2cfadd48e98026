/** What happens when: the next event of a kind, and a moment's events in words. */
import { capital, count, listing, time } from "./language.js";
import { lastUpTo } from "./model.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./clock.js").Clock} Clock */
/** @typedef {import("./clock.js").Moment} Moment */
/** @typedef {"arrival" | "first" | "preemption" | "eviction" | "hit" | "finish"} EventKind */

/** What a choice offers, in this order. @type {Readonly<Record<EventKind, string>>} */
export const EVENT_NAMES = Object.freeze({
  arrival: "arrival",
  first: "first token",
  preemption: "preemption",
  eviction: "eviction",
  hit: "cache hit",
  finish: "end of a request",
});

const ENDS = ["", "finished", "timed out", "rejected", "cancelled"];

/** The steps that did something, by kind and model. @type {WeakMap<TraceModel, { version: number, kinds: Map<EventKind, number[]> }>} */
const found = new WeakMap();

/**
 * The place in the clock of the next event of a kind, or null if there is none that way.
 * @param {TraceModel} model @param {Clock} clock @param {EventKind} kind @param {number} place @param {1 | -1} way
 */
export function nextEvent(model, clock, kind, place, way) {
  const places = placesOf(model, clock, kind);
  const next = way > 0 ? places.find((each) => each > place) : places.findLast((each) => each < place);
  return next ?? null;
}

/** @param {TraceModel} model @param {Clock} clock @param {EventKind} kind @returns {number[]} in order, none twice */
function placesOf(model, clock, kind) {
  let known = found.get(model);
  if (!known || known.version !== model.version) found.set(model, (known = { version: model.version, kinds: new Map() }));
  let places = known.kinds.get(kind);
  if (!places) {
    const all = new Set(clock.hasSteps ? stepsOf(model, kind).map((step) => clock.ofStep(step)) : timesOf(model, kind).map((at) => clock.ofTime(at)));
    known.kinds.set(kind, (places = [...all].sort((a, b) => a - b)));
  }
  return places;
}

/** @param {TraceModel} model @param {EventKind} kind @returns {number[]} steps, in any order */
function stepsOf(model, kind) {
  const { steps, requests, rows } = model;
  const every = Array.from({ length: requests.count }, (_, request) => request);
  if (kind === "arrival") return every.map((request) => requests.arrivedStep[request]).filter((step) => step < steps.count);
  if (kind === "first") return every.filter((request) => requests.first[request] >= 0).map((request) => firstStep(model, request));
  if (kind === "finish") return every.filter((request) => requests.end[request]).map((request) => Math.max(0, requests.endedStep[request] - 1));
  const all = Array.from({ length: steps.count }, (_, step) => step);
  if (kind === "preemption") return all.filter((step) => steps.preemptedStart[step] < steps.preemptedStart[step + 1]);
  if (kind === "eviction") return all.filter((step) => steps.evictedStart[step] < steps.evictedStart[step + 1]);
  return all.filter((step) => rows.hitStart[steps.rowStart[step]] < rows.hitStart[steps.rowStart[step + 1]]);
}

/** The step that handed over a request's first token: the last one that had begun before. @param {TraceModel} model @param {number} request */
function firstStep({ requests, steps }, request) {
  const { at, count: num } = steps;
  let step = lastUpTo(at, num, requests.first[request]);
  while (step > 0 && at[step] >= requests.first[request]) step -= 1;
  return Math.max(0, step);
}

/** @param {TraceModel} model @param {EventKind} kind @returns {number[]} */
function timesOf({ requests }, kind) {
  const column = { arrival: requests.arrived, first: requests.first, finish: requests.ended, preemption: null, eviction: null, hit: null }[kind];
  return column ? Array.from(column.subarray(0, requests.count)).filter((at) => !Number.isNaN(at)) : [];
}

/** The name of a moment: `step 5, 45.7 ms`. @param {TraceModel} model @param {Moment} moment */
export function momentWords({ steps, header }, { step, at }) {
  if (!steps.count) return time(at, header.unit);
  if (step < 0) return "before the first step";
  return header.unit === "ns" ? `step ${steps.index[step]}, ${time(at, "ns")}` : `step ${steps.index[step]}`;
}

/** What happens in a moment, in a sentence: all that can be jumped to is named. @param {TraceModel} model @param {Moment} moment */
export function happenings(model, moment) {
  const { steps, requests } = model;
  const start = capital(momentWords(model, moment));
  if (steps.count && moment.step < 0) return `${start}.`;
  const names = (/** @type {Iterable<number>} */ list) => listing([...list].map((request) => requests.ids[request]), 3);
  const { arrived, first, ended } = requestsIn(model, moment);
  const parts = arrived.length ? [`${names(arrived)} ${arrived.length === 1 ? "arrives" : "arrive"}`] : [];
  if (steps.count) parts.push(...stepWords(model, moment.step, names));
  if (first.length) parts.push(`first token of ${names(first)}`);
  ended.forEach((list, how) => list.length && parts.push(`${names(list)} ${ENDS[how]}`));
  return parts.length ? `${start}: ${parts.join("; ")}.` : `${start}.`;
}

/** @param {TraceModel} model @param {number} step @param {(list: Iterable<number>) => string} names */
function stepWords({ steps, rows, preempted }, step, names) {
  const [from, to] = [steps.rowStart[step], steps.rowStart[step + 1]];
  const tokens = rows.tokens.subarray(from, to).reduce((sum, each) => sum + each, 0);
  const parts = [`${count(to - from, "request")} ${to - from === 1 ? "gets" : "get"} ${count(tokens, "token")}`];
  const hits = rows.hitStart[to] - rows.hitStart[from];
  if (hits) parts.push(`${count(hits, "block")} found in the cache`);
  const lost = preempted.subarray(steps.preemptedStart[step], steps.preemptedStart[step + 1]);
  if (lost.length) parts.push(`${names(lost)} ${lost.length === 1 ? "is" : "are"} preempted`);
  const evicted = steps.evictedStart[step + 1] - steps.evictedStart[step];
  if (evicted) parts.push(`${count(evicted, "block")} evicted`);
  return parts;
}

/** Who arrived, had a first token and ended in a step, or at a time where there are no steps. @param {TraceModel} model @param {Moment} moment */
function requestsIn({ requests, steps }, { step, at }) {
  const { arrivedStep, endedStep, arrived, first, ended, end } = requests;
  const [from, to] = [steps.at[step], step + 1 < steps.count ? steps.at[step + 1] : Infinity];
  const found = { arrived: /** @type {number[]} */ ([]), first: /** @type {number[]} */ ([]), ended: ENDS.map(() => /** @type {number[]} */ ([])) };
  for (let request = 0; request < requests.count; request += 1) {
    if (steps.count ? arrivedStep[request] === step : arrived[request] === at) found.arrived.push(request);
    if (steps.count ? first[request] > from && first[request] <= to : first[request] === at) found.first.push(request);
    if (end[request] && (steps.count ? Math.max(0, endedStep[request] - 1) === step : ended[request] === at)) found.ended[end[request]].push(request);
  }
  return found;
}
