/** A student's results for a class: what they chose to put in, and words that say what it is. Pure. */
import { triesOf } from "./check-facts.js";

export const FORMAT = "course-results";

/** What may be left out. @typedef {{ answers: boolean, confidence: boolean, times: boolean }} Choice */
/** @typedef {{ at?: number, correct: boolean, hash: string, answer?: string, drew?: string, unknown?: boolean, confidence?: string, seconds?: number, variant?: number }} Told */
/** @typedef {{ id: string, kind: string, title: string, lesson: string, tries: Told[] }} Result */
/** @typedef {{ format: string, version: 1, course: string, name: string, about: string[], checks: Result[] }} Results */

const ABOUT = {
  always: "The checks that were answered: which, how often, and whether each try was right.",
  answers: "What was answered in each try, words that were written included.",
  confidence: "How sure the student said they were.",
  times: "When each try was, and how many seconds it took from the first touch to Check.",
  never: "Notes, bookmarks, pauses and code are not in this file.",
};

/** @param {Choice} choice @returns {string[]} */
export function aboutOf(choice) {
  const chosen = /** @type {(keyof Choice)[]} */ (["answers", "confidence", "times"]).filter((part) => choice[part]);
  return [ABOUT.always, ...chosen.map((part) => ABOUT[part]), ABOUT.never];
}

/** @param {import("./checks/attempt.js").Try} one @param {Choice} choice @returns {Told} */
function toldOf({ at, correct, hash, answer, drew, unknown, confidence, seconds, variant }, choice) {
  return {
    correct,
    hash,
    ...(variant ? { variant } : {}),
    ...(unknown ? { unknown } : {}),
    ...(choice.answers ? { answer, ...(drew ? { drew } : {}) } : {}),
    ...(choice.confidence && confidence ? { confidence } : {}),
    ...(choice.times ? { at, seconds } : {}),
  };
}

/**
 * @param {string} course @param {import("./check-facts.js").Placed[]} placed @param {Choice} choice @param {string} name as the student gives it
 * @returns {Results}
 */
export function packResults(course, placed, choice, name) {
  const checks = placed.flatMap(({ id, kind, title, lesson, record }) => {
    const tries = record ? triesOf(record).map((one) => toldOf(one, choice)) : [];
    return tries.length ? [{ id, kind, title, lesson, tries }] : [];
  });
  return { format: FORMAT, version: 1, course, name: name.trim(), about: aboutOf(choice), checks };
}
