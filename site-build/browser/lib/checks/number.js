/** A number that the student works out, with words for the mistakes that an author has named. */
import { meets, readNumber } from "../number.js";
import { all, judgeField } from "./spoken.js";

const TEXT = {
  nothing: "Write a number first.",
  unreadable: (/** @type {string} */ text) => `“${text}” isn't a number that this check can read. Write digits, such as 48 or 3.5.`,
};

/** @param {HTMLElement} target */
function targetOf(target) {
  return { value: Number(target.dataset.value), tolerance: Number(target.dataset.tolerance ?? 0) };
}

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class NumberCheck {
  #element;
  #input;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#input = /** @type {HTMLInputElement} */ (element.querySelector(".check-number input"));
    this.#input.autocomplete = "off";
  }

  arrange() {}

  /** @returns {import("./kinds.js").Reading} */
  read() {
    const text = this.#input.value.trim();
    const readable = text === "" || readNumber(text) !== null;
    if (readable) this.#input.removeAttribute("aria-invalid");
    else this.#input.setAttribute("aria-invalid", "true");
    if (text === "") return { refused: TEXT.nothing };
    return readable ? { answer: text, shown: text } : { refused: TEXT.unreadable(text) };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const number = readNumber(answer);
    if (!number || all(this.#element, ".check-answer").length === 0) return null;
    return judgeField(this.#element, this.#input, (words) => meets(number.values, targetOf(words)));
  }

  /** @param {string} answer */
  fill(answer) {
    this.#input.value = answer;
  }

  clear() {
    this.#input.value = "";
    this.#input.removeAttribute("aria-invalid");
  }
}
