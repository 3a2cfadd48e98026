/**
 * Pause and reason: a few words of one's own come before the model answer. Both stay.
 */
import { autosave } from "./lib/autosave.js";
import { button, focusStill, make, statusLine } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { concerns } from "./lib/records.js";
import { savingWords } from "./lib/saving.js";
import { store } from "./store.js";

const TEXT = {
  label: "Your answer",
  open: "Show the model answer",
  first: "Write a word or a few of your own first. A guess is enough.",
  opened: "The model answer is open below. Yours stays here, and you can go on with it.",
  earlier: "You wrote this for an earlier version of the question.",
};

/** One word is an answer ("nothing"), a number too; a lone letter or a dot is none. @param {string} text */
function isAnswer(text) {
  return /[\p{L}\p{N}]{2}|\p{Lo}/u.test(text);
}

class CoursePause extends CourseElement {
  #field = make("textarea", { class: "course-field", rows: 4 });
  #open = button(TEXT.open, "primary");
  #earlier = make("p", { class: "pause-earlier", hidden: true }, TEXT.earlier);
  #status = statusLine("pause-status");
  #opened = false;
  #hash = "";
  #saved = "";
  /** The `at` of the record as last seen here. */
  #seen = 0;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.#field.id = `pause-answer-${this.item}`;
    const label = make("label", { for: this.#field.id }, TEXT.label);
    const actions = make("div", { class: "pause-actions" }, this.#open);
    const answer = make("div", { class: "pause-answer" }, this.#earlier, label, this.#field, actions, this.#status);
    this.#model.before(this.own(answer));
    this.#show();
    autosave(this.#field, () => this.#save(), signal);
    this.#open.addEventListener("click", () => this.#reveal(), { signal });
    this.onEnd(
      store.subscribe((change) => {
        if (change.origin === "elsewhere" && concerns(change, "pause", this.item)) this.#follow();
      }),
    );
  }

  get #model() {
    return /** @type {HTMLDetailsElement} */ (this.piece(".pause-model"));
  }

  /** The other tab's words, or, where words stand here that aren't saved, these: the store keeps the others. */
  #follow() {
    if (this.#field.value === this.#saved) this.#show();
    else this.#save();
  }

  /** What is stored. An answer to an earlier question stays, and its model answer closes. */
  #show() {
    const record = store.get("pause", this.item);
    const { text = "", opened = false, hash = this.dataset.hash } = /** @type {{ text?: string, opened?: boolean, hash?: string }} */ (record?.data ?? {});
    const current = hash === this.dataset.hash;
    this.#seen = record?.at ?? 0;
    this.#hash = hash ?? "";
    this.#saved = text;
    if (this.#field.value !== text) this.#field.value = text;
    this.#earlier.hidden = current || text === "";
    this.#setOpened(current && opened);
  }

  /** @param {boolean} opened */
  #setOpened(opened) {
    this.#opened = opened;
    this.#open.hidden = opened;
    this.#model.hidden = !opened;
    this.#model.open = opened;
  }

  #save() {
    const data = { hash: this.#hash, text: this.#field.value, opened: this.#opened };
    const result = store.put("pause", this.item, data, { seen: this.#seen });
    this.#seen = result.record?.at ?? this.#seen;
    this.#saved = data.text;
    this.#status.textContent = savingWords(result);
  }

  #reveal() {
    if (!isAnswer(this.#field.value)) {
      this.#status.textContent = TEXT.first;
      focusStill(this.#field);
      return;
    }
    this.#hash = this.dataset.hash ?? "";
    this.#earlier.hidden = true;
    this.#model.hidden = false;
    this.#model.open = true;
    focusStill(/** @type {HTMLElement} */ (this.#model.querySelector("summary")));
    this.#setOpened(true);
    this.#save();
    this.#status.textContent = TEXT.opened;
  }
}

customElements.define("course-pause", CoursePause);
