/** What is kept of a check after an attempt. Pure: the record before goes in, the one after comes out. */
import { reviewed } from "../review.js";

/** @typedef {import("../review.js").Review} Review */
/**
 * @typedef {object} Try one attempt; `drew` names the answer where a class's answers are counted
 * @property {number} at
 * @property {string} hash
 * @property {string} answer
 * @property {boolean} correct
 * @property {number} seconds from the first touch to Check
 * @property {string} [drew]
 * @property {boolean} [unknown] the student said so
 * @property {string} [confidence]
 * @property {number} [variant]
 */
/**
 * @typedef {object} Answered
 * @property {string} hash
 * @property {string} answer
 * @property {string} [shown]
 * @property {boolean} correct
 * @property {number} attempts at what is asked now
 * @property {boolean} [unknown]
 * @property {string} [confidence]
 * @property {number} [variant] the one that the student sees now
 * @property {Try[]} [tries]
 * @property {Review} [review]
 * @property {{ hash: string, shown: string, correct: boolean, at: number }} [earlier] the last answer to an earlier version
 */

/** How many attempts are kept: the first, and the latest. */
const KEPT = 20;
/** So much of a long answer is kept with each of them; the latest is kept whole. */
const KEPT_LENGTH = 500;

/** @param {Try[]} tries */
const kept = (tries) => (tries.length > KEPT ? [/** @type {Try} */ (tries[0]), ...tries.slice(1 - KEPT)] : tries);

/**
 * @param {Answered | null} before
 * @param {Try & { shown: string }} attempt
 * @param {string[]} hashes those of all variants as they are now
 * @returns {Answered}
 */
export function attempted(before, { shown, ...attempt }, hashes) {
  const known = before && hashes.includes(before.hash) ? before : null;
  const earlier = before && !known ? earlierOf(before) : before?.earlier;
  const { hash, answer, correct, unknown, confidence, variant } = attempt;
  return {
    hash,
    answer,
    shown,
    correct,
    attempts: before?.hash === hash ? before.attempts + 1 : 1,
    ...(unknown ? { unknown } : {}),
    ...(confidence ? { confidence } : {}),
    ...(variant ? { variant } : {}),
    tries: kept([...(before?.tries ?? []), { ...attempt, answer: answer.slice(0, KEPT_LENGTH) }]),
    review: reviewed(known?.review ?? null, { at: attempt.at, correct }),
    ...(earlier ? { earlier } : {}),
  };
}

/** @param {Answered} before */
function earlierOf({ hash, shown, answer, correct, tries, earlier }) {
  return answer === "" ? earlier : { hash, shown: shown ?? answer, correct, at: tries?.at(-1)?.at ?? 0 };
}

/** Something written that can't be judged yet: kept, and no attempt. @param {Answered | null} before @param {{ hash: string, answer: string, shown: string }} draft @returns {Answered} */
export function drafted(before, { hash, answer, shown }) {
  return { ...(before ?? { attempts: 0 }), hash, answer, shown, correct: false, attempts: before?.hash === hash ? before.attempts : 0 };
}

/** The student asked for other numbers. @param {Answered | null} before @param {number} variant @param {string} hash @returns {Answered} */
export function renumbered(before, variant, hash) {
  return { ...(before ?? { hash, answer: "", correct: false, attempts: 0 }), variant };
}
