/**
 * A knowledge check: try, read why, try again. For the student alone; the key stands in the page.
 *
 * Marks: `data-state="right|wrong"` on the chosen option or the number's label and on `.check-result`.
 */
import { checkOf } from "./lib/checks/kinds.js";
import { button, isOff, make, setOff, unseen } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { concerns } from "./lib/records.js";
import { studentSeed } from "./lib/student.js";
import { store } from "./store.js";

const TEXT = {
  check: "Check",
  restart: "Start over",
  note: "For yourself: nothing is sent or graded, and the key is part of this page.",
  right: "Right.",
  wrong: "Not yet. Read why, then try again.",
  cleared: "Started over.",
  earlier: (/** @type {string} */ shown, /** @type {boolean} */ correct) =>
    `You answered “${shown}” to an earlier version of this question, and that was ${correct ? "right" : "not right"} then. It has changed since.`,
};

/** @typedef {{ hash: string, answer: string, shown?: string, correct: boolean, attempts: number }} Answered */

class CourseCheck extends CourseElement {
  /** @type {import("./lib/checks/kinds.js").Check} */
  #check = /** @type {any} */ (null);
  #buttons = { check: button(TEXT.check, "primary"), restart: button(TEXT.restart, "quiet") };
  #earlier = make("p", { class: "check-earlier", hidden: true });
  /** Whether the student has changed the answer since it was last checked. */
  #open = false;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.#check = checkOf(this, this.item);
    if (this.dataset.shuffle === "true") this.#check.arrange(studentSeed());
    this.#build(signal);
    this.#show({ keep: true });
    this.onEnd(
      store.subscribe((change) => {
        if (change.origin === "elsewhere" && concerns(change, "check", this.item) && !this.#open) this.#show();
      }),
    );
  }

  /** @param {AbortSignal} signal */
  #build(signal) {
    const form = /** @type {HTMLFormElement} */ (this.piece("form"));
    const { check, restart } = this.#buttons;
    check.type = "submit";
    form.noValidate = true;
    form.autocomplete = "off";
    this.piece(".check-actions").append(this.own(check), this.own(restart));
    form.prepend(this.own(this.#earlier));
    form.append(this.own(make("p", { class: "check-note" }, TEXT.note)));
    form.addEventListener("submit", (event) => (event.preventDefault(), this.#try()), { signal });
    form.addEventListener("input", () => this.#reopen(), { signal });
    restart.addEventListener("click", () => isOff(restart) || this.#restart(), { signal });
  }

  /** What is stored, as it was left. `keep` leaves what was entered before this module had arrived. */
  #show({ keep = false } = {}) {
    const answered = /** @type {Answered | undefined} */ (store.get("check", this.item)?.data);
    const current = answered?.hash === this.dataset.hash ? answered : undefined;
    const verdict = current ? this.#check.judge(current.answer) : null;
    this.#unmark();
    if (!keep) this.#check.clear();
    setOff(this.#buttons.restart, !answered);
    this.#earlier.hidden = !answered || Boolean(current);
    this.#reveal(".check-hints", Boolean(current));
    if (answered && !current) this.#earlier.textContent = TEXT.earlier(answered.shown ?? answered.answer, answered.correct);
    if (!current || !verdict) return;
    this.#check.fill(current.answer);
    this.#mark(verdict, "off");
  }

  #try() {
    const reading = this.#check.read();
    this.#unmark();
    if ("refused" in reading) return this.#say(reading.refused);
    const verdict = this.#check.judge(reading.answer);
    if (!verdict) return undefined;
    this.#open = false;
    this.#earlier.hidden = true;
    setOff(this.#buttons.restart, false);
    this.#mark(verdict);
    store.update("check", this.item, (before) => ({
      hash: this.dataset.hash ?? "",
      ...reading,
      correct: verdict.correct,
      attempts: before?.hash === this.dataset.hash ? Number(before?.attempts) + 1 : 1,
    }));
    return undefined;
  }

  #reopen() {
    this.#open = true;
    this.#unmark();
    setOff(this.#buttons.restart, false);
  }

  #restart() {
    this.#open = false;
    store.remove("check", this.item);
    this.#show();
    this.#say(TEXT.cleared);
  }

  /** @param {import("./lib/checks/kinds.js").Verdict} verdict @param {"polite" | "off"} [live] off: it is shown, not announced */
  #mark({ correct, feedback, field, place }, live = "polite") {
    place.dataset.state = correct ? "right" : "wrong";
    this.#reveal(".check-hints", true);
    this.#reveal(".check-explanation", correct);
    if (feedback) {
      feedback.hidden = false;
      feedback.id = `check-${this.item}-why`;
      field.setAttribute("aria-describedby", feedback.id);
    }
    this.piece(".check-result").setAttribute("aria-live", live);
    this.#say(correct ? TEXT.right : TEXT.wrong, correct ? "right" : "wrong", feedback?.textContent ?? "");
  }

  /** No words of feedback stay, nor a reference to them: a screen reader would read what is hidden. */
  #unmark() {
    for (const marked of this.querySelectorAll("[data-state]")) marked.removeAttribute("data-state");
    for (const field of this.querySelectorAll("input")) field.removeAttribute("aria-describedby");
    for (const words of this.querySelectorAll(".check-feedback, .check-answer, .check-mistake, .check-otherwise")) {
      words.toggleAttribute("hidden", true);
      words.removeAttribute("id");
    }
    this.#reveal(".check-explanation", false);
    this.piece(".check-result").setAttribute("aria-live", "polite");
    this.#say("");
  }

  /** @param {string} selector @param {boolean} visible */
  #reveal(selector, visible) {
    this.querySelector(selector)?.toggleAttribute("hidden", !visible);
  }

  /**
   * @param {string} words @param {"" | "right" | "wrong"} [state]
   * @param {string} [heard] for a screen reader alone, since the eye finds it beside the answer
   */
  #say(words, state = "", heard = "") {
    const line = this.piece(".check-result");
    line.replaceChildren(words, ...(heard ? [unseen(` ${heard.trim()}`)] : []));
    if (state) line.dataset.state = state;
    else delete line.dataset.state;
  }
}

customElements.define("course-check", CourseCheck);
