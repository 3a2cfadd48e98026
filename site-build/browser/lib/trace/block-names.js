/**
 * Which block of B stands for which of A. A server that had served before hands out its blocks in another order, and some of them
 * still hold what nobody asks for any more: it decides the same, about blocks of other numbers.
 */

/** @typedef {import("./model.js").TraceModel} TraceModel */

/** Whether one of the two is a real server's: only there may blocks have other numbers. @param {TraceModel} a @param {TraceModel} b */
function hasServer(a, b) {
  return a.header.source !== "simulated" || b.header.source !== "simulated";
}

/** Whether blocks are matched by when they are handed out. @param {TraceModel} a @param {TraceModel} b */
export function hasOtherNumbers(a, b) {
  return hasServer(a, b) && a.newBlocks.length > 0 && b.newBlocks.length > 0 && a.newBlocks[0] !== b.newBlocks[0];
}

export class BlockNames {
  /** @type {Map<number, number> | null} */
  #there;
  /** @type {Set<number>} */
  #taken = new Set();
  /** Blocks of A and of B that this step names: what they lose in it they had before. */
  #new = { here: /** @type {Set<number>} */ (new Set()), there: /** @type {Set<number>} */ (new Set()) };

  /** @param {TraceModel} a @param {TraceModel} b */
  constructor(a, b) {
    this.#there = hasOtherNumbers(a, b) ? new Map() : null;
  }

  /** The next step begins. */
  begin() {
    this.#new.here.clear();
    this.#new.there.clear();
  }

  /** Whether the same blocks are handed out; each is named when it first is. @param {ArrayLike<number>} here @param {ArrayLike<number>} there */
  fresh(here, there) {
    if (here.length !== there.length) return false;
    for (let place = 0; place < here.length; place += 1) this.#name(here[place], there[place]);
    return this.joined(here, there);
  }

  /** Whether blocks of the cache are the same. @param {ArrayLike<number>} here @param {ArrayLike<number>} there */
  joined(here, there) {
    if (here.length !== there.length) return false;
    for (let place = 0; place < here.length; place += 1) if (this.#of(here[place]) !== there[place]) return false;
    return true;
  }

  /** Whether the same blocks lost their content. What was there before either trace began isn't counted. @param {ArrayLike<number>} here @param {ArrayLike<number>} there */
  evicted(here, there) {
    if (!this.#there) return this.joined(here, there);
    const known = Array.from(here).filter((block) => this.#there?.has(block) && !this.#new.here.has(block));
    return this.joined(known, Array.from(there).filter((block) => this.#taken.has(block) && !this.#new.there.has(block)));
  }

  /** @param {number} here @param {number} there */
  #name(here, there) {
    if (!this.#there || this.#there.has(here) || this.#taken.has(there)) return;
    this.#there.set(here, there);
    this.#taken.add(there);
    this.#new.here.add(here);
    this.#new.there.add(there);
  }

  /** @param {number} here */
  #of(here) {
    return this.#there ? this.#there.get(here) : here;
  }
}
