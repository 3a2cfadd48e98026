/** Fill the schedule: a table of menus or fields, marked cell by cell. */
import { normalise } from "./normalise.js";
import { all } from "./spoken.js";

const TEXT = {
  open: (/** @type {number} */ open) => (open === 1 ? "One cell is still open." : `${open} cells are still open.`),
  summary: (/** @type {number} */ right, /** @type {number} */ cells, /** @type {string[]} */ wrong) =>
    `Not yet: ${right} of ${cells} cells are right. Not right: ${wrong.join("; ")}.`,
};

const IDLE = "–";

/** A dash of any length says that nobody is there. @param {string} text */
const plain = (text) => (/^\s*[-\u2010-\u2015\u2212]+\s*$/.test(text) ? IDLE : normalise(text));

/** @param {HTMLElement} cell */
const controlIn = (cell) => /** @type {HTMLSelectElement | HTMLInputElement} */ (cell.querySelector("select, input"));

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class GridCheck {
  #element;
  #cells;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#cells = all(element, ".check-cell");
  }

  arrange() {}

  /** The cells' contents as a JSON list, row by row. @returns {import("./kinds.js").Reading} */
  read() {
    const values = this.#cells.map((cell) => controlIn(cell).value.trim());
    const open = values.filter((value) => value === "").length;
    return open ? { refused: TEXT.open(open) } : { answer: JSON.stringify(values), shown: values.join(" ").slice(0, 200) };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const values = this.#parse(answer);
    if (!values) return null;
    const isRight = this.#cells.map((cell, at) => plain(cell.dataset.value ?? "") === plain(values[at] ?? ""));
    const wrong = this.#cells.filter((_, at) => !isRight[at]);
    const words = wrong.length ? (this.#mistake(values) ?? all(this.#element, ".check-otherwise")[0]) : all(this.#element, ".check-answer")[0];
    const names = wrong.map((cell) => controlIn(cell).getAttribute("aria-label") ?? "");
    return {
      correct: wrong.length === 0,
      marks: this.#cells.map((place, at) => ({ place, state: isRight[at] ? "right" : "wrong" })),
      said: words ? [{ words, field: wrong[0] ? controlIn(wrong[0]) : null }] : [],
      summary: wrong.length ? TEXT.summary(this.#cells.length - wrong.length, this.#cells.length, names) : undefined,
    };
  }

  /** @param {string} answer */
  fill(answer) {
    const values = this.#parse(answer) ?? [];
    this.#cells.forEach((cell, at) => (controlIn(cell).value = values[at] ?? ""));
  }

  clear() {
    for (const cell of this.#cells) controlIn(cell).value = "";
  }

  /** The first named mistake that stands in the table. @param {string[]} values */
  #mistake(values) {
    return all(this.#element, ".check-mistake").find(({ dataset }) =>
      this.#cells.some((cell, at) => cell.dataset.cell === dataset.cell && plain(values[at] ?? "") === plain(dataset.value ?? "")),
    );
  }

  /** @param {string} answer @returns {string[] | null} */
  #parse(answer) {
    try {
      const values = JSON.parse(answer);
      return Array.isArray(values) && values.length === this.#cells.length ? values.map(String) : null;
    } catch {
      return null;
    }
  }
}
