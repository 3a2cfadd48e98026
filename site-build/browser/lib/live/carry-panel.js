/**
 * Work that a student did at another address of the course: browsers keep it apart, so it comes as a file. A file, because
 * two windows that hand records to one another would have to trust each other's address.
 */
import { COURSE } from "../course.js";
import { button, make, statusLine } from "../dom.js";
import { download } from "../download.js";
import { importWords } from "../import-words.js";
import { store } from "../../store.js";

const TEXT = {
  title: "Your work from another address",
  why: (/** @type {string} */ origin) =>
    `Your notes, answers and lab results are kept by your browser for each address apart; this page's is ${origin}. To bring them from another: open the course there, save your work to a file, and take the file in here. What is newer here stays.`,
  take: "Load my work from a file",
  save: "Save my work to a file",
  saved: "The file is in your downloads.",
  unreadable: "This file can't be read: it isn't work saved from this course.",
};

/** Kinds that a student has by merely looking around. */
const SLIGHT = new Set(["visit", "student"]);

export class CarryPanel {
  #status = statusLine("live-status");
  #picked = make("input", { type: "file", accept: "application/json,.json", hidden: true });

  /** @param {AbortSignal} signal */
  constructor(signal) {
    const [take, save] = [button(TEXT.take), button(TEXT.save)];
    this.node = make("details", { class: "live-part live-carry" }, make("summary", {}, TEXT.title), make("p", {}, TEXT.why(location.origin)), make("div", { class: "live-actions" }, take, save, this.#picked), this.#status);
    take.addEventListener("click", () => this.#picked.click(), { signal });
    save.addEventListener("click", () => (download(`${COURSE}-work.json`, JSON.stringify(store.exportAll(), null, 2)), (this.#status.textContent = TEXT.saved)), { signal });
    this.#picked.addEventListener("change", () => void this.#take(), { signal });
  }

  /** The page is the bridge's own: then it may well be another one than that on which the student worked. */
  offer() {
    const has = store.exportAll().records.some(({ kind }) => !SLIGHT.has(kind));
    if (!has) this.node.open = true;
  }

  async #take() {
    const file = this.#picked.files?.[0];
    if (!file) return;
    try {
      this.#status.textContent = importWords(store.importAll(JSON.parse(await file.text())));
    } catch (error) {
      this.#status.textContent = error instanceof SyntaxError ? TEXT.unreadable : /** @type {Error} */ (error).message;
    }
    this.#picked.value = "";
  }
}
