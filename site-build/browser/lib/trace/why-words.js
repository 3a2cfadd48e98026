/** Reasons in words: each rule's sentence, filled with the facts that the engine wrote down. */
import { count, listing, number } from "./language.js";

/** @typedef {import("./language.js").Words} Words */
/** @typedef {string | number | boolean | null} Fact */
/** @typedef {{ rule: string, id: string, facts: Record<string, Fact> }} Reason */
/** @typedef {{ sentence: string, module: string, line: number, url: string }} Rule where a rule stands in the engine, and how it is told */
/** @typedef {Record<string, Rule>} Rules */
/** @typedef {{ text: string, id: string, rule: string, place: string, url: string }} Told */

export const HOW_TO_RECORD =
  "This trace has no reasons. The engine writes them down where it is asked to: run it again with record_why=True, " +
  "as in simulate(settings, requests, record_why=True).";
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

/** What stands where there is no reason to tell. @param {{ steps: { count: number } }} model @param {boolean} recorded whether any step has reasons */
export function silence(model, recorded) {
  return !model.steps.count ? NO_STEPS : recorded ? NOTHING_DECIDED : HOW_TO_RECORD;
}

/** @param {readonly Told[]} list @param {string} without what to say of an empty list @returns {Words} */
export function words(list, without) {
  if (!list.length) return { sentence: without, tables: [] };
  const rows = list.map(({ id, text, place }) => [id, text, place || "not known"]);
  return {
    sentence: list.map(({ text }) => text).join(" "),
    tables: [{ caption: "Why: what decided this step", heads: ["request", "reason", "where the engine says so"], rows }],
  };
}
