/** Options with a native control each, as a choice and a choice of several have them. */
import { shuffled } from "../shuffle.js";

/** @param {HTMLElement} element @returns {HTMLElement[]} in the author's order */
function optionsOf(element) {
  const options = /** @type {HTMLElement[]} */ ([...element.querySelectorAll(".check-option")]);
  return options.sort((a, b) => ((a.dataset.value ?? "") < (b.dataset.value ?? "") ? -1 : 1));
}

/** From the options' names, not from where they stand: so a second time changes nothing. @param {HTMLElement[]} options @param {number} seed @param {string} id */
function arrangeOptions(options, seed, id) {
  const parent = options[0]?.parentElement;
  if (parent && !parent.contains(document.activeElement)) parent.append(...shuffled(options, seed, id));
}

/** @param {HTMLElement} option @returns {HTMLInputElement} */
export function controlOf(option) {
  return /** @type {HTMLInputElement} */ (option.querySelector("input"));
}

/** @param {HTMLElement} option */
export function labelOf(option) {
  return option.querySelector("label")?.textContent?.trim().replace(/\s+/g, " ") ?? "";
}

/** @param {HTMLElement} option @param {string} selector @returns {{ words: HTMLElement, field: HTMLElement }[]} */
export function saidBy(option, selector) {
  const words = option.querySelector(selector);
  return words instanceof HTMLElement ? [{ words, field: controlOf(option) }] : [];
}

/** What a choice and a choice of several have in common. */
export class OptionsCheck {
  #id;

  /** @param {HTMLElement} element @param {string} id */
  constructor(element, id) {
    this.#id = id;
    this.options = optionsOf(element);
  }

  /** @param {number} seed */
  arrange(seed) {
    arrangeOptions(this.options, seed, this.#id);
  }

  /** @param {(value: string) => boolean} isChosen */
  choose(isChosen) {
    for (const option of this.options) controlOf(option).checked = isChosen(controlOf(option).value);
  }

  clear() {
    this.choose(() => false);
  }
}
