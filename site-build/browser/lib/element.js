/**
 * What all the course's elements do alike: set up when they enter a page, tidy up when they leave it,
 * so that a page swapped in place needs no special care.
 */

export class CourseElement extends HTMLElement {
  /** @type {(() => void)[]} */
  #ends = [];

  connectedCallback() {
    const life = new AbortController();
    this.onEnd(() => life.abort());
    this.connect(life.signal);
  }

  disconnectedCallback() {
    for (const end of this.#ends.splice(0)) end();
  }

  /**
   * Set the element up. What it adds goes through `own`, and its listeners take the signal.
   * @param {AbortSignal} _signal aborted when the element leaves the page
   */
  connect(_signal) {}

  /** @param {() => void} end called when the element leaves the page */
  onEnd(end) {
    this.#ends.push(end);
  }

  /** Take it away again when the element leaves the page. @template {Element} E @param {E} node @returns {E} */
  own(node) {
    this.onEnd(() => node.remove());
    return node;
  }

  /** The id that its author gave the item. @returns {string} */
  get item() {
    const id = this.dataset.id;
    if (!id) throw new Error(`<${this.localName}> has no data-id: its fence or template must give one`);
    return id;
  }

  /** A part that the markup must have. @param {string} selector @returns {HTMLElement} */
  piece(selector) {
    const found = this.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`<${this.localName} data-id="${this.dataset.id}"> has no ${selector}`);
    return found;
  }
}
