/** A number that the student works out, with words for the mistakes that an author has named. */
import { meets, readNumber } from "../number.js";

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
    this.#input = /** @type {HTMLInputElement} */ (element.querySelector("input"));
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
    const key = this.#all(".check-answer")[0];
    if (!number || !key) return null;
    const marked = { field: this.#input, place: this.#input.closest("label") ?? this.#input };
    if (meets(number.values, targetOf(key))) return { ...marked, correct: true, feedback: key };
    const mistake = this.#all(".check-mistake").find((one) => meets(number.values, targetOf(one)));
    return { ...marked, correct: false, feedback: mistake ?? this.#all(".check-otherwise")[0] ?? null };
  }

  /** @param {string} answer */
  fill(answer) {
    this.#input.value = answer;
  }

  clear() {
    this.#input.value = "";
    this.#input.removeAttribute("aria-invalid");
  }

  /** @param {string} selector @returns {HTMLElement[]} */
  #all(selector) {
    return [...this.#element.querySelectorAll(selector)].filter((node) => node instanceof HTMLElement);
  }
}
