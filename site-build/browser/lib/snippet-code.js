/** The code of a snippet: the lesson's, and the student's where they have changed it. */
import { store } from "../store.js";

export class SnippetCode {
  /** The lesson's code. */
  original;
  #id;
  #hash;

  /** @param {string} id @param {string} hash @param {string} original */
  constructor(id, hash, original) {
    this.#id = id;
    this.#hash = hash;
    this.original = original;
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
    return store.put("snippet", this.#id, { hash: this.#hash, code });
  }
}
