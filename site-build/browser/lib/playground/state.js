/** The playground's state and the part of an address that holds it. Pure. */
import { BY_NAME, FIELDS, VERSION } from "./fields.js";

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {number | string | boolean | null} Value */
/**
 * `incident` is the id of one that brings its own requests, `file` the name of a file that was open: with either, the
 * fields of the traffic say nothing.
 * @typedef {{ values: Record<string, Value>, incident: string, file: string }} State
 */

/** @returns {State} */
export function startState() {
  return { values: Object.fromEntries(FIELDS.map(({ name, start }) => [name, start])), incident: "", file: "" };
}

/** What a policy can't do without, where nobody gave it: a field and a value. @type {Record<string, [string, number]>} */
const NEEDS = { shortest: ["prediction_cv", 0.3], "shortest-ageing": ["prediction_cv", 0.3], deadline: ["deadline", 10] };

/**
 * The state with one value changed, and what follows from it: a burstiness is one of arrivals in bursts, and some
 * policies go by what a request has to say.
 * @param {State} state @param {string} name @param {Value} value @returns {State}
 */
export function withValue(state, name, value) {
  const values = { ...state.values, [name]: value };
  if (name === "burstiness" && value !== 1 && values.arrivals === "poisson") values.arrivals = "gamma";
  const [needed, given] = NEEDS[String(values.policy)] ?? [];
  if (name === "policy" && needed && given !== undefined && values[needed] === null) values[needed] = given;
  return { ...state, values };
}

/**
 * What a field's text says: a value, or what is wrong with it.
 * @param {Field} field @param {string} text @returns {{ value: Value } | { wrong: string }}
 */
export function parse(field, text) {
  if (field.kind === "choice") return field.choices?.some(([value]) => value === text) ? { value: text } : { wrong: expected(field) };
  if (field.kind === "flag") return text === "true" || text === "false" ? { value: text === "true" } : { wrong: expected(field) };
  if (text.trim() === "" && field.start === null) return { value: null };
  const number = text.trim() === "" ? NaN : Number(text);
  const fits = number >= (field.least ?? -Infinity) && number <= (field.most ?? Infinity);
  return fits && (field.kind === "number" || Number.isSafeInteger(number)) ? { value: number } : { wrong: expected(field) };
}

/** @param {Field} field */
function expected({ kind, choices, least, most }) {
  if (kind === "choice") return `give one of ${choices?.map(([value]) => value).join(", ")}`;
  if (kind === "flag") return "give true or false";
  const range = `from ${least?.toLocaleString("en")} to ${most?.toLocaleString("en")}`;
  return `give a ${kind === "whole" ? "whole number" : "number"} ${range}`;
}

/** The state as a fragment, without what is as it starts. @param {State} state */
export function fragmentOf({ values, incident, file }) {
  const parts = new URLSearchParams({ v: VERSION });
  if (incident) parts.set("incident", incident);
  if (file) parts.set("file", file);
  for (const { name, start } of FIELDS) if (values[name] !== start) parts.set(name, String(values[name] ?? ""));
  return `#${parts}`;
}

/** Whether a fragment names a place of the page, a heading, and holds no state. @param {string} fragment */
export const isAnchor = (fragment) => /^#[^=]+$/.test(fragment);

/**
 * The state that a fragment holds. What can't be taken is told, and stays as it starts.
 * @param {string} fragment @param {readonly string[]} incidents ids of those that bring their own requests
 * @returns {{ state: State, problems: string[] }}
 */
export function stateOf(fragment, incidents) {
  const state = startState();
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const version = parts.get("v");
  if (version === null) return { state, problems: [] };
  if (version !== VERSION) return { state, problems: [`This link is of version ${short(version)}, and this page reads version ${VERSION}; all settings are as they start.`] };
  /** @type {string[]} */
  const problems = [];
  for (const [name, text] of parts) {
    const problem = take(state, name, text, incidents);
    if (problem) problems.push(problem);
  }
  return { state, problems };
}

/** @param {State} state @param {string} name @param {string} text @param {readonly string[]} incidents @returns {string} a problem */
function take(state, name, text, incidents) {
  // The player keeps there where it stands.
  if (name === "v" || name === "moment") return "";
  if (name === "file") state.file = text.slice(0, 200);
  else if (name === "incident") {
    if (!incidents.includes(text)) return `incident is ${short(text)}, and there is none of that name; it is left out.`;
    state.incident = text;
  } else {
    const field = BY_NAME.get(name);
    if (!field) return `${short(name)} is nothing that the playground sets; it is left out.`;
    const found = parse(field, text);
    if ("wrong" in found) return `${name} is ${short(text)}; ${found.wrong}. It is ${field.start} now.`;
    state.values[name] = found.value;
  }
  return "";
}

/** @param {string} text */
const short = (text) => JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** @param {State} one @param {State} other */
export const isSame = (one, other) => fragmentOf(one) === fragmentOf(other);

/** Which fields differ: their labels with both values. @param {State} before @param {State} now @returns {string[]} */
export function changes(before, now) {
  const found = FIELDS.filter(({ name }) => before.values[name] !== now.values[name]).map(
    ({ name, label }) => `${label}: ${spoken(before.values[name])} → ${spoken(now.values[name])}`,
  );
  const source = (/** @type {State} */ { incident, file }) => file || incident || "drawn from the seed";
  return source(before) === source(now) ? found : [`Requests: ${source(before)} → ${source(now)}`, ...found];
}

/** @param {Value | undefined} value */
function spoken(value) {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" ? value.toLocaleString("en") : (value ?? "none");
}
