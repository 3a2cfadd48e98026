/**
 * Which fields a line of a trace has: the schema of `engine/trace_format.py`, and what the live link adds to it.
 * A test holds the two against each other. Nothing is guessed: an unknown field, a missing one and a value of
 * the wrong kind are refused.
 */
import { TraceProblem, brief } from "./problem.js";

/** @typedef {{ holds: (value: any) => boolean, words: string, optional?: true }} Field */

/** The highest id that a block may have, so that a map of all blocks fits into memory. */
export const MOST_BLOCKS = 2 ** 24;
const MOST_TOKENS = 2 ** 31 - 1;

const isText = (/** @type {any} */ value) => typeof value === "string";
const isCount = (/** @type {any} */ value) => Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS;
const isObject = (/** @type {any} */ value) => value !== null && typeof value === "object" && !Array.isArray(value);

const TIME = { holds: (/** @type {any} */ value) => Number.isSafeInteger(value) && value >= 0, words: "a whole number, 0 or more" };
const COUNT = { holds: isCount, words: "a whole number, 0 or more" };
const WHOLE = { holds: Number.isSafeInteger, words: "a whole number" };
const TEXT = { holds: isText, words: "a text" };
const TEXT_OR_NONE = { holds: (/** @type {any} */ value) => value === null || isText(value), words: "a text or null" };
const STEP_OR_NONE = { holds: (/** @type {any} */ value) => value === null || isCount(value), words: "a whole number or null" };
const TIME_OR_NONE = { holds: (/** @type {any} */ value) => value === null || TIME.holds(value), words: "a time or null" };
const FACTS = { holds: isObject, words: "an object" };
const LIST = { holds: Array.isArray, words: "an array" };
const TRUTH = { holds: (/** @type {any} */ value) => typeof value === "boolean", words: "true or false" };

/** @param {string[]} choices @returns {Field} */
const oneOf = (...choices) => ({ holds: (value) => choices.includes(value), words: `one of ${choices.join(", ")}` });
/** @param {Field} field @returns {Field} */
const may = (field) => ({ ...field, optional: true });

/** @type {Record<string, Field>} */
export const HEADER = {
  format: oneOf("inside-the-batch.trace"),
  schema: { holds: (value) => value === 1, words: "1, the version that this player reads" },
  name: TEXT,
  source: oneOf("simulated", "recorded", "live"),
  unit: may(oneOf("step", "ns")),
  settings: may(FACTS),
  seed: may({ holds: (value) => value === null || Number.isInteger(value), words: "a whole number or null" }),
  about: may(TEXT),
  holds_prompts: may(TRUTH),
};

/** The records of a trace, by the name of their event. @type {Record<string, Record<string, Field>>} */
export const EVENTS = {
  arrived: {
    ...{ at: TIME, id: TEXT, num_prompt_tokens: COUNT, max_tokens: COUNT },
    ...{ priority: may(WHOLE), cache_salt: may(TEXT_OR_NONE), tenant: may(TEXT), block_names: may(LIST), prompt_token_ids: may(LIST) },
  },
  admitted: { at: TIME, id: TEXT, step: may(STEP_OR_NONE), num_cached_tokens: may(COUNT) },
  step: {
    ...{ step: COUNT, at: TIME, duration: may(TIME), rows: may(LIST) },
    ...{ preempted: may(LIST), evicted: may(LIST), why: may(LIST) },
    // Of a recording; no view draws them.
    ...{ planned: may(TIME_OR_NONE), filled: may(LIST) },
  },
  first_token: { at: TIME, id: TEXT, step: may(STEP_OR_NONE) },
  tokens: { at: TIME, id: TEXT, num_tokens: may(COUNT) },
  finished: { at: TIME, id: TEXT, reason: oneOf("length", "stop"), num_output_tokens: COUNT, step: may(STEP_OR_NONE) },
  timed_out: { at: TIME, id: TEXT, num_output_tokens: may(COUNT), step: may(STEP_OR_NONE) },
  rejected: { at: TIME, id: TEXT, reason: TEXT },
  cancelled: { at: TIME, id: TEXT, num_output_tokens: may(COUNT), step: may(STEP_OR_NONE) },
  stalled: { at: TIME, ids: LIST },
};

/** What a live link tells besides: a stretch that was lost, how it ended, and what no view draws. */
export const LINK_EVENTS = new Set(["gap", "end", "metrics", "lateness", "kv"]);

/** @type {Record<string, Field>} */
const GAP = { from: TIME, to: TIME, lost: may(COUNT) };

/** The fields of a row. */
export const ROW = ["id", "num_scheduled_tokens", "num_computed_tokens", "kind", "new_blocks", "hit_blocks"];
/** The kinds of a row, in the order of their codes. */
export const ROW_KINDS = ["running", "new", "resumed"];

/** @param {any} value @param {Record<string, Field>} fields */
function checkFields(value, fields) {
  for (const name in value) {
    const field = Object.hasOwn(fields, name) ? fields[name] : name === "lane" ? TEXT : undefined;
    if (field) {
      if (!field.holds(value[name])) throw new TraceProblem(name, brief(value[name]), field.words);
    } else if (name !== "event") {
      throw new TraceProblem(name, brief(value[name]), `none but the fields ${Object.keys(fields).join(", ")}`);
    }
  }
  for (const name in fields) {
    if (!fields[name].optional && value[name] === undefined) throw new TraceProblem(name, "nothing", fields[name].words);
  }
}

/** @param {any} value the first line of a trace */
export function checkHeader(value) {
  if (!isObject(value)) throw new TraceProblem("", brief(value), "a trace's header, a JSON object on one line");
  for (const name of ["format", "schema"]) {
    if (!HEADER[name].holds(value[name])) throw new TraceProblem(name, brief(value[name]), HEADER[name].words);
  }
  checkFields(value, HEADER);
}

/** A record's shape, but for the rows of a step, which are checked as they are read. @param {any} value */
export function checkRecord(value) {
  if (!isObject(value)) throw new TraceProblem("", brief(value), "a JSON object on one line");
  const fields = Object.hasOwn(EVENTS, value.event) ? EVENTS[value.event] : undefined;
  if (fields) checkFields(value, fields);
  else if (value.event === "gap") checkFields(value, GAP);
  else if (value.event === "end") checkFields(value, { complete: TRUTH, why: may(TEXT_OR_NONE), at: may(TIME) });
  else if (!LINK_EVENTS.has(value.event)) {
    throw new TraceProblem("event", brief(value.event), `one of ${Object.keys(EVENTS).join(", ")}`);
  }
}

/** @param {any} row @param {number} place of the row in its step */
export function checkRow(row, place) {
  const where = `rows[${place}]`;
  if (!Array.isArray(row) || row.length < 3 || row.length > 6) {
    throw new TraceProblem(where, brief(row), `an array of 3 to 6: ${ROW.join(", ")}`);
  }
  if (!isText(row[0])) throw new TraceProblem(`${where}.id`, brief(row[0]), TEXT.words);
  if (!isCount(row[1])) throw new TraceProblem(`${where}.num_scheduled_tokens`, brief(row[1]), COUNT.words);
  if (!isCount(row[2])) throw new TraceProblem(`${where}.num_computed_tokens`, brief(row[2]), COUNT.words);
  if (row.length === 3) return;
  if (!ROW_KINDS.includes(row[3])) throw new TraceProblem(`${where}.kind`, brief(row[3]), `one of ${ROW_KINDS.join(", ")}`);
  if (row.length > 4) checkBlocks(row[4], `${where}.new_blocks`);
  if (row.length > 5) checkBlocks(row[5], `${where}.hit_blocks`);
}

/** @param {any} blocks @param {string} where */
export function checkBlocks(blocks, where) {
  if (!Array.isArray(blocks)) throw new TraceProblem(where, brief(blocks), "an array of blocks");
  const wrong = blocks.findIndex((block) => !isCount(block) || block >= MOST_BLOCKS);
  if (wrong >= 0) throw new TraceProblem(`${where}[${wrong}]`, brief(blocks[wrong]), `a block's id, from 0 to ${MOST_BLOCKS - 1}`);
}

/** @param {any} reason @param {number} place */
export function checkReason(reason, place) {
  const known = Array.isArray(reason) && isText(reason[0]) && isText(reason[1]) && reason.length <= 3;
  if (!known || (reason.length > 2 && !isObject(reason[2]))) {
    throw new TraceProblem(`why[${place}]`, brief(reason), "an array of a rule, a request's id and an object of facts");
  }
}
