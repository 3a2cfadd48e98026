/** The code of a snippet: the lesson's, and the student's where they have changed it. */
import { store } from "../store.js";

export class SnippetCode {
  /** The lesson's code. */
  original;
  #id;
  #hash;
  /** The `at` of the record whose code stands in the page. */
  #seen = 0;

  /** @param {string} id @param {string} hash @param {string} original */
  constructor(id, hash, original) {
    this.#id = id;
    this.#hash = hash;
    this.original = original;
    this.adopt();
  }

  /** The stored code, which the page shows from now on: another tab's code is written over only beside it. */
  adopt() {
    this.#seen = store.get("snippet", this.#id)?.at ?? 0;
    return this.read().code;
  }

  /** @returns {{ code: string, edited: boolean, earlier: boolean }} `earlier`: the lesson's code has changed since */
  read() {
    const data = store.get("snippet", this.#id)?.data;
    const code = typeof data?.code === "string" ? data.code : this.original;
    return { code, edited: code !== this.original, earlier: data !== undefined && data.hash !== this.#hash };
  }

  /** Only what differs from the lesson is worth a record. @param {string} code @returns {import("../store.js").PutResult | null} */
  save(code) {
    if (code !== this.original) return code === this.read().code ? null : this.keep(code);
    store.remove("snippet", this.#id);
    return null;
  }

  /** Put it where the lab can find it, changed or not. @param {string} code */
  keep(code) {
    const result = store.put("snippet", this.#id, { hash: this.#hash, code }, { seen: this.#seen });
    this.#seen = result.record?.at ?? this.#seen;
    return result;
  }
}
