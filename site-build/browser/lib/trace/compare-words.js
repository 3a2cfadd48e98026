/** Two traces against each other, in words. A is the first of the two. */
import { hasOtherNumbers } from "./block-names.js";
import { bothHaveSteps, differingSteps, firstDifference } from "./compare-facts.js";
import { statistics } from "./compare-statistics.js";
import { count, figures, listing, number, ranges, share, time } from "./language.js";
import { around } from "./timeline-words.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./compare-facts.js").Difference} Difference */
/** @typedef {import("./compare-statistics.js").Statistic} Statistic */
/** @typedef {import("./language.js").Words} Words */

export const SAME = "The two traces are the same.";
const ALONE = "There is only one trace here.";

/** @param {TraceModel} a @param {TraceModel} b @param {Difference | null} found @returns {string} */
export function differenceWords(a, b, found) {
  if (!found) return SAME;
  const { left, right, id } = found;
  const where = found.a >= 0 || found.b >= 0 ? `In step ${number(found.a >= 0 ? a.steps.index[found.a] : b.steps.index[found.b])} ` : "";
  const blocks = (/** @type {string[]} */ list) => (list.length ? `${list.length === 1 ? "block" : "blocks"} ${listing(list, 8)}` : "no block");
  const nobody = (/** @type {string[]} */ list) => (list.length ? listing(list, 8) : "nobody");
  switch (found.aspect) {
    case "workload": return id
      ? `The workloads differ: ${id} has ${count(Number(left[0]), "prompt token")} in A and ${number(Number(right[0]))} in B.`
      : `The workloads differ: ${[left.length && `only A has ${listing(left, 6)}`, right.length && `only B has ${listing(right, 6)}`].filter(Boolean).join("; ")}.`;
    case "rows": return `${where}${[left.length && `only A runs ${listing(left, 6)}`, right.length && `only B runs ${listing(right, 6)}`].filter(Boolean).join(", and ")}.`;
    case "order": return `${where}A and B run the same requests in another order: ${listing(left, 8)} in A, ${listing(right, 8)} in B.`;
    case "tokens": return `${where}${id} gets ${count(Number(left[0]), "token")} in A and ${number(Number(right[0]))} in B.`;
    case "computed": return `${where}${id} had ${count(Number(left[0]), "token")} computed in A and ${number(Number(right[0]))} in B.`;
    case "preempted": return `${where}A preempts ${nobody(left)}, and B ${nobody(right)}.`;
    case "hits": return `${where}${id} joins ${blocks(left)} of the cache in A, and ${blocks(right)} in B.`;
    case "blocks": return `${where}${id} takes ${blocks(left)} in A, and ${blocks(right)} in B.`;
    case "evicted": return `${where}A evicts ${blocks(left)}, and B ${blocks(right)}.`;
    case "missing": return `A's next step is ${left[0]}, and B's is ${right[0]}: the other was idle then.`;
    case "ended": return `${found.a >= 0 ? "A" : "B"} goes on with step ${number(found.a >= 0 ? a.steps.index[found.a] : b.steps.index[found.b])}, where ${found.a >= 0 ? "B" : "A"} has ended.`;
    case "time": return `A and B decide the same in every step. ${where}their times part: it ${id === "at" ? "begins at" : "lasts"} ${time(Number(left[0]), a.header.unit)} in A and ${time(Number(right[0]), b.header.unit)} in B.`;
    case "first": return `${id} gets its first token after ${time(Number(left[0]), a.header.unit)} in A and after ${time(Number(right[0]), b.header.unit)} in B.`;
    case "end": return `${id} ends otherwise: ${left[0].replace("_", " ")} with ${count(Number(left[1]), "token")} in A, ${right[0].replace("_", " ")} with ${number(Number(right[1]))} in B.`;
  }
}

/** What can't be compared, and why. @param {TraceModel} a @param {TraceModel} b @returns {string} "" where all can */
export function limitsWords(a, b) {
  const told = [];
  const who = a.steps.count ? "B has" : b.steps.count ? "A has" : "Both have";
  if (!bothHaveSteps(a, b)) told.push(`${who} no steps, so requests are compared and not decisions.`);
  if (a.header.unit !== b.header.unit) told.push("One counts time in steps and the other in nanoseconds, so times can't be compared.");
  if (bothHaveSteps(a, b) && hasOtherNumbers(a, b)) told.push("The server had served before, so its blocks have other numbers: they are matched by when each is first handed out.");
  return told.join(" ");
}

/** @param {TraceModel} a @param {TraceModel} b @returns {import("./language.js").Table} */
export function statisticsTable(a, b) {
  const comparable = a.header.unit === b.header.unit;
  const rows = statistics(a, b).map((one) => [one.name, valueWords(one, one.a, a), valueWords(one, one.b, b), one.kind === "time" && !comparable ? "not comparable" : changeWords(one)]);
  return { caption: "A and B in numbers", heads: ["statistic", "A", "B", "B against A"], rows };
}

/** @param {Statistic} statistic @param {number} value @param {TraceModel} model */
function valueWords({ kind }, value, { header }) {
  if (Number.isNaN(value)) return "not known";
  return kind === "time" ? time(value, header.unit) : kind === "share" ? share(value) : number(value);
}

/** @param {Statistic} statistic */
function changeWords({ kind, a, b }) {
  const change = b - a;
  if (Number.isNaN(change)) return "not known";
  if (change === 0) return "the same";
  const sign = change > 0 ? "+" : "−";
  if (kind === "share") return `${sign}${figures(Math.round(Math.abs(change) * 1000) / 10)} points`;
  if (!a) return `${sign}${figures(Math.abs(change))}`;
  const percent = Math.abs(change / a) * 100;
  return percent >= 1000 ? `${figures(b / a)} times` : `${sign}${figures(percent >= 10 ? Math.round(percent) : Math.round(percent * 10) / 10)} %`;
}

/** @param {TraceModel} model @param {unknown} _moment @param {{ request: number | null } | null} choice @param {TraceModel | null} [other] @returns {Words} */
export function words(model, _moment, choice, other) {
  if (!other) return { sentence: ALONE, tables: [] };
  const found = firstDifference(model, other);
  const sentence = [`A is ${nameWords(model)}, B is ${nameWords(other)}.`, found ? `First difference: ${differenceWords(model, other, found)}` : SAME, stepsWords(model, other), limitsWords(model, other)];
  return { sentence: sentence.filter(Boolean).join(" "), tables: [statisticsTable(model, other), requestsTable(model, other, choice?.request ?? null)] };
}

/** Which steps are marked in the strip. @param {TraceModel} a @param {TraceModel} b @returns {string} "" where none is */
function stepsWords(a, b) {
  if (!bothHaveSteps(a, b)) return "";
  const { index } = (a.steps.count < b.steps.count ? b : a).steps;
  const steps = Array.from(differingSteps(a, b).entries()).filter(([, differs]) => differs).map(([step]) => index[step]);
  return steps.length ? `Other requests or other tokens run in ${steps.length === 1 ? "step" : "steps"} ${ranges(steps)}.` : "";
}

/** @param {TraceModel} model */
export function nameWords({ header }) {
  return `${header.name} (${header.source})`;
}

/** @param {TraceModel} a @param {TraceModel} b @param {number | null} request the chosen one, of A @returns {import("./language.js").Table} */
function requestsTable(a, b, request) {
  const at = (/** @type {TraceModel} */ model, /** @type {number | undefined} */ request, /** @type {"first" | "ended"} */ name) => {
    const value = request === undefined ? NaN : model.requests[name][request] - model.requests.arrived[request];
    return Number.isNaN(value) ? "never" : time(value, model.header.unit);
  };
  const { some, shown } = around(a.requests.count, request);
  const rows = some.map((k) => {
    const id = a.requests.ids[k];
    const j = b.requests.index.get(id);
    return [id, at(a, k, "first"), at(b, j, "first"), at(a, k, "ended"), at(b, j, "ended")];
  });
  return { caption: `Each request in A and B, counted from its arrival${shown}`, heads: ["request", "first token in A", "in B", "end in A", "in B"], rows };
}
