/**
 * *My notebook*: notes, answers and bookmarks of all lessons, with links back; and the student's whole work
 * as a file, out and in.
 */
import { COURSE } from "./lib/course.js";
import { courseMap } from "./lib/course-map.js";
import { button, focusStill, make, statusLine } from "./lib/dom.js";
import { download } from "./lib/download.js";
import { CourseElement } from "./lib/element.js";
import { importWords } from "./lib/import-words.js";
import { chapters } from "./lib/notebook-entries.js";
import { bookmarkItem, codeItem, deletedItem, editedItem, keyOf, wordsItem, wordsOf } from "./lib/notebook-item.js";
import { courseUrl } from "./lib/page.js";
import { savingWords } from "./lib/saving.js";
import { NotOurs } from "./lib/transfer.js";
import { store } from "./store.js";

const TEXT = {
  empty: "Nothing here yet. Write notes beside a lesson, answer a question in your own words, or bookmark a section: it appears here.",
  begin: (/** @type {string} */ title) => `Go to “${title}”`,
  lost: "From places that the course no longer has",
  notes: "Notes",
  pauses: "Answers",
  bookmarks: "Bookmarks",
  snippets: "Code that you changed",
  save: "Save my work to a file",
  load: "Load my work from a file",
  print: "Print",
  keep: "A file takes all of it to another browser, or keeps it safe.",
  file: `${COURSE}-work.json`,
  saved: "The file is in your downloads. It holds everything that you have done in this course.",
  large: "This file is larger than a browser's storage: it isn't work saved from this course.",
  unreadable: "This file can't be read: it isn't work saved from this course.",
  deleted: (/** @type {string} */ title) => `Deleted: ${title}. You can undo it until you leave this page.`,
  restored: (/** @type {string} */ title) => `Back again: ${title}.`,
  noMap: "The list of lessons didn't arrive, so links back are missing. Your words are all here.",
};

/** Bytes. Browsers keep some ten million letters for a site; in a file each may take a few bytes. */
const LARGEST = 64e6;

/** @typedef {import("./lib/notebook-entries.js").Item} Item */
/** @typedef {import("./lib/notebook-item.js").Act} Act */
/** @typedef {import("./lib/notebook-item.js").Draft} Draft */

class CourseNotebook extends CourseElement {
  #status = statusLine("notebook-status");
  #list = make("div", { class: "notebook-list" });
  /** @type {import("./lib/course-map.js").CourseMap} */
  #map = { course: "", lessons: [], labs: [] };
  /** Items deleted on this page, as they were, by key. @type {Map<string, Item>} */
  #deleted = new Map();
  /** What is being written, by the key of its item: the list is drawn anew around it. @type {Map<string, Draft>} */
  #drafts = new Map();

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.append(this.own(this.#actions()), this.own(this.#status), this.own(this.#list));
    this.onEnd(
      store.subscribe(({ origin }) => {
        if (origin === "elsewhere" && this.#drafts.size === 0) this.#draw();
      }),
    );
    addEventListener("pagehide", () => this.#keepDrafts(), { signal });
    this.onEnd(() => this.#keepDrafts());
    this.#start(signal);
  }

  /** @param {AbortSignal} signal */
  async #start(signal) {
    try {
      this.#map = await courseMap();
    } catch {
      this.#say(TEXT.noMap);
    }
    if (!signal.aborted) this.#draw();
  }

  #actions() {
    const [save, load, print] = [button(TEXT.save), button(TEXT.load), button(TEXT.print)];
    const input = make("input", { type: "file", accept: "application/json,.json", hidden: true });
    save.addEventListener("click", () => this.#export());
    load.addEventListener("click", () => input.click());
    print.addEventListener("click", () => window.print());
    input.addEventListener("change", () => this.#import(input));
    return make("div", { class: "notebook-actions" }, save, load, input, print, make("p", {}, TEXT.keep));
  }

  #draw(focus = "") {
    for (const [key, { record }] of this.#deleted) if (store.get(record.kind, record.id)) this.#deleted.delete(key);
    const [notes, bookmarks, pauses, snippets] = [this.#all("note"), this.#all("bookmark"), this.#all("pause"), this.#all("snippet")];
    const found = chapters(this.#map, { notes, bookmarks, pauses, snippets });
    this.#list.replaceChildren(...found.map((chapter) => this.#chapter(chapter)));
    if (found.length === 0) this.#list.append(this.#nothing());
    const next = focus && this.#list.querySelector(`[data-deed="${CSS.escape(focus)}"]`);
    if (next instanceof HTMLElement) focusStill(next);
  }

  /** Where nothing is kept yet: what would be, and the way to the first lesson. */
  #nothing() {
    const first = this.#map.lessons[0];
    const way = first ? [make("p", {}, make("a", { href: courseUrl(first.url) }, TEXT.begin(first.title)))] : [];
    return make("div", { class: "notebook-empty" }, make("p", {}, TEXT.empty), ...way);
  }

  /** What is stored, and what was deleted here, which keeps its place. @param {import("./lib/records.js").Kind} kind */
  #all(kind) {
    const deleted = [...this.#deleted.values()].map((item) => item.record).filter((record) => record.kind === kind);
    return [...store.list(kind), ...deleted];
  }

  /** @param {import("./lib/notebook-entries.js").Chapter} chapter */
  #chapter({ title, url, notes, pauses, bookmarks, snippets }) {
    const name = title && url !== null ? make("a", { href: courseUrl(url) }, title) : TEXT.lost;
    const act = /** @type {Act} */ ((deed, item, text) => this.#act(deed, item, text));
    const words = (/** @type {boolean} */ titled) => (/** @type {Item} */ item) => {
      const draft = this.#drafts.get(keyOf(item.record));
      return draft ? editedItem(item, draft, act) : wordsItem(item, act, titled);
    };
    return make(
      "section",
      { class: "notebook-chapter" },
      make("h2", {}, name),
      ...this.#shelf(TEXT.notes, notes, words(url === null), act),
      ...this.#shelf(TEXT.pauses, pauses, words(true), act),
      ...this.#shelf(TEXT.snippets, snippets, (item) => codeItem(item, act), act),
      ...this.#shelf(TEXT.bookmarks, bookmarks, (item) => bookmarkItem(item, act), act),
    );
  }

  /** @param {string} name @param {Item[]} items @param {(item: Item) => HTMLElement} show @param {Act} act */
  #shelf(name, items, show, act) {
    if (items.length === 0) return [];
    const rows = items.map((item) => (this.#deleted.has(keyOf(item.record)) ? deletedItem(item, act) : show(item)));
    return [make("h3", {}, name), make("ul", { class: "notebook-shelf" }, ...rows)];
  }

  /** @type {Act} */
  #act(deed, item, text) {
    const { record, title } = item;
    const key = keyOf(record);
    const { words } = wordsOf(record);
    if (deed === "edit") this.#drafts.set(key, { item, text: words });
    if (deed === "save") this.#put(this.#drafts.get(key)?.item ?? item, text);
    if (deed === "save" || deed === "cancel") this.#drafts.delete(key);
    if (deed === "use") this.#put(item, text, true);
    if (deed === "drop") this.#put(item, words, true);
    if (deed === "remove") {
      this.#deleted.set(key, { ...item, record: store.get(record.kind, record.id) ?? record });
      store.remove(record.kind, record.id);
      this.#say(TEXT.deleted(title));
    }
    if (deed === "undo") {
      this.#deleted.delete(key);
      const result = store.restore(record);
      this.#say(result.ok ? TEXT.restored(title) : savingWords(result));
    }
    const next = { edit: "field", save: "edit", cancel: "edit", use: "edit", drop: "edit", remove: "undo", undo: "remove" };
    this.#draw(`${key} ${next[deed]}`);
  }

  /** @param {Item} item as its words were last seen @param {string} words @param {boolean} [settled] the other words were dealt with */
  #put({ record: { kind, id, at, data } }, words, settled = false) {
    const { field } = wordsOf({ kind, data });
    const result = store.put(kind, id, { ...data, [field]: words }, { seen: at, settled });
    this.#say(savingWords(result));
    return result;
  }

  /** Who leaves in the middle of a change hasn't taken it back. */
  #keepDrafts() {
    for (const draft of this.#drafts.values()) {
      const { item, text } = draft;
      const record = text === wordsOf(item.record).words ? null : this.#put(item, text).record;
      if (record) draft.item = { ...item, record };
    }
  }

  #export() {
    download(TEXT.file, JSON.stringify(store.exportAll(), null, 2));
    this.#say(TEXT.saved);
  }

  /** @param {HTMLInputElement} input */
  async #import(input) {
    const file = input.files?.[0];
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new NotOurs(TEXT.large);
      this.#say(importWords(store.importAll(JSON.parse(await file.text()))));
    } catch (error) {
      this.#say(error instanceof NotOurs ? error.message : TEXT.unreadable);
    }
    input.value = "";
    this.#deleted.clear();
    this.#draw();
  }

  /** @param {string} words */
  #say(words) {
    this.#status.textContent = words;
  }
}

customElements.define("course-notebook", CourseNotebook);
