/**
 * What a stored record looks like, and whether a text is one. Pure: no storage, no clock.
 *
 * A record is one item of one student: `{ v, kind, id, at, data }`, and `was` where another tab's words
 * were written over and the student hasn't dealt with them yet.
 */

/** The schema that this code writes. A record with a higher one comes from a newer course. */
export const SCHEMA = 1;

/** @typedef {"note" | "bookmark" | "complete" | "check" | "pause" | "snippet" | "lab" | "visit" | "student"} Kind */
/** @typedef {{ [field: string]: unknown }} Data */
/** @typedef {{ at: number, data: Data }} Earlier */
/** `over` is the `at` of the record that this one was written over. @typedef {{ v: number, kind: Kind, id: string, at: number, data: Data, was?: Earlier[], over?: number }} StoredRecord */

/** Every kind with the type of each field that its data must have. @type {Record<Kind, Record<string, string>>} */
const SHAPES = {
  note: { text: "string" },
  bookmark: { label: "string" },
  complete: {},
  check: { hash: "string", answer: "string", correct: "boolean", attempts: "number" },
  pause: { hash: "string", text: "string", opened: "boolean" },
  snippet: { hash: "string", code: "string" },
  lab: { tasks: "object" },
  visit: { lesson: "string", heading: "string" },
  student: { seed: "number" },
};

/** Fields that may be left out, with their type where they aren't. @type {Partial<Record<Kind, Record<string, string>>>} */
const OPTIONAL = {
  check: { shown: "string", unknown: "boolean", confidence: "string", variant: "number", tries: "attempts", review: "review", earlier: "object" },
};

/** So many levels an honest record never has; what goes down the levels of one can't be led too deep. */
const DEEPEST = 16;

/** The last millisecond that a `Date` can name: a later time couldn't be shown. */
const LAST_MS = 8.64e15;

export const KINDS = /** @type {Kind[]} */ (Object.keys(SHAPES));

/** @param {unknown} value @returns {value is { [field: string]: unknown }} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
const isTime = (value) => typeof value === "number" && Math.abs(value) <= LAST_MS;

/** @param {unknown} value @returns {boolean} */
function isShallow(value, left = DEEPEST) {
  return typeof value !== "object" || value === null || (left > 0 && Object.values(value).every((one) => isShallow(one, left - 1)));
}

/** @param {unknown} value @param {string} type */
function isOf(value, type) {
  if (type === "attempts") return Array.isArray(value) && value.every((one) => isObject(one) && isTime(one.at));
  if (type === "review") return isObject(value) && typeof value.step === "number" && (value.due === null || isTime(value.due));
  return type === "object" ? isObject(value) : typeof value === type;
}

/** The time of a write after one at `at`, if the clock says `now`: later, even where the clock went back. @param {number} now @param {number} at */
export const timeAfter = (now, at) => Math.min(Math.max(now, at + 1), LAST_MS);

/** Is this the data of such a kind? @param {Kind} kind @param {unknown} data @returns {data is Data} */
export function isData(kind, data) {
  return (
    isObject(data) &&
    Object.entries(SHAPES[kind]).every(([field, type]) => isOf(data[field], type)) &&
    Object.entries(OPTIONAL[kind] ?? {}).every(([field, type]) => data[field] === undefined || isOf(data[field], type))
  );
}

/** @param {unknown} was @returns {was is Earlier[] | undefined} */
function isHistory(was) {
  return (
    was === undefined ||
    (Array.isArray(was) && was.every((one) => isObject(one) && isTime(one.at) && isObject(one.data)))
  );
}

/**
 * @param {string} course @param {string} key
 * @returns {{ kind: Kind, id: string } | null} null for a key that is none of ours
 */
export function readKey(course, key) {
  if (!key.startsWith(course + "/")) return null;
  const rest = key.slice(course.length + 1);
  const slash = rest.indexOf("/");
  const kind = /** @type {Kind} */ (rest.slice(0, slash));
  return slash > 0 && rest.length > slash + 1 && KINDS.includes(kind) ? { kind, id: rest.slice(slash + 1) } : null;
}

/** @typedef {{ record: StoredRecord } | { newer: number } | { broken: string }} Reading */

/** The record that a value stands for, or why it is none. @param {Kind} kind @param {string} id @param {unknown} value @returns {Reading} */
export function checkRecord(kind, id, value) {
  if (!isObject(value)) return { broken: "it is no record" };
  if (typeof value.v === "number" && value.v > SCHEMA) return { newer: value.v };
  if (value.v !== SCHEMA) return { broken: "it has no version" };
  if (value.kind !== kind || value.id !== id) return { broken: "it names another item" };
  if (!isTime(value.at)) return { broken: "it has no time" };
  if (!isShallow(value)) return { broken: "it holds too much within itself" };
  if (!isData(kind, value.data) || !isHistory(value.was)) return { broken: `its data aren't those of a ${kind}` };
  return { record: /** @type {StoredRecord} */ (/** @type {unknown} */ (value)) };
}

/** @param {Kind} kind @param {string} id @param {string} text @returns {Reading} */
export function readRecord(kind, id, text) {
  try {
    return checkRecord(kind, id, JSON.parse(text));
  } catch {
    return { broken: "it isn't JSON" };
  }
}

/** Equal as stored, whatever the order of their fields. @param {unknown} a @param {unknown} b @returns {boolean} */
export function same(a, b) {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => same(one, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const fields = Object.keys(a);
  return fields.length === Object.keys(b).length && fields.every((field) => field in b && same(a[field], b[field]));
}

/**
 * Does a change concern this item? A change of everything does.
 * @param {{ kind: Kind | null, id: string | null }} change @param {Kind} kind @param {string} [id] any, if not given
 */
export function concerns(change, kind, id) {
  return change.kind === null || (change.kind === kind && (id === undefined || change.id === id));
}
