/**
 * What is known of many things by number, kept in pages that a copy shares until one of the two writes: so that a copy costs
 * by the pages that there are, and a change by the pages that it touches.
 */

/** Numbers of a page. */
export const SIZE = 256;

/** @template P @typedef {{ mark: object, data: P }} Page `mark`: of the pages that may write it */

/** @template {{ slice: () => any }} P */
export class Pages {
  /** @type {Page<P>[]} */
  #pages = [];
  /** Pages that bear this mark may be written. Once there is a copy, no page bears that of either. */
  #mark = {};
  #blank;
  /** How many pages were ever made on the way to these. */
  made = 0;

  /** @param {P} blank what stands where nothing happened yet */
  constructor(blank) {
    this.#blank = blank;
  }

  /** How many there are. */
  get size() {
    return this.places.length;
  }

  /** @returns {Pages<P>} */
  copy() {
    const twin = new Pages(this.#blank);
    twin.#pages = this.#pages.slice();
    twin.made = this.made;
    this.#mark = {};
    return twin;
  }

  /** A page, to be read. @param {number} place @returns {P} */
  read(place) {
    return this.#pages[place]?.data ?? this.#blank;
  }

  /** A page that may be written. @param {number} place @returns {P} */
  own(place) {
    const there = this.#pages[place];
    if (there?.mark === this.#mark) return there.data;
    const data = (there?.data ?? this.#blank).slice();
    this.#pages[place] = { mark: this.#mark, data };
    this.made += 1;
    return data;
  }

  /** Those in which something happened, in their order. */
  get places() {
    /** @type {number[]} */
    const found = [];
    this.#pages.forEach((_, place) => found.push(place));
    return found;
  }
}

/** One value a number; undefined where none was set. @template T */
export class Column {
  /** @type {Pages<(T | undefined)[]>} */
  #pages = new Pages(/** @type {(T | undefined)[]} */ (new Array(SIZE).fill(undefined)));

  /** @returns {Column<T>} */
  copy() {
    const twin = new Column();
    twin.#pages = this.#pages.copy();
    return twin;
  }

  /** @param {number} at @returns {T | undefined} */
  get(at) {
    return this.#pages.read(Math.floor(at / SIZE))[at % SIZE];
  }

  /** @param {number} at @param {T | undefined} value */
  set(at, value) {
    this.#pages.own(Math.floor(at / SIZE))[at % SIZE] = value;
  }
}
