/** The timeline in words: a stretch exactly, the trace in a sentence, a table of the requests. */
import { END } from "./codes.js";
import { capital, count, listing, number, time } from "./language.js";
import { spans } from "./spans.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./spans.js").Span} Span */
/** @typedef {import("./language.js").Words} Words */

/** More requests than these would make a table that nobody reads; those around the chosen one are listed then. */
const MOST_ROWS = 100;

export const KIND_WORDS = Object.freeze({
  queue: "waiting",
  prefill: "prompt",
  decode: "decoding",
  preempted: "preempted",
  recompute: "computed again",
});
/** @type {Record<number, string>} */
const END_WORDS = { [END.none]: "goes on", [END.finished]: "finished", [END.timed_out]: "timed out", [END.rejected]: "rejected", [END.cancelled]: "cancelled" };

/** @param {TraceModel} model @param {number} request @param {Span} span @returns {string} */
export function spanWords(model, request, span) {
  const { header, steps } = model;
  const parts = [`${model.requests.ids[request]}, ${KIND_WORDS[span.kind]}`];
  if (steps.count) parts.push(span.lastStep >= span.firstStep || span.open ? stepsWords(model, span) : "for no whole step");
  if (header.unit === "ns" || !steps.count) {
    const rest = span.open ? "and goes on" : `to ${exact(span.to, header.unit)}`;
    parts.push(`from ${exact(span.from, header.unit)} ${rest}, ${time(span.to - span.from, header.unit)} in all`);
  }
  if (span.tokens) parts.push(count(span.tokens, "token"));
  return `${parts.join("; ")}.`;
}

/** @param {TraceModel} model @param {Span} span */
function stepsWords({ steps }, { firstStep, lastStep, open }) {
  if (firstStep >= steps.count) return "since the last step";
  const first = number(steps.index[firstStep]);
  if (open) return `since step ${first}`;
  return firstStep === lastStep ? `step ${first}` : `steps ${first} to ${number(steps.index[lastStep])}`;
}

/** A time with all its digits. @param {number} at @param {string} unit */
export function exact(at, unit) {
  if (unit !== "ns") return number(at);
  return `${(at / 1e6).toLocaleString("en-GB", { maximumFractionDigits: 6 })} ms`;
}

/** What a request is, before its stretches. @param {TraceModel} model @param {number} request @returns {string} */
export function requestWords(model, request) {
  const { requests, header } = model;
  const arrived = requests.arrived[request];
  const parts = [Number.isNaN(arrived) ? "its arrival is lost" : `arrived at ${exact(arrived, header.unit)}`];
  if (!Number.isNaN(requests.promptTokens[request])) parts.push(`${count(requests.promptTokens[request], "prompt token")}, at most ${number(requests.maxTokens[request])} to answer`);
  if (requests.tenant[request]) parts.push(`tenant ${requests.tenant[request]}`);
  return `${requests.ids[request]}: ${parts.join("; ")}; ${endWords(model, request)}.`;
}

/** @param {TraceModel} model @param {number} request */
function endWords({ requests, header }, request) {
  const how = requests.end[request];
  if (how === END.none) return END_WORDS[how];
  const reason = requests.reason[request];
  const why = reason && how === END.rejected ? ` (${reason})` : "";
  return `${END_WORDS[how]}${why} at ${exact(requests.ended[request], header.unit)} after ${count(requests.outputTokens[request], "token")}`;
}

/** @param {TraceModel} model @returns {string} */
export function traceWords(model) {
  const { requests, steps, header } = model;
  const ends = Object.values(END).map((how) => {
    let num = 0;
    for (let request = 0; request < requests.count; request += 1) if (requests.end[request] === how) num += 1;
    return num ? `${number(num)} ${how === END.none ? (model.complete ? "never ended" : "still here") : END_WORDS[how]}` : "";
  });
  let preemptions = 0;
  for (let request = 0; request < requests.count; request += 1) preemptions += requests.preemptions[request];
  const size = steps.count ? `${count(requests.count, "request")} in ${count(steps.count, "step")}` : count(requests.count, "request");
  const length = header.unit === "ns" ? `, ${time(model.end, "ns")}` : "";
  const outcome = requests.count ? `: ${listing(ends.filter(Boolean))}` : "";
  const lost = preemptions ? ` ${capital(count(preemptions, "preemption"))}.` : "";
  const stalled = model.stalled ? ` Nothing can run any more: ${listing(model.stalled.requests.map((request) => requests.ids[request]), 6)} ${model.stalled.requests.length === 1 ? "waits" : "wait"} for ever.` : "";
  return `${size}${length}${outcome}.${lost}${stalled}`;
}

/** @param {TraceModel} model @param {unknown} _moment @param {{ request: number | null }} choice @returns {Words} */
export function words(model, _moment, { request }) {
  const { requests } = model;
  const { some, shown } = around(requests.count, request);
  const rows = some.map((each) => requestRow(model, each));
  const heads = ["request", "arrived", ...Object.values(KIND_WORDS), "end"];
  const tables = [{ caption: `Requests in the order of arrival${shown}`, heads, rows }];
  if (request !== null && request < requests.count) tables.push(spansTable(model, request));
  return { sentence: traceWords(model), tables };
}

/** As many requests as a table lists: those around the chosen one. @param {number} count @param {number | null} request @returns {{ some: number[], shown: string }} `shown`: which, where not all are */
export function around(count, request) {
  const most = Math.min(count, MOST_ROWS);
  const from = Math.min(Math.max(0, (request ?? 0) - MOST_ROWS / 2), count - most);
  const shown = most < count ? `, ${number(from + 1)} to ${number(from + most)} of ${number(count)} (choose one to see those around it)` : "";
  return { some: Array.from({ length: most }, (_, place) => from + place), shown };
}

/** @param {TraceModel} model @param {number} request @returns {string[]} */
function requestRow(model, request) {
  const { requests, header } = model;
  const all = spans(model, request);
  const sums = Object.keys(KIND_WORDS).map((kind) => {
    const of = all.filter((span) => span.kind === kind);
    if (!of.length) return "no";
    return time(of.reduce((sum, span) => sum + span.to - span.from, 0), header.unit);
  });
  const arrived = requests.arrived[request];
  return [requests.ids[request], Number.isNaN(arrived) ? "lost" : exact(arrived, header.unit), ...sums, endWords(model, request)];
}

/** @param {TraceModel} model @param {number} request */
function spansTable(model, request) {
  const { header, steps } = model;
  const rows = spans(model, request).map((span) => [
    KIND_WORDS[span.kind],
    exact(span.from, header.unit),
    span.open ? "goes on" : exact(span.to, header.unit),
    steps.count && (span.open || span.lastStep >= span.firstStep) ? stepsWords(model, span) : "none",
    number(span.tokens),
  ]);
  return { caption: `The stretches of ${model.requests.ids[request]}`, heads: ["what", "from", "to", "steps", "tokens"], rows };
}
