/** How sure the student is, asked before they see what is right. */
import { make } from "../dom.js";

/** @typedef {"guess" | "fair" | "sure"} Confidence */

/** @type {Record<Confidence, string>} */
export const CONFIDENCE = { guess: "A guess", fair: "Fairly sure", sure: "Certain" };

const TEXT = {
  ask: "How sure are you?",
  missing: "Say first how sure you are. It is only for you.",
};

export class ConfidenceField {
  missing = TEXT.missing;
  #inputs;
  node;

  /** @param {string} id the check's */
  constructor(id) {
    const levels = /** @type {Confidence[]} */ (Object.keys(CONFIDENCE));
    this.#inputs = levels.map((level) => make("input", { type: "radio", name: `${id}-confidence`, value: level }));
    const labels = this.#inputs.map((input, at) => make("label", {}, input, " ", CONFIDENCE[/** @type {Confidence} */ (levels[at])]));
    this.node = make("fieldset", { class: "check-confidence" }, make("legend", {}, TEXT.ask), ...labels);
  }

  /** @returns {string | null} */
  get value() {
    return this.#inputs.find((input) => input.checked)?.value ?? null;
  }

  set value(value) {
    for (const input of this.#inputs) input.checked = input.value === value;
  }
}
