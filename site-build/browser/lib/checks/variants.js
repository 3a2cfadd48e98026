/** A computed check's variants: one question with other numbers, made when the course was built. */

const PARTS = ":scope > :is(fieldset:not(.check-confidence), .check-hints, .check-explanation)";

export class Variants {
  #form;
  #bodies;
  hashes;
  current = 0;

  /** @param {HTMLElement} element @param {HTMLElement} form */
  constructor(element, form) {
    const templates = /** @type {HTMLTemplateElement[]} */ ([...element.querySelectorAll("template.check-variant")]);
    this.#form = form;
    this.#bodies = [[...form.querySelectorAll(PARTS)], ...templates.map(({ content }) => [.../** @type {DocumentFragment} */ (content.cloneNode(true)).children])];
    this.hashes = [element.dataset.hash ?? "", ...templates.map((template) => template.dataset.hash ?? "")];
  }

  get count() {
    return this.#bodies.length;
  }

  get hash() {
    return this.hashes[this.current] ?? "";
  }

  /** Put another variant in the place of this one. @param {number} at @returns {boolean} whether it is another */
  show(at) {
    if (at === this.current || !this.#bodies[at]) return false;
    for (const part of this.#bodies[this.current] ?? []) part.remove();
    this.#form.querySelector(":scope > :is(.check-confidence, .check-actions)")?.before(...(this.#bodies[at] ?? []));
    this.current = at;
    return true;
  }
}
