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
 * @property {Record<Use, number>} uses tokens for each use
 * @property {number} used
 * @property {number} seats NaN where the settings don't say
 * @property {readonly number[]} running in the order of admission
 * @property {number[]} waiting next one first, as far as the trace tells
 * @property {number[]} preempted in this step
 * @property {boolean} ordered whether the order of `waiting` is the policy's
 */

/** @param {TraceModel} model @param {number} step @param {State} state @returns {Batch} */
export function batchAt(model, step, state) {
  const { settings } = model.header;
  const uses = usesOf(model, step);
  const { order, ordered } = ranked(model, state.waiting);
  return {
    budget: whole(settings.max_num_batched_tokens),
    get parts() {
      return partsOf(model, step);
    },
    uses,
    used: uses.prefill + uses.decode + uses.recompute,
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

/** Where the rows of a step begin and end. @param {TraceModel} model @param {number} step @returns {[number, number]} */
function rowsOf({ steps: { rowStart } }, step) {
  return step < 0 ? [0, 0] : [rowStart[step], rowStart[step + 1]];
}

/** @param {TraceModel} model @param {Int32Array} again @param {number} row @returns {Use} */
function useOf({ rows, requests }, again, row) {
  if (again[row]) return "recompute";
  return rows.computed[row] < requests.promptTokens[rows.request[row]] ? "prefill" : "decode";
}

/** @param {TraceModel} model @param {number} step */
function usesOf(model, step) {
  const uses = { prefill: 0, decode: 0, recompute: 0 };
  const { again } = seriesOf(model);
  for (let [row, end] = rowsOf(model, step); row < end; row += 1) uses[useOf(model, again, row)] += model.rows.tokens[row];
  return uses;
}

/** @param {TraceModel} model @param {number} step @returns {Part[]} */
function partsOf(model, step) {
  const { request, tokens, computed } = model.rows;
  const { again } = seriesOf(model);
  const [from, end] = rowsOf(model, step);
  return Array.from({ length: end - from }, (_, place) => from + place)
    .map((row) => ({ request: request[row], tokens: tokens[row], use: useOf(model, again, row), computed: computed[row] }));
}

/** @typedef {{ row: number, count: number, tokens: number, use: Use, bright: boolean }} Group rows beside each other; `row` is the first */

/**
 * What is drawn of a step's rows: neighbours of one use that are too narrow to be read stand together.
 * @param {TraceModel} model @param {number} step @param {number} least tokens that aren't too narrow @param {Set<number>} shining who lights up @returns {Group[]}
 */
export function groupsOf(model, step, least, shining) {
  const { request, tokens } = model.rows;
  const { again } = seriesOf(model);
  /** @type {Group[]} */
  const groups = [];
  let isOpen = false;
  for (let [row, end] = rowsOf(model, step); row < end; row += 1) {
    const use = useOf(model, again, row);
    const bright = shining.has(request[row]);
    const isNarrow = tokens[row] < least;
    const last = groups[groups.length - 1];
    if (isNarrow && isOpen && last.use === use) {
      last.count += 1;
      last.tokens += tokens[row];
      last.bright ||= bright;
    } else groups.push({ row, count: 1, tokens: tokens[row], use, bright });
    isOpen = isNarrow;
  }
  return groups;
}

/**
 * FCFS is the order of arrival, with those who were preempted in front; the priority policy ranks all by number. The other
 * policies know more than a trace does.
 * @param {TraceModel} model @param {number[]} waiting
 */
function ranked({ header, requests }, waiting) {
  const policy = header.settings.policy ?? "fcfs";
  if (policy !== "priority") return { order: waiting, ordered: policy === "fcfs" };
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
