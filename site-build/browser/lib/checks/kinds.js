/** The kinds of knowledge check. A new kind: one file, one line here. */
import { ChoiceCheck } from "./choice.js";
import { ExplainCheck } from "./explain.js";
import { GridCheck } from "./grid.js";
import { MultiCheck } from "./multi.js";
import { NumberCheck } from "./number.js";
import { OrderCheck } from "./order.js";
import { PredictCheck } from "./predict.js";
import { TextCheck } from "./text.js";

/** What the student's answer is, as it is stored and in words; or what is missing. */
/** @typedef {{ answer: string, shown: string } | { refused: string }} Reading */
/** @typedef {"right" | "wrong" | "missed"} State */
/**
 * @typedef {object} Verdict
 * @property {boolean} correct
 * @property {{ place: HTMLElement, state: State }[]} marks what is marked, and how
 * @property {{ words: HTMLElement, field: HTMLElement | null }[]} said words for this answer, and the control that they describe
 * @property {string} [summary] a sentence in place of the common one
 * @property {string} [drew] what this answer is called where a class's answers are counted, if not by itself
 * @property {boolean} [open] there is nothing to judge yet: the student has to say more
 * @property {HTMLElement[]} [opens] what may be seen from now on, until the student starts over
 */
/**
 * @typedef {object} Check
 * @property {(seed: number) => void} arrange
 * @property {() => Reading} read
 * @property {(answer: string) => Verdict | null} judge null where this version doesn't know the answer
 * @property {(answer: string) => void} fill
 * @property {() => void} clear
 * @property {() => void} [answered] what follows when the student has just answered, and not when an old answer is shown
 */

/** @type {Record<string, new (element: HTMLElement, id: string) => Check>} */
const KINDS = {
  choice: ChoiceCheck,
  multi: MultiCheck,
  number: NumberCheck,
  order: OrderCheck,
  grid: GridCheck,
  text: TextCheck,
  explain: ExplainCheck,
  predict: PredictCheck,
};

/** @param {HTMLElement} element @param {string} id @param {string} [kind] @returns {Check} */
export function checkOf(element, id, kind = element.dataset.kind ?? "") {
  const Kind = KINDS[kind];
  if (!Kind) throw new Error(`check "${id}": no kind is called "${kind}"; there are ${Object.keys(KINDS).join(", ")}`);
  return new Kind(element, id);
}
