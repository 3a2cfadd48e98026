/** One answer out of several, each with feedback of its own. */
import { shuffled } from "../shuffle.js";

const TEXT = {
  nothing: "Choose an answer first.",
};

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class ChoiceCheck {
  #options;
  #id;

  /** @param {HTMLElement} element @param {string} id */
  constructor(element, id) {
    this.#id = id;
    const options = /** @type {HTMLElement[]} */ ([...element.querySelectorAll(".check-option")]);
    this.#options = options.sort((a, b) => ((a.dataset.value ?? "") < (b.dataset.value ?? "") ? -1 : 1));
  }

  /** From the options' names, not from where they stand: so a second time changes nothing. @param {number} seed */
  arrange(seed) {
    const parent = this.#options[0]?.parentElement;
    if (parent && !parent.contains(document.activeElement)) parent.append(...shuffled(this.#options, seed, this.#id));
  }

  /** @returns {import("./kinds.js").Reading} */
  read() {
    const chosen = this.#chosen();
    if (!chosen) return { refused: TEXT.nothing };
    const shown = chosen.option.querySelector("label")?.textContent?.trim().replace(/\s+/g, " ") ?? "";
    return { answer: chosen.radio.value, shown: shown.slice(0, 200) };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const place = this.#options.find((option) => radioOf(option).value === answer);
    return place ? { correct: place.dataset.correct === "true", feedback: place.querySelector(".check-feedback"), field: radioOf(place), place } : null;
  }

  /** @param {string} answer */
  fill(answer) {
    for (const option of this.#options) radioOf(option).checked = radioOf(option).value === answer;
  }

  clear() {
    for (const option of this.#options) radioOf(option).checked = false;
  }

  #chosen() {
    const option = this.#options.find((one) => radioOf(one).checked);
    return option ? { option, radio: radioOf(option) } : null;
  }
}

/** @param {HTMLElement} option @returns {HTMLInputElement} */
function radioOf(option) {
  return /** @type {HTMLInputElement} */ (option.querySelector("input"));
}
