/**
 * The student's own word that a lesson is done. It can be taken back, and no lab's result is touched.
 */
import { button, day, make, statusLine } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { concerns } from "./lib/records.js";
import { savingWords } from "./lib/saving.js";
import { store } from "./store.js";

const TEXT = {
  mark: "Mark complete",
  undo: "Mark as not complete",
  since: "You marked this lesson complete on ",
  own: "This is your own judgement: nothing checks it, it doesn't pass the lab, and you can take it back.",
  marked: "Marked complete.",
  undone: "No longer marked complete.",
};

class CourseComplete extends CourseElement {
  #button = button(TEXT.mark, "primary");
  #since = make("p", { class: "complete-since" });
  #status = statusLine("complete-status");

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.append(...[this.#since, this.#button, this.#status].map((node) => this.own(node)));
    this.#button.addEventListener("click", () => this.#toggle(), { signal });
    this.onEnd(store.subscribe((change) => concerns(change, "complete", this.item) && this.#show()));
    this.#show();
  }

  #toggle() {
    if (store.get("complete", this.item)) {
      store.remove("complete", this.item);
      this.#status.textContent = TEXT.undone;
      return;
    }
    const result = store.put("complete", this.item, {});
    this.#status.textContent = result.ok ? TEXT.marked : savingWords(result);
  }

  #show() {
    const record = store.get("complete", this.item);
    this.dataset.state = record ? "complete" : "open";
    this.#button.textContent = record ? TEXT.undo : TEXT.mark;
    this.#since.replaceChildren(...(record ? [TEXT.since, day(record.at), "."] : [TEXT.own]));
  }
}

customElements.define("course-complete", CourseComplete);
