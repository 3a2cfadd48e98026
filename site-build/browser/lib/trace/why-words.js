/** Reasons in words: each rule's sentence, filled with the facts that the engine wrote down. */
import { count, listing, number, rowsOf } from "./language.js";

/** @typedef {import("./language.js").Words} Words */
/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {string | number | boolean | null} Fact */
/** @typedef {{ rule: string, id: string, facts: Record<string, Fact> }} Reason */
/** @typedef {{ sentence: string, module: string, line: number, url: string }} Rule where a rule stands in the engine, and how it is told */
/** @typedef {Record<string, Rule>} Rules */
/** @typedef {{ text: string, id: string, rule: string, place: string, url: string }} Told */

export const HOW_TO_RECORD =
  "This trace has no reasons. The engine writes them down where it is asked to: run it again with record_why=True, " +
  "as in simulate(settings, requests, record_why=True).";
export const FROM_A_SERVER =
  "A server's own record has no reasons. Serve the same workload in the simulator, as in serve(settings, workload, cost, " +
  "record_why=True), and open the two side by side.";
export const BEFORE = "No step has run yet.";
export const NOTHING_DECIDED = "No rule had anything to decide in this step.";
export const NO_STEPS = "This trace has no steps: it knows when tokens came and not what the engine decided.";

/** @param {readonly Reason[]} reasons @param {Rules} rules @returns {Told[]} */
export function told(reasons, rules) {
  return reasons.map((reason) => {
    const rule = Object.hasOwn(rules, reason.rule) ? rules[reason.rule] : undefined;
    return {
      text: rule ? filled(rule.sentence, reason) : plain(reason),
      id: reason.id,
      rule: reason.rule,
      place: rule ? `${rule.module}, line ${rule.line}` : "",
      url: rule?.url ?? "",
    };
  });
}

/**
 * A sentence with its `{places}` filled: `{free:block}` with the noun, as in `3 blocks`. A fact that isn't there is said to be missing.
 * @param {string} sentence @param {Reason} reason
 */
export function filled(sentence, { id, facts }) {
  return sentence.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name, noun) => {
    if (name === "id") return id;
    const value = Object.hasOwn(facts, name) ? (facts[name] ?? null) : undefined;
    if (value === undefined) return `(no ${name})`;
    return noun && typeof value === "number" ? count(value, noun) : fact(value);
  });
}

/** What a rule without a sentence is worth: its name and its facts. @param {Reason} reason */
function plain({ rule, id, facts }) {
  const list = Object.entries(facts).map(([name, value]) => `${name} ${fact(value)}`);
  return `${id}: ${rule.replaceAll("_", " ")}${list.length ? `, with ${listing(list)}` : ""}.`;
}

/** @param {Fact} value */
function fact(value) {
  if (typeof value === "number") return Number.isInteger(value) ? number(value) : String(value);
  return value === null ? "none" : value === true ? "yes" : value === false ? "no" : value;
}

/** What stands where there is no reason to tell. @param {TraceModel} model @param {number} step */
export function silence(model, step) {
  if (!model.steps.count) return NO_STEPS;
  if (!model.knowsWhy) return model.header.source === "simulated" ? HOW_TO_RECORD : FROM_A_SERVER;
  return step < 0 ? BEFORE : NOTHING_DECIDED;
}

/** The rules as far as they have been read; `why.js` reads them. @type {{ known: Rules }} */
export const rules = { known: {} };

/** @param {TraceModel} model @param {{ step: number }} moment @returns {Words} */
export function words(model, { step }) {
  const list = told(step < 0 ? [] : model.why(step), rules.known);
  if (!list.length) return { sentence: silence(model, step), tables: [] };
  const rows = rowsOf(list, ({ id, text, place }) => [id, text, place || "not known"]);
  return {
    sentence: list.map(({ text }) => text).join(" "),
    tables: [{ caption: "Why: what decided this step", heads: ["request", "reason", "where the engine says so"], rows }],
  };
}
