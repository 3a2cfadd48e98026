/** The queue and the batch in words. */
import { count, listing, number, rowsOf, share } from "./language.js";
import { replica } from "./marks.js";
import { batchAt, presentAt, waitsAgain } from "./queue-facts.js";
import { standingAt } from "./standing.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./queue-facts.js").Batch} Batch */
/** @typedef {import("./queue-facts.js").Use} Use */
/** @typedef {import("./language.js").Words} Words */

export const USES = Object.freeze({ prefill: "prefill", decode: "decode", recompute: "computed again" });

/** @param {TraceModel} model @param {number} step @param {Batch} batch @returns {string} */
export function batchWords(model, step, batch) {
  const { requests } = model;
  const names = (/** @type {readonly number[]} */ list) => listing(list.map((request) => requests.ids[request]));
  const { running, waiting, preempted } = batch;
  const told = [
    running.length ? `${count(running.length, "request")} ${running.length === 1 ? "runs" : "run"}${seatsWords(batch)}: ${names(running)}.` : `Nobody runs${seatsWords(batch)}.`,
    waiting.length ? `${number(waiting.length)} ${waiting.length === 1 ? "waits" : "wait"}: ${names(waiting)}.` : "Nobody waits.",
    budgetWords(batch),
  ];
  if (preempted.length) told.push(`${names(preempted)} ${preempted.length === 1 ? "is" : "are"} preempted in this step.`);
  return replica(model, step) + told.join(" ");
}

/** @param {Batch} batch */
function seatsWords({ seats }) {
  return Number.isNaN(seats) ? "" : `, of ${count(seats, "seat")}`;
}

/** What the step computes. @param {Batch} batch */
export function budgetWords({ budget, used, uses }) {
  if (!used) return "The step computes nothing.";
  const of = Number.isNaN(budget) ? "" : ` of a budget of ${number(budget)} (${share(used / budget)})`;
  const split = /** @type {[Use, string][]} */ (Object.entries(USES)).filter(([use]) => uses[use]).map(([use, words]) => `${number(uses[use])} ${words}`);
  return `The step computes ${count(used, "token")}${of}: ${listing(split)}.`;
}

/** @param {TraceModel} model @param {{ step: number, at: number }} moment @returns {Words} */
export function words(model, { step, at }) {
  if (!model.steps.count) return presentWords(model, at);
  const batch = batchAt(model, step, standingAt(model, step));
  const { requests } = model;
  const rows = rowsOf(batch.parts, ({ request, tokens, use, computed }) => [requests.ids[request], number(tokens), USES[use], number(computed)]);
  const queue = rowsOf(batch.waiting, (request, place) => [
    number(place + 1), requests.ids[request], String(requests.priority[request]), waitsAgain(model, request, step) ? "yes" : "no",
  ]);
  return {
    sentence: batchWords(model, step, batch) + (batch.ordered || batch.waiting.length < 2 ? "" : ` ${ORDER}`),
    tables: [
      { caption: "Who uses the step's tokens", heads: ["request", "tokens", "for", "computed before"], rows },
      { caption: "Who waits", heads: ["place", "request", "priority", "was it preempted"], rows: queue },
    ],
  };
}

export const ORDER = "They are listed by arrival: this policy's own order isn't in the trace.";

/** @param {TraceModel} model @param {number} at @returns {Words} */
function presentWords(model, at) {
  const { requests } = model;
  const { waiting, running } = presentAt(model, at);
  const say = (/** @type {number[]} */ list, /** @type {string} */ what) => (list.length ? `${number(list.length)} ${what}: ${listing(list.map((request) => requests.ids[request]))}.` : `None ${what}.`);
  return {
    sentence: `${say(running, "being answered")} ${say(waiting, "waiting for a first token")} The trace has no steps, so it doesn't tell a step's budget.`,
    tables: [{
      caption: "Who is here",
      heads: ["request", "what it does"],
      rows: rowsOf([...running, ...waiting], (request, place) => [requests.ids[request], place < running.length ? "is answered" : "waits for its first token"]),
    }],
  };
}
