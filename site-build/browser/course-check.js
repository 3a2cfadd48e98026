/**
 * A knowledge check: try, read why, try again. For the student alone; the key stands in the page.
 *
 * Marks: `data-state="right|wrong|missed"` on what was answered and on `.check-result`.
 */
import { attempted, drafted, renumbered } from "./lib/checks/attempt.js";
import { ConfidenceField } from "./lib/checks/confidence.js";
import { checkOf } from "./lib/checks/kinds.js";
import { Marking } from "./lib/checks/marking.js";
import { Variants } from "./lib/checks/variants.js";
import { button, isOff, make, setOff } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { concerns } from "./lib/records.js";
import { isDue } from "./lib/review.js";
import { savingWords } from "./lib/saving.js";
import { studentSeed } from "./lib/student.js";
import { store } from "./store.js";

const TEXT = {
  check: "Check",
  unknown: "I don't know",
  renumber: "New numbers",
  restart: "Start over",
  note: "For yourself: nothing is sent or graded, and the key is part of this page.",
  right: "Right.",
  wrong: "Not yet. Read why, then try again.",
  noted: "That is an answer too. Read what opened, then try.",
  notedAlone: "That is an answer too. Go back a few lines, then try.",
  cleared: "Started over.",
  renumbered: "The same question with other numbers.",
  review: "Time to look at this once more. Your last answer is kept until you give another.",
  earlier: (/** @type {string} */ shown, /** @type {boolean} */ correct) =>
    `You answered “${shown}” to an earlier version of this question, and that was ${correct ? "right" : "not right"} then. It has changed since.`,
};

/** @typedef {import("./lib/checks/attempt.js").Answered} Answered */
/** @typedef {import("./lib/checks/kinds.js").Verdict} Verdict */

class CourseCheck extends CourseElement {
  /** @type {import("./lib/checks/kinds.js").Check} */
  #check = /** @type {any} */ (null);
  #variants = /** @type {Variants} */ (/** @type {unknown} */ (null));
  #marking = /** @type {Marking} */ (/** @type {unknown} */ (null));
  #buttons = { check: button(TEXT.check, "primary"), unknown: button(TEXT.unknown), renumber: button(TEXT.renumber), restart: button(TEXT.restart, "quiet") };
  #earlier = make("p", { class: "check-earlier", hidden: true });
  /** @type {ConfidenceField | null} */
  #confidence = null;
  /** Whether the student has changed the answer since it was last checked. */
  #open = false;
  /** When the student first touched the question. */
  #since = 0;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    const form = /** @type {HTMLFormElement} */ (this.piece("form"));
    this.#variants = new Variants(this, form);
    this.#marking = new Marking(this);
    this.#confidence = this.dataset.confidence === "true" ? new ConfidenceField(this.item) : null;
    this.#takeOver();
    this.#build(form, signal);
    this.#adopt();
    this.#show({ keep: true });
    this.onEnd(() => this.#variants.show(0));
    this.onEnd(
      store.subscribe((change) => {
        if (change.origin === "elsewhere" && concerns(change, "check", this.item) && !this.#open) this.#show();
      }),
    );
  }

  /** The kind takes over the variant that stands there. */
  #takeOver() {
    this.#check = checkOf(this, this.item);
    if (this.dataset.shuffle === "true" || this.dataset.kind === "order") this.#check.arrange(studentSeed());
  }

  /** @param {HTMLFormElement} form @param {AbortSignal} signal */
  #build(form, signal) {
    const { check, unknown, renumber, restart } = this.#buttons;
    check.type = "submit";
    form.noValidate = true;
    form.autocomplete = "off";
    renumber.hidden = this.#variants.count === 1;
    this.piece(".check-actions").append(...[check, unknown, renumber, restart].map((node) => this.own(node)));
    if (this.#confidence) this.piece(".check-actions").before(this.own(this.#confidence.node));
    form.prepend(this.own(this.#earlier));
    form.append(this.own(make("p", { class: "check-note" }, TEXT.note)));
    form.addEventListener("submit", (event) => (event.preventDefault(), this.#try()), { signal });
    form.addEventListener("input", () => this.#reopen(), { signal });
    form.addEventListener("focusin", () => (this.#since ||= Date.now()), { signal });
    const deeds = /** @type {const} */ ([[unknown, () => this.#giveUp()], [renumber, () => this.#renumber()], [restart, () => this.#restart()]]);
    for (const [node, deed] of deeds) node.addEventListener("click", () => isOff(node) || deed(), { signal });
  }

  /** What was kept under the id that this check had before is this check's. */
  #adopt() {
    const alias = this.dataset.alias;
    const old = alias ? store.get("check", alias) : null;
    if (!alias || !old || store.get("check", this.item)) return;
    if (store.put("check", this.item, old.data).ok) store.remove("check", alias);
  }

  /** @returns {Answered | null} */
  #read() {
    return /** @type {Answered | null} */ (store.get("check", this.item)?.data ?? null);
  }

  /** What is stored, as it was left. `keep` leaves what was entered before this module had arrived. */
  #show({ keep = false } = {}) {
    const stored = this.#read();
    if (stored) this.#switchTo(stored.variant ?? Math.max(0, this.#variants.hashes.indexOf(stored.hash)));
    const current = stored && stored.hash === this.#variants.hash && (stored.answer !== "" || stored.unknown) ? stored : null;
    const again = Boolean(current && isReviewed(this.item) && isDue(current.review, Date.now()));
    this.#unmark();
    if (!keep) this.#clear();
    setOff(this.#buttons.restart, !stored);
    this.#showEarlier(stored);
    if (again) return this.#marking.say(TEXT.review);
    this.#marking.reveal(".check-hints", Boolean(current?.attempts));
    if (!current) return undefined;
    if (this.#confidence) this.#confidence.value = current.confidence ?? null;
    if (current.unknown) return this.#noted("off");
    const verdict = this.#check.judge(current.answer);
    if (!verdict) return undefined;
    this.#check.fill(current.answer);
    return this.#mark(verdict, "off");
  }

  /** An answer to a question that has changed since stays, and says so. @param {Answered | null} stored */
  #showEarlier(stored) {
    const changed = stored && !this.#variants.hashes.includes(stored.hash) && (stored.answer !== "" || stored.unknown);
    this.#earlier.hidden = !changed;
    if (changed) this.#earlier.textContent = TEXT.earlier(stored.shown ?? stored.answer, stored.correct);
  }

  /** @param {number} at */
  #switchTo(at) {
    if (this.#variants.show(at)) this.#takeOver();
  }

  #clear() {
    this.#check.clear();
    if (this.#confidence) this.#confidence.value = null;
    this.#since = 0;
  }

  #try() {
    const reading = this.#check.read();
    this.#unmark();
    if ("refused" in reading) return this.#marking.say(reading.refused);
    if (this.#confidence?.value === null) return this.#marking.say(this.#confidence.missing);
    const verdict = this.#check.judge(reading.answer);
    if (!verdict) return undefined;
    const hash = this.#variants.hash;
    const result = store.update("check", this.item, (before) =>
      verdict.open
        ? drafted(/** @type {Answered | null} */ (before), { hash, ...reading })
        : this.#attempt(before, { ...reading, correct: verdict.correct, drew: verdict.drew }),
    );
    this.#settle();
    this.#mark(verdict, "polite", result.ok ? "" : ` ${savingWords(result)}`);
    this.#check.answered?.();
    return undefined;
  }

  #giveUp() {
    this.#unmark();
    this.#clear();
    store.update("check", this.item, (before) => this.#attempt(before, { answer: "", shown: TEXT.unknown, correct: false, unknown: true }));
    this.#settle();
    this.#noted("polite");
  }

  /** @param {import("./lib/records.js").Data | null} before @param {{ answer: string, shown: string, correct: boolean, drew?: string, unknown?: boolean }} answer */
  #attempt(before, { drew, ...answer }) {
    const at = Date.now();
    const seconds = Math.min(3600, Math.round((at - (this.#since || at)) / 1000));
    const confidence = this.#confidence?.value ?? undefined;
    const attempt = { ...answer, at, seconds, hash: this.#variants.hash, variant: this.#variants.current, ...(drew ? { drew } : {}), ...(confidence ? { confidence } : {}) };
    return attempted(/** @type {Answered | null} */ (before), attempt, this.#variants.hashes);
  }

  /** What was open is answered now. */
  #settle() {
    this.#open = false;
    this.#since = 0;
    this.#earlier.hidden = true;
    setOff(this.#buttons.restart, false);
  }

  #reopen() {
    this.#open = true;
    this.#since ||= Date.now();
    this.#unmark();
    setOff(this.#buttons.restart, false);
  }

  #renumber() {
    const next = (this.#variants.current + 1) % this.#variants.count;
    this.#open = false;
    store.update("check", this.item, (before) => renumbered(/** @type {Answered | null} */ (before), next, this.#variants.hashes[next] ?? ""));
    this.#show();
    this.#marking.say(TEXT.renumbered);
  }

  #restart() {
    this.#open = false;
    store.remove("check", this.item);
    this.#switchTo(0);
    this.#show();
    this.#marking.say(TEXT.cleared);
  }

  /** @param {Verdict} verdict @param {"polite" | "off"} live off: it is shown, not announced @param {string} [more] */
  #mark(verdict, live, more = "") {
    const { correct, open = false, summary } = verdict;
    this.#marking.mark(verdict, this.item);
    this.#marking.reveal(".check-hints", !open);
    this.#marking.reveal(".check-explanation", correct);
    const state = open ? "" : correct ? "right" : "wrong";
    const heard = verdict.said.map(({ words }) => words.textContent?.trim() ?? "").join(" ");
    this.#marking.say((summary ?? (correct ? TEXT.right : TEXT.wrong)) + more, { state, heard, live });
  }

  /** @param {"polite" | "off"} live */
  #noted(live) {
    const opened = this.querySelector(".check-hints") ? ".check-hints" : ".check-explanation";
    this.#marking.reveal(opened, true);
    this.#marking.say(this.querySelector(opened) ? TEXT.noted : TEXT.notedAlone, { live });
  }

  #unmark() {
    this.#marking.unmark();
  }
}

/** Whether the student came from the list of what is due. @param {string} id */
function isReviewed(id) {
  return new URLSearchParams(location.search).get("review") === id;
}

customElements.define("course-check", CourseCheck);
