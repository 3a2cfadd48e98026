/**
 * A student's records as a file, and what taking such a file in would change. Pure.
 */
import { KINDS, checkRecord, same } from "./records.js";

/** @typedef {import("./records.js").Kind} Kind */
/** @typedef {import("./records.js").StoredRecord} StoredRecord */
/** @typedef {{ course: string, export: 1, records: StoredRecord[], aside: { key: string, text: string }[] }} Export */
/**
 * Items by `kind/id`: `added` weren't here, `updated` were older here, `kept` are newer here and stay,
 * `same` needed nothing, `refused` can't be read, `unwritten` couldn't be stored.
 * @typedef {{ added: string[], updated: string[], kept: string[], same: string[], refused: string[], unwritten: string[] }} ImportReport
 */

/** The field that holds a student's own words; what is written over there is worth keeping. @type {Partial<Record<Kind, string>>} */
export const WORDS = { note: "text", pause: "text", snippet: "code" };

/** @param {string} course @param {StoredRecord[]} records @param {{ key: string, text: string }[]} aside @returns {Export} */
export function pack(course, records, aside) {
  return { course, export: 1, records, aside };
}

/** @param {StoredRecord} winner @param {StoredRecord} loser @returns {StoredRecord} */
function keepWords(winner, loser) {
  const field = WORDS[winner.kind];
  if (!field || !loser.data[field] || winner.data[field] === loser.data[field]) return winner;
  const was = [{ at: loser.at, data: loser.data }, ...(winner.was ?? []), ...(loser.was ?? [])];
  return { ...winner, was: was.filter((one, i) => was.findIndex((other) => same(one, other)) === i) };
}

/** Whether the words of one record stand in another, or beside it. @param {StoredRecord} record @param {StoredRecord} other */
export function holdsWords(record, { kind, data }) {
  const field = WORDS[kind];
  return !field || !data[field] || [record, ...(record.was ?? [])].some((one) => one.data[field] === data[field]);
}

/** @typedef {Record<string, { passed?: boolean }>} Tasks */

/** A task passed here or there is passed. @param {StoredRecord} winner @param {StoredRecord} loser @returns {StoredRecord} */
function joinTasks(winner, loser) {
  const tasks = /** @type {Tasks} */ ({ ...Object(winner.data.tasks) });
  for (const [task, result] of Object.entries(/** @type {Tasks} */ (loser.data.tasks))) {
    if (!tasks[task] || (result?.passed && !tasks[task].passed)) tasks[task] = result;
  }
  return { ...winner, data: { ...winner.data, tasks } };
}

/** Every attempt at a check, here and there, counts once. @param {StoredRecord} winner @param {StoredRecord} loser @returns {StoredRecord} */
function joinTries(winner, loser) {
  const [mine, theirs] = [winner, loser].map(({ data }) => /** @type {{ at: number }[]} */ (data.tries ?? []));
  const missing = theirs?.filter((one) => !mine?.some((other) => same(one, other))) ?? [];
  if (missing.length === 0) return winner;
  const tries = [...(mine ?? []), ...missing].sort((a, b) => a.at - b.at);
  return { ...winner, data: { ...winner.data, tries } };
}

/** Two records of one item as one: the later, with what only the other had. @param {StoredRecord} here @param {StoredRecord} there @returns {StoredRecord} */
export function join(here, there) {
  const [winner, loser] = there.at > here.at ? [there, here] : [here, there];
  if (winner.kind === "lab") return joinTasks(winner, loser);
  return winner.kind === "check" ? joinTries(winner, loser) : keepWords(winner, loser);
}

/** The words for a file that can't be taken in. */
export class NotOurs extends Error {}

/**
 * @param {unknown} value @param {string} course
 * @returns {unknown[]} the records, unread
 */
function open(value, course) {
  const file = /** @type {Partial<Export> | null} */ (typeof value === "object" ? value : null);
  if (file?.course !== course || !Array.isArray(file.records)) throw new NotOurs("This file isn't work saved from this course.");
  if (file.export !== 1) throw new NotOurs("This file was saved by a newer version of the course. Reload the page, then try again.");
  return file.records;
}

/**
 * @param {string} course @param {unknown} value a parsed export
 * @param {(kind: Kind, id: string) => StoredRecord | null} get what is here
 * @returns {{ writes: StoredRecord[], report: ImportReport }}
 */
export function planImport(course, value, get) {
  /** @type {ImportReport} */
  const report = { added: [], updated: [], kept: [], same: [], refused: [], unwritten: [] };
  /** @type {Map<string, StoredRecord>} */
  const writes = new Map();
  for (const raw of open(value, course)) {
    const { kind, id } = /** @type {{ kind?: Kind, id?: string }} */ (Object(raw));
    const reading = kind && KINDS.includes(kind) && typeof id === "string" && id ? checkRecord(kind, id, raw) : null;
    if (!reading || !("record" in reading)) {
      report.refused.push(nameOf(kind, id));
      continue;
    }
    const there = reading.record;
    const name = nameOf(kind, id);
    const here = writes.get(name) ?? get(there.kind, there.id);
    const joined = here ? join(here, there) : there;
    const outcome = !here ? "added" : same(here.data, there.data) ? "same" : there.at > here.at ? "updated" : "kept";
    report[outcome].push(name);
    if (!here || (outcome !== "same" && !same(joined, here))) writes.set(name, joined);
  }
  return { writes: [...writes.values()], report };
}

/** @param {unknown} kind @param {unknown} id */
function nameOf(kind, id) {
  return typeof kind === "string" && typeof id === "string" ? `${kind}/${id}` : "an item without a name";
}
