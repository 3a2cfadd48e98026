/**
 * How far the student is, lesson by lesson, in words: their own mark, the checks, the labs' tasks.
 */
import { courseMap } from "./lib/course-map.js";
import { day, make } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { courseUrl } from "./lib/page.js";
import { progressFacts } from "./lib/progress-facts.js";
import { store } from "./store.js";

const TEXT = {
  complete: "You marked this lesson complete on ",
  open: "You haven't marked this lesson complete.",
  checks: "Checks",
  check: { right: "Right", wrong: "Not right yet", open: "Not answered" },
  task: { passed: "Passed", earlier: "Passed in an earlier version of the lab", open: "Not passed yet" },
  count: (/** @type {number} */ done, /** @type {number} */ all, /** @type {string} */ word) => `${done} of ${all} ${word}`,
  noMap: "The list of lessons didn't arrive. Reload the page to try again; your progress is kept.",
};

/** @typedef {import("./lib/progress-facts.js").LessonFacts} LessonFacts */

/** @param {string} url @param {string} text */
const link = (url, text) => make("a", { href: courseUrl(url) }, text);

/** @param {string} state @param {string} words @param {...(Node | string)} what */
function row(state, words, ...what) {
  return make("li", { "data-state": state }, make("span", { class: "progress-state" }, words), " ", ...what);
}

/** @param {LessonFacts["checks"]} checks */
function checksOf(checks) {
  if (checks.length === 0) return [];
  const right = checks.filter((check) => check.state === "right").length;
  const rows = checks.map(({ state, url, title }) => row(state, TEXT.check[state], link(url, title)));
  const head = make("h3", {}, TEXT.checks, " ", make("span", { class: "progress-count" }, TEXT.count(right, checks.length, "right")));
  return [head, make("ul", { class: "progress-rows" }, ...rows)];
}

/** @param {LessonFacts["labs"][number]} lab */
function labOf({ title, url, tasks }) {
  const passed = tasks.filter((task) => task.state !== "open").length;
  const rows = tasks.map((task) => row(task.state, TEXT.task[task.state], task.title, ...(task.at === null ? [] : [" (", day(task.at), ")"])));
  const count = make("span", { class: "progress-count" }, TEXT.count(passed, tasks.length, "passed"));
  return [make("h3", {}, link(url, title), " ", count), make("ul", { class: "progress-rows" }, ...rows)];
}

/** @param {LessonFacts} lesson */
function lessonOf({ title, url, completedAt, checks, labs }) {
  const mark = completedAt === null ? [TEXT.open] : [TEXT.complete, day(completedAt), "."];
  return make(
    "section",
    { class: "progress-lesson", "data-state": completedAt === null ? "open" : "complete" },
    make("h2", {}, link(url, title)),
    make("p", {}, ...mark),
    ...checksOf(checks),
    ...labs.flatMap(labOf),
  );
}

class CourseProgress extends CourseElement {
  #list = make("div", { class: "progress-list" });

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.append(this.own(this.#list));
    this.#draw(signal);
    this.onEnd(store.subscribe(() => this.#draw(signal)));
  }

  /** @param {AbortSignal} signal */
  async #draw(signal) {
    try {
      const map = await courseMap();
      const facts = progressFacts(map, (kind, id) => store.get(kind, id));
      if (!signal.aborted) this.#list.replaceChildren(...facts.map(lessonOf));
    } catch {
      this.#list.replaceChildren(make("p", { role: "status" }, TEXT.noMap));
    }
  }
}

customElements.define("course-progress", CourseProgress);
