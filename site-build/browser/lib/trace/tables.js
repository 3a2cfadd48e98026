/** The block tables of those who run, in the order in which they came to run; a copy shares them until one of the two writes. */
import { Column } from "./pages.js";

export class Tables {
  /** Who runs. @type {number[]} */
  running = [];
  /** A table, null for who ran and runs no more, undefined for who never did. @type {Column<number[] | null>} */
  #tables = new Column();
  /** Whose table may be written: no copy shares it. @type {Set<number>} */
  #own = new Set();

  /** @returns {Tables} */
  copy() {
    const twin = new Tables();
    twin.running = this.running.slice();
    twin.#tables = this.#tables.copy();
    this.#own.clear();
    return twin;
  }

  /** @param {number} request @returns {readonly number[] | undefined} nothing for who doesn't run */
  get(request) {
    return this.#tables.get(request) ?? undefined;
  }

  /** Whether one ever ran. @param {number} request */
  knows(request) {
    return this.#tables.get(request) !== undefined;
  }

  /** @param {number} request who comes to run */
  begin(request) {
    this.running.push(request);
    this.#put(request, []);
  }

  /** A table that may be written. @param {number} request who runs @returns {number[]} */
  own(request) {
    const blocks = this.#tables.get(request) ?? [];
    return this.#own.has(request) ? blocks : this.#put(request, blocks.slice());
  }

  /** @param {readonly number[]} requests who run no more @param {(request: number, blocks: readonly number[]) => void} each told once its table is gone */
  end(requests, each) {
    for (const request of requests) {
      const blocks = this.#tables.get(request);
      if (!blocks) continue;
      this.#tables.set(request, null);
      this.#own.delete(request);
      each(request, blocks);
    }
    if (requests.length) this.running = this.running.filter((request) => this.#tables.get(request));
  }

  /** Each with its request. @returns {Generator<[number, readonly number[]]>} */
  *[Symbol.iterator]() {
    for (const request of this.running) {
      const blocks = this.#tables.get(request);
      if (blocks) yield [request, blocks];
    }
  }

  /** @param {number} request @param {number[]} blocks */
  #put(request, blocks) {
    this.#tables.set(request, blocks);
    this.#own.add(request);
    return blocks;
  }
}
