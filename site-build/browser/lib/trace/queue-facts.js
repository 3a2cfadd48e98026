/** Who waits, who runs, and who uses the step's token budget. */
import { seriesOf } from "./series.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./state.js").State} State */
/** @typedef {"prefill" | "decode" | "recompute"} Use */
/** @typedef {{ request: number, tokens: number, use: Use, computed: number }} Part */
/**
 * @typedef {object} Batch
 * @property {number} budget NaN where the settings don't say
 * @property {Part[]} parts what each row of the step used, in the order in which they were planned
 * @property {number} used
 * @property {number} seats NaN where the settings don't say
 * @property {number[]} running in the order of admission
 * @property {number[]} waiting next one first, as far as the trace tells
 * @property {number[]} preempted in this step
 * @property {boolean} ordered whether the order of `waiting` is the policy's
 */

/** @param {TraceModel} model @param {number} step @param {State} state @returns {Batch} */
export function batchAt(model, step, state) {
  const { settings } = model.header;
  const parts = step < 0 ? [] : partsOf(model, step);
  const { order, ordered } = ranked(model, state.waiting);
  return {
    budget: whole(settings.max_num_batched_tokens),
    parts,
    used: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    seats: whole(settings.max_num_active_seqs ?? settings.max_num_seqs),
    running: state.running,
    waiting: order,
    preempted: step < 0 ? [] : Array.from(model.preempted.subarray(model.steps.preemptedStart[step], model.steps.preemptedStart[step + 1])),
    ordered,
  };
}

/** @param {unknown} value */
function whole(value) {
  return typeof value === "number" && value > 0 ? value : NaN;
}

/** @param {TraceModel} model @param {number} step @returns {Part[]} */
function partsOf(model, step) {
  const { steps, rows, requests } = model;
  const { again } = seriesOf(model);
  /** @type {Part[]} */
  const parts = [];
  for (let row = steps.rowStart[step]; row < steps.rowStart[step + 1]; row += 1) {
    const request = rows.request[row];
    const computed = rows.computed[row];
    const use = again[row] ? "recompute" : computed < requests.promptTokens[request] ? "prefill" : "decode";
    parts.push({ request, tokens: rows.tokens[row], use, computed });
  }
  return parts;
}

/**
 * FCFS is the order of arrival, with those who were preempted in front; the priority policy ranks all by number. The other
 * policies know more than a trace does.
 * @param {TraceModel} model @param {readonly number[]} waiting
 */
function ranked({ header, requests }, waiting) {
  const policy = header.settings.policy ?? "fcfs";
  if (policy !== "priority") return { order: [...waiting], ordered: policy === "fcfs" };
  const order = [...waiting].sort((a, b) => requests.priority[a] - requests.priority[b] || a - b);
  return { order, ordered: true };
}

/** Who waits and who runs at a time, in a trace that knows no steps. @param {TraceModel} model @param {number} at */
export function presentAt({ requests }, at) {
  const [waiting, running] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let request = 0; request < requests.count; request += 1) {
    if (!(requests.arrived[request] <= at) || requests.ended[request] <= at) continue;
    const began = requests.admitted[request] <= at || requests.first[request] <= at;
    (began ? running : waiting).push(request);
  }
  return { waiting, running };
}

/** Whether somebody who waits at a step has run before: only a preemption sends it back. @param {TraceModel} model @param {number} request @param {number} step */
export function waitsAgain({ requests, steps }, request, step) {
  return requests.admitted[request] <= steps.at[step];
}
