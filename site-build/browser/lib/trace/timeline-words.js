/** The timeline in words: each request's way, and what every one does at the moment. */
import { END } from "./codes.js";
import { count, listing, number, time } from "./language.js";
import { spans } from "./spans.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./spans.js").Span} Span */
/** @typedef {import("./language.js").Words} Words */

const MOST_ROWS = 100;
const MOST_SPANS = 400;

/** What somebody does in a span, and what the span is called. @type {Readonly<Record<string, readonly [string, string]>>} */
const KINDS = Object.freeze({
  queue: ["waits", "waiting"],
  prefill: ["computes its prompt", "prefill"],
  decode: ["decodes", "decode"],
  preempted: ["lost its blocks and waits again", "preempted"],
  recompute: ["computes again what it lost", "computed again"],
});
const ENDS = ["goes on", "finished", "timed out", "rejected", "cancelled"];

/** @param {TraceModel} model @param {import("./clock.js").Moment} moment @param {import("./panels.js").Choice} choice @returns {Words} */
export function words(model, moment, choice) {
  const { requests } = model;
  const chosen = choice.request !== null && choice.request < requests.count ? choice.request : null;
  const tables = [requestsTable(model)];
  if (chosen !== null) tables.unshift(spansTable(model, chosen));
  const told = [sizeWords(model), nowWords(model, moment)];
  if (chosen !== null) told.push(wayWords(model, chosen));
  return { sentence: told.filter(Boolean).join(" "), tables };
}

/** @param {TraceModel} model */
function sizeWords({ requests, steps, header, end }) {
  const length = steps.count ? `${count(steps.count, "step")}${header.unit === "ns" ? ` in ${time(end, "ns")}` : ""}` : time(end, header.unit);
  /** @type {number[]} */
  const ends = [0, 0, 0, 0, 0];
  for (let request = 0; request < requests.count; request += 1) ends[requests.end[request]] += 1;
  const told = ends.map((many, how) => (many ? `${number(many)} ${how === END.none ? "not ended" : ENDS[how]}` : "")).filter(Boolean);
  return `${count(requests.count, "request")} over ${length}${told.length ? `: ${told.join(", ")}` : ""}.`;
}

/** What everybody does at a moment. @param {TraceModel} model @param {import("./clock.js").Moment} moment */
function nowWords(model, moment) {
  /** @type {Map<string, string[]>} */
  const doing = new Map();
  for (let request = 0; request < model.requests.count; request += 1) {
    const span = spanNow(model, request, moment);
    if (!span) continue;
    const names = doing.get(span.kind);
    if (names) names.push(model.requests.ids[request]);
    else doing.set(span.kind, [model.requests.ids[request]]);
  }
  const told = Object.entries(KINDS).filter(([kind]) => doing.has(kind)).map(([kind, [, name]]) => `${name}: ${listing(doing.get(kind) ?? [])}`);
  return told.length ? `Now ${told.join("; ")}.` : "Nobody is here now.";
}

/** By steps where there are any: a wait covers no step of its own, so its place tells. @param {TraceModel} model @param {number} request @param {import("./clock.js").Moment} moment */
function spanNow(model, request, { step, at }) {
  const all = spans(model, request);
  const at0 = model.steps.count && step >= 0 ? Math.max(at, model.steps.at[step]) : at;
  return all.findLast(({ kind, from, to, firstStep, lastStep, open }) => {
    if (model.steps.count && step >= 0 && kind !== "queue" && kind !== "preempted") return firstStep <= step && step <= lastStep;
    return from <= at0 && (at0 < to || open);
  });
}

/** One request's way, from its arrival to its end. @param {TraceModel} model @param {number} request @returns {string} */
export function wayWords(model, request) {
  const { requests, header } = model;
  const told = spans(model, request).map((span) => `${KINDS[span.kind][0]} ${placeWords(model, span)}`);
  const how = requests.end[request];
  const end = how === END.none ? "isn't done" : `${how === END.finished ? "finishes" : `is ${ENDS[how]}`.replace("is timed", "times")} at ${time(requests.ended[request], header.unit)}${how === END.finished ? ` with ${count(requests.outputTokens[request], "token")}` : ""}`;
  return `${requests.ids[request]} ${listing([...told, end], 16)}.`;
}

/** @param {TraceModel} model @param {Span} span */
function placeWords({ steps, header }, { kind, from, to, firstStep, lastStep, tokens }) {
  const wait = kind === "queue" || kind === "preempted";
  const when = steps.count && !wait
    ? firstStep === lastStep ? `in step ${number(steps.index[firstStep])}` : `in steps ${number(steps.index[firstStep])} to ${number(steps.index[lastStep])}`
    : `from ${time(from, header.unit)} to ${time(to, header.unit)}`;
  return tokens && !wait ? `${when} (${count(tokens, "token")})` : when;
}

/** @param {TraceModel} model */
function requestsTable(model) {
  const { requests, header } = model;
  const at = (/** @type {number} */ value) => (Number.isNaN(value) ? "not yet" : time(value, header.unit));
  const rows = [];
  for (let request = 0; request < Math.min(requests.count, MOST_ROWS); request += 1) {
    rows.push([
      requests.ids[request], at(requests.arrived[request]), at(requests.admitted[request]), at(requests.first[request]), at(requests.ended[request]),
      ENDS[requests.end[request]] + (requests.reason[request] ? ` (${requests.reason[request].replaceAll("_", " ")})` : ""),
      number(requests.promptTokens[request]), number(requests.outputTokens[request]), number(requests.preemptions[request]),
    ]);
  }
  const rest = requests.count - rows.length;
  if (rest) rows.push([`${number(rest)} more`, ...Array(8).fill("")]);
  return { caption: "Every request over the whole trace", heads: ["request", "arrived", "admitted", "first token", "ended", "how", "prompt tokens", "answer tokens", "preemptions"], rows };
}

/** @param {TraceModel} model @param {number} request */
function spansTable(model, request) {
  const { header, steps } = model;
  const all = spans(model, request);
  const rows = all.slice(0, MOST_SPANS).map((span) => [
    KINDS[span.kind][1], time(span.from, header.unit), time(span.to, header.unit),
    span.lastStep < span.firstStep || !steps.count ? "none" : `${number(steps.index[span.firstStep])} to ${number(steps.index[span.lastStep])}`,
    number(span.tokens),
  ]);
  if (all.length > MOST_SPANS) rows.push([`${number(all.length - MOST_SPANS)} more`, "", "", "", ""]);
  return { caption: `What ${model.requests.ids[request]} went through`, heads: ["what", "from", "to", "steps", "tokens"], rows };
}
