/** What a student's answers say of themselves: accuracy, confidence against correctness, what is due. Pure. */
import { dueRecords } from "./review.js";

/** @typedef {import("./course-map.js").CourseMap} CourseMap */
/** @typedef {import("./records.js").StoredRecord} StoredRecord */
/** @typedef {import("./checks/attempt.js").Answered} Answered */
/** @typedef {import("./checks/attempt.js").Try} Try */
/** @typedef {{ id: string, kind: string, title: string, url: string, lesson: string, record: StoredRecord | null }} Placed */
/**
 * @typedef {object} AnswerFacts
 * @property {number} all checks in the course
 * @property {number} answered
 * @property {number} first right at the first try
 * @property {number} now right at the latest
 * @property {{ level: string, answered: number, right: number }[]} confidence first tries that said how sure, by level
 */

/** Every check of the course with its record, found by its id or by the one that it had before. @param {CourseMap} map @param {(id: string) => StoredRecord | null} get @returns {Placed[]} */
export function placedChecks(map, get) {
  return map.lessons.flatMap((lesson) =>
    lesson.checks.map(({ id, title, kind = "", alias }) => ({
      id,
      kind,
      title,
      lesson: lesson.id,
      url: `${lesson.url}#check-${id}`,
      record: get(id) ?? (alias ? get(alias) : null),
    })),
  );
}

/** The attempts of a record; an old record without a list of them has one. @param {StoredRecord} record @returns {Try[]} */
export function triesOf({ at, data }) {
  const { tries, hash, answer, correct, attempts } = /** @type {Answered} */ (/** @type {unknown} */ (data));
  if (tries) return tries;
  return attempts > 0 ? [{ at, hash, answer, correct, seconds: 0 }] : [];
}

/** @param {Placed[]} placed @param {string[]} levels @returns {AnswerFacts} */
export function answerFacts(placed, levels) {
  const tried = placed.flatMap(({ record }) => (record && triesOf(record).length ? [{ record, tries: triesOf(record) }] : []));
  const firsts = tried.map(({ tries }) => /** @type {Try} */ (tries[0]));
  return {
    all: placed.length,
    answered: tried.length,
    first: firsts.filter((one) => one.correct).length,
    now: tried.filter(({ record }) => record.data.correct).length,
    confidence: levels.map((level) => {
      const said = firsts.filter((one) => one.confidence === level);
      return { level, answered: said.length, right: said.filter((one) => one.correct).length };
    }),
  };
}

/** What is due, oldest first, with the address that asks it anew. @param {Placed[]} placed @param {number} now @returns {{ title: string, url: string, since: number }[]} */
export function dueChecks(placed, now) {
  const records = placed.flatMap(({ record, ...place }) => (record ? [{ ...place, data: record.data }] : []));
  return dueRecords(records, now).map(({ id, title, url, data }) => ({
    title,
    url: url.replace("#", `?review=${id}#`),
    since: Number(/** @type {import("./review.js").Review} */ (data.review).due),
  }));
}
