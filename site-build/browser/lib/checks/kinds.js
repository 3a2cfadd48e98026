/** The kinds of knowledge check. A new kind: one file, one line here. */
import { ChoiceCheck } from "./choice.js";
import { NumberCheck } from "./number.js";

/** What the student's answer is, as it is stored and in words; or what is missing. */
/** @typedef {{ answer: string, shown: string } | { refused: string }} Reading */
/** `feedback` holds words for this answer, `field` is what they describe, `place` is what is marked. */
/** @typedef {{ correct: boolean, feedback: HTMLElement | null, field: HTMLInputElement, place: HTMLElement }} Verdict */
/**
 * @typedef {object} Check
 * @property {(seed: number) => void} arrange
 * @property {() => Reading} read
 * @property {(answer: string) => Verdict | null} judge null where this version doesn't know the answer
 * @property {(answer: string) => void} fill
 * @property {() => void} clear
 */

/** @type {Record<string, new (element: HTMLElement, id: string) => Check>} */
const KINDS = { choice: ChoiceCheck, number: NumberCheck };

/** @param {HTMLElement} element @param {string} id @returns {Check} */
export function checkOf(element, id) {
  const Kind = KINDS[element.dataset.kind ?? ""];
  if (!Kind) throw new Error(`check "${id}": no kind is called "${element.dataset.kind}"; there are ${Object.keys(KINDS).join(", ")}`);
  return new Kind(element, id);
}
