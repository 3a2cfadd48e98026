/**
 * The student's notes beside a lesson, saved as they are written. Where two tabs write at once, the last
 * one stands and the other's words are offered until the student has dealt with them.
 */
import { autosave } from "./lib/autosave.js";
import { button, focusStill, make, statusLine } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { concerns } from "./lib/records.js";
import { savingWords } from "./lib/saving.js";
import { store } from "./store.js";

const TEXT = {
  label: "Your notes on this lesson",
  followed: "Another tab changed these notes. They are shown as they are now.",
  conflict: "These notes were also changed in another tab, or in a file that you took in. The other words are kept:",
  replaced: "Saved. Another tab had written here too; its words are kept below.",
  add: "Add them to my notes",
  drop: "Delete them",
  added: "Added at the end.",
  dropped: "Deleted.",
};

class CourseNotes extends CourseElement {
  #field = make("textarea", { class: "course-field", rows: 6 });
  #status = statusLine("notes-status");
  #other = make("p", { class: "notes-other course-words" });
  #add = button(TEXT.add);
  #drop = button(TEXT.drop, "quiet");
  #conflict = make("div", { class: "notes-conflict", hidden: true }, make("p", {}, TEXT.conflict), this.#other, this.#add, this.#drop);
  #saved = "";
  /** The `at` of the record as last seen here. */
  #seen = 0;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.#field.id = `notes-${this.item}`;
    const label = make("label", { for: this.#field.id }, TEXT.label);
    this.append(this.own(make("div", { class: "notes" }, label, this.#field, this.#status, this.#conflict)));
    this.#show();
    autosave(this.#field, () => this.#save(), signal);
    this.#field.addEventListener("input", () => this.#say(""), { signal });
    this.#add.addEventListener("click", () => this.#settle(`${this.#field.value.trimEnd()}\n\n${this.#other.textContent}`, TEXT.added), { signal });
    this.#drop.addEventListener("click", () => this.#settle(this.#field.value, TEXT.dropped), { signal });
    this.onEnd(
      store.subscribe((change) => {
        if (change.origin === "elsewhere" && concerns(change, "note", this.item)) this.#follow();
      }),
    );
  }

  /** The other tab's words, or, where words stand here that aren't saved, both. */
  #follow() {
    if (this.#field.value !== this.#saved) return this.#save();
    const before = this.#saved;
    this.#show();
    if (this.#saved !== before) this.#say(TEXT.followed);
    return undefined;
  }

  #show() {
    const record = store.get("note", this.item);
    this.#seen = record?.at ?? 0;
    this.#saved = String(record?.data.text ?? "");
    if (this.#field.value !== this.#saved) this.#field.value = this.#saved;
    this.#showConflict(record);
  }

  /** @param {import("./lib/records.js").StoredRecord | null} record */
  #showConflict(record) {
    const other = record?.was?.[0]?.data.text;
    this.#conflict.hidden = other === undefined;
    this.#other.textContent = String(other ?? "");
  }

  #save() {
    if (this.#field.value === this.#saved) return this.#say("");
    return this.#write(this.#field.value, { seen: this.#seen });
  }

  /** @param {string} text @param {{ seen: number, settled?: boolean }} options */
  #write(text, options) {
    const result = store.put("note", this.item, { text }, options);
    if (result.record) {
      this.#saved = text;
      this.#seen = result.record.at;
      this.#showConflict(result.record);
    }
    this.#say(result.ok && result.replaced ? TEXT.replaced : savingWords(result));
  }

  /** The other words were dealt with. @param {string} text @param {string} words */
  #settle(text, words) {
    focusStill(this.#field);
    this.#field.value = text;
    this.#write(text, { seen: this.#seen, settled: true });
    this.#say(words);
  }

  /** @param {string} words */
  #say(words) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
  }
}

customElements.define("course-notes", CourseNotes);
