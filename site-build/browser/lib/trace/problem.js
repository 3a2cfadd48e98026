/** What is wrong with a trace, in words that name the place, the value and what belongs there. */

export class TraceProblem extends Error {
  /**
   * @param {string} field where in the record; "" for the whole of it
   * @param {string} got the value in short words, or what was found instead
   * @param {string} expected what belongs there
   */
  constructor(field, got, expected) {
    super();
    this.name = "TraceProblem";
    this.field = field;
    this.got = got;
    this.expected = expected;
    /** The file's name and line, which its reader fills in; 0 where no line is to blame. */
    this.file = "";
    this.line = 0;
    this.message = this.#words();
  }

  /** The same problem, seen from the file. @param {string} file @param {number} line @returns {TraceProblem} */
  at(file, line) {
    this.file = file;
    this.line = line;
    this.message = this.#words();
    return this;
  }

  #words() {
    const place = this.file ? `${this.file}${this.line ? `, line ${this.line}` : ""}: ` : "";
    return `${place}${this.field ? `${this.field}: ` : ""}got ${this.got}, expected ${this.expected}`;
  }
}

/** A value in words short enough for a line. @param {unknown} value @returns {string} */
export function brief(value) {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
