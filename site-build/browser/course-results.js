/** Results for a class, as a file: the student chooses what goes in, sees it, and saves it. Nothing is sent. */
import { placedChecks } from "./lib/check-facts.js";
import { courseMap } from "./lib/course-map.js";
import { button, make, statusLine } from "./lib/dom.js";
import { download } from "./lib/download.js";
import { CourseElement } from "./lib/element.js";
import { packResults } from "./lib/results.js";
import { store } from "./store.js";

const TEXT = {
  title: "Results for your class",
  why: "If you take this course with others, your instructor may ask for your results. You decide what goes into the file. It is saved on your device; nothing is sent.",
  choose: "What goes in",
  parts: { answers: "What you answered", confidence: "How sure you were", times: "When, and how long it took" },
  name: "A name that your instructor knows you by (or leave it empty)",
  show: "Show what the file says",
  save: "Save the results",
  saved: "The file is in your downloads. It says at its beginning what is in it.",
  none: "There is nothing to save yet: answer a check first.",
  noMap: "The list of lessons didn't arrive. Reload the page, then try again.",
};

/** @typedef {import("./lib/results.js").Choice} Choice */

class CourseResults extends CourseElement {
  #parts = Object.keys(TEXT.parts).map((part) => make("input", { type: "checkbox", name: part, checked: true }));
  #name = make("input", { type: "text", class: "course-field", maxlength: 80, autocomplete: "off" });
  #preview = make("pre", { class: "results-preview", tabindex: 0, role: "group", "aria-label": TEXT.show });
  #shown = make("details", {}, make("summary", {}, TEXT.show), this.#preview);
  #status = statusLine("results-status");

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    const save = button(TEXT.save);
    const labels = this.#parts.map((input) => make("label", {}, input, " ", TEXT.parts[/** @type {keyof Choice} */ (input.name)]));
    const body = make(
      "div",
      { class: "results-body" },
      make("h2", {}, TEXT.title),
      make("p", {}, TEXT.why),
      make("fieldset", { class: "results-parts" }, make("legend", {}, TEXT.choose), ...labels),
      make("label", { class: "results-name" }, TEXT.name, this.#name),
      this.#shown,
      make("div", { class: "results-actions" }, save),
      this.#status,
    );
    this.append(this.own(body));
    save.addEventListener("click", () => this.#save(), { signal });
    for (const change of ["toggle", "input"]) body.addEventListener(change, () => this.#show(), { signal, capture: true });
  }

  /** What the file would say, or null where the course's list didn't arrive. */
  async #results() {
    const map = await courseMap().catch(() => null);
    if (!map) return null;
    const choice = /** @type {Choice} */ (Object.fromEntries(this.#parts.map((input) => [input.name, input.checked])));
    return packResults(map.course, placedChecks(map, (id) => store.get("check", id)), choice, this.#name.value);
  }

  async #show() {
    if (!this.#shown.open) return;
    const results = await this.#results();
    this.#preview.textContent = results ? JSON.stringify(results, null, 1) : TEXT.noMap;
  }

  async #save() {
    const results = await this.#results();
    if (!results || results.checks.length === 0) {
      this.#status.textContent = results ? TEXT.none : TEXT.noMap;
      return;
    }
    download(`${results.course}-results.json`, JSON.stringify(results, null, 1));
    this.#status.textContent = TEXT.saved;
  }
}

customElements.define("course-results", CourseResults);
