/** Server-sent events from text in any pieces. `EventSource` reads them too, and can send no header. */

/** @typedef {{ id: number | null, data: string }} StreamEvent */

export class EventReader {
  #rest = "";
  /** @type {number | null} */
  #id = null;
  /** @type {string[]} */
  #data = [];

  /** The events that end in this piece. @param {string} piece @returns {StreamEvent[]} */
  feed(piece) {
    const text = this.#rest + piece;
    // A lone CR at the end may be half of a line's end.
    const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + text.slice(whole.length);
    return lines.flatMap((line) => this.#take(line));
  }

  /** @param {string} line @returns {StreamEvent[]} */
  #take(line) {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    if (name === "id" && /^\d+$/.test(value)) this.#id = Number(value);
    return [];
  }

  /** @returns {StreamEvent[]} nothing for what had no data, as a comment */
  #end() {
    const [id, data] = [this.#id, this.#data];
    this.#id = null;
    this.#data = [];
    return data.length ? [{ id, data: data.join("\n") }] : [];
  }
}
