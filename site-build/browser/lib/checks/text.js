/** A few words, compared without case and punctuation, or with a pattern. */
import { normalise } from "./normalise.js";
import { judgeField } from "./spoken.js";

const TEXT = {
  nothing: "Write a few words first.",
};

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class TextCheck {
  #element;
  #input;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#input = /** @type {HTMLInputElement} */ (element.querySelector(".check-text input"));
  }

  arrange() {}

  /** @returns {import("./kinds.js").Reading} */
  read() {
    const text = this.#input.value.trim();
    return normalise(text) ? { answer: text, shown: text } : { refused: TEXT.nothing };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const words = normalise(answer);
    if (!words) return null;
    const verdict = judgeField(this.#element, this.#input, ({ dataset }) =>
      dataset.pattern ? new RegExp(`^(?:${dataset.pattern})$`, "u").test(words) : dataset.words === words,
    );
    return { ...verdict, drew: words };
  }

  /** @param {string} answer */
  fill(answer) {
    this.#input.value = answer;
  }

  clear() {
    this.#input.value = "";
  }
}
