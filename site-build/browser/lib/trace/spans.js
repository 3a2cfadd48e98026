/**
 * What a request went through, as stretches of time: it waits, its prompt is computed in chunks, it decodes, it
 * loses its blocks, computes again what was lost.
 *
 * A chunk of a prompt is a span of its own; decode steps that follow each other are one. Where a request holds its
 * seat and gets nothing, or the record is lost, no span stands: a gap is a gap.
 */
import { reserve } from "./columns.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {"queue" | "prefill" | "decode" | "preempted" | "recompute"} SpanKind */
/**
 * From `from` to `to` in the trace's time, over the steps `firstStep` to `lastStep`, both included (a wait between
 * two steps covers none, and `lastStep` is then `firstStep - 1`). An open one goes on: `to` is the trace's last time.
 * @typedef {{ kind: SpanKind, from: number, to: number, firstStep: number, lastStep: number, tokens: number, open: boolean }} Span
 */

/** The kinds, in the order of their codes. @type {readonly SpanKind[]} */
export const SPAN_KINDS = Object.freeze(["queue", "prefill", "decode", "preempted", "recompute"]);
const [QUEUE, PREFILL, DECODE, PREEMPTED, RECOMPUTE] = SPAN_KINDS.keys();

/** Stands where a request has no span, or no further one. */
export const NO_SPAN = -1;

/** `next` is the place of the request's next span. `to` is NaN, and `lastStep` -2, while a wait goes on. */
export const SPAN_COLUMNS = {
  request: Int32Array,
  kind: Uint8Array,
  from: Float64Array,
  to: Float64Array,
  firstStep: Int32Array,
  lastStep: Int32Array,
  tokens: Int32Array,
  next: Int32Array,
};

/** @param {TraceModel} model @param {number} request @returns {Span[]} in the order of time */
export function spans(model, request) {
  const found = [];
  for (let place = model.requests.firstSpan[request]; place !== NO_SPAN; place = model.spans.next[place]) {
    found.push(spanAt(model, place));
  }
  return found;
}

/** @param {TraceModel} model @param {number} place in `model.spans` @returns {Span} */
export function spanAt(model, place) {
  const { kind, from, to, firstStep, lastStep, tokens } = model.spans;
  const open = Number.isNaN(to[place]);
  return {
    kind: SPAN_KINDS[kind[place]],
    from: from[place],
    to: open ? model.end : to[place],
    firstStep: firstStep[place],
    lastStep: open ? model.steps.count - 1 : lastStep[place],
    tokens: tokens[place],
    open,
  };
}

/** @param {TraceModel} model @param {number} request @param {number} kind @param {number} from @param {number} step */
function open({ spans, requests }, request, kind, from, step) {
  reserve(spans);
  const place = spans.count;
  spans.request[place] = request;
  spans.kind[place] = kind;
  spans.from[place] = from;
  spans.to[place] = NaN;
  spans.firstStep[place] = step;
  spans.lastStep[place] = -2;
  spans.next[place] = NO_SPAN;
  spans.count += 1;
  const before = requests.lastSpan[request];
  if (before === NO_SPAN) requests.firstSpan[request] = place;
  else spans.next[before] = place;
  requests.lastSpan[request] = place;
  return place;
}

/** End a wait that goes on. @param {TraceModel} model @param {number} request @param {number} at @param {number} step */
function close({ spans, requests }, request, at, step) {
  const place = requests.lastSpan[request];
  if (place === NO_SPAN || !Number.isNaN(spans.to[place])) return;
  spans.to[place] = at;
  spans.lastStep[place] = step - 1;
}

/** @param {TraceModel} model @param {number} request @param {number} at */
export function arrive(model, request, at) {
  // One whose arrival was lost is met in the midst of things: nothing is known of its wait.
  if (!Number.isNaN(model.requests.arrived[request])) open(model, request, QUEUE, at, model.steps.count);
}

/** @param {TraceModel} model @param {number} request @param {number} step that took its blocks */
export function preempt(model, request, step) {
  const at = model.steps.at[step];
  close(model, request, at, step);
  open(model, request, PREEMPTED, at, step);
}

/** @param {TraceModel} model @param {number} request @param {number} step @param {number} num @param {number} computed before it */
export function row(model, request, step, num, computed) {
  const { spans, steps, requests } = model;
  close(model, request, steps.at[step], step);
  const kind = kindOf(model, request, num, computed);
  let place = requests.lastSpan[request];
  const goesOn = place !== NO_SPAN && kind === DECODE && spans.kind[place] === DECODE && spans.lastStep[place] === steps.before[step];
  if (!goesOn || (broken.get(model) ?? -1) > steps.before[step]) place = open(model, request, kind, steps.at[step], step);
  spans.to[place] = steps.at[step] + steps.duration[step];
  spans.lastStep[place] = step;
  spans.tokens[place] += num;
}

/** @param {TraceModel} model @param {number} request @param {number} num @param {number} computed */
function kindOf({ requests }, request, num, computed) {
  if (num && computed < requests.reached[request] && requests.preemptions[request]) return RECOMPUTE;
  return computed < requests.promptTokens[request] ? PREFILL : DECODE;
}

/** The step before which something was lost: nothing goes on across it. @type {WeakMap<TraceModel, number>} */
const broken = new WeakMap();

/** @param {TraceModel} model */
export function breakOff(model) {
  broken.set(model, model.steps.count);
}

/** @param {TraceModel} model @param {number} request @param {number} at */
export function end(model, request, at) {
  close(model, request, at, model.steps.count);
}

/** Of a trace without steps. @param {TraceModel} model @param {number} request @param {number} at */
export function firstToken(model, request, at) {
  const { admitted } = model.requests;
  if (admitted[request] < at) {
    close(model, request, admitted[request], 0);
    open(model, request, PREFILL, admitted[request], 0);
  }
  close(model, request, at, 0);
  tokens(model, request, at, 1);
}

/** Of a trace without steps. @param {TraceModel} model @param {number} request @param {number} at @param {number} num */
export function tokens(model, request, at, num) {
  const { spans, requests } = model;
  close(model, request, at, 0);
  const last = requests.lastSpan[request];
  const place = last !== NO_SPAN && spans.kind[last] === DECODE ? last : open(model, request, DECODE, at, 0);
  spans.to[place] = at;
  spans.lastStep[place] = -1;
  spans.tokens[place] += num;
}
