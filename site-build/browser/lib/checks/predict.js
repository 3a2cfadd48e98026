/** A prediction; whatever it was, the code opens with what it printed, runs, and can be changed. */
import { ChoiceCheck } from "./choice.js";
import { NumberCheck } from "./number.js";
import { TextCheck } from "./text.js";

/** @typedef {import("./kinds.js").Check} Check */

/** How a prediction may be given. @type {Record<string, new (element: HTMLElement, id: string) => Check>} */
const ANSWERS = { choice: ChoiceCheck, number: NumberCheck, text: TextCheck };

/** @implements {Check} */
export class PredictCheck {
  #run;
  #prediction;

  /** @param {HTMLElement} element @param {string} id */
  constructor(element, id) {
    this.#run = /** @type {HTMLElement} */ (element.querySelector(".check-run"));
    const Prediction = ANSWERS[this.#run.dataset.answer ?? "choice"] ?? ChoiceCheck;
    this.#prediction = new Prediction(element, id);
  }

  /** @param {number} seed */
  arrange(seed) {
    this.#prediction.arrange(seed);
  }

  read() {
    return this.#prediction.read();
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const verdict = this.#prediction.judge(answer);
    return verdict && { ...verdict, opens: [this.#run] };
  }

  /** The prediction stands, so the code may run: it is asked for by an event, since elements don't know each other. */
  answered() {
    this.#run.querySelector("course-snippet")?.dispatchEvent(new CustomEvent("course-run"));
  }

  /** @param {string} answer */
  fill(answer) {
    this.#prediction.fill(answer);
  }

  clear() {
    this.#prediction.clear();
    this.#run.hidden = true;
  }
}
