/** What the student's answers say: right at the first try and by now, and how sure they were. In words and in a table. */
import { answerFacts, dueChecks, placedChecks } from "./lib/check-facts.js";
import { CONFIDENCE } from "./lib/checks/confidence.js";
import { courseMap } from "./lib/course-map.js";
import { make } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { courseUrl } from "./lib/page.js";
import { concerns } from "./lib/records.js";
import { store } from "./store.js";

const TEXT = {
  title: "Your answers",
  none: "You haven't answered a check yet.",
  accuracy: (/** @type {import("./lib/check-facts.js").AnswerFacts} */ { all, answered, first, now }) =>
    `You have answered ${answered} of ${all} checks: ${first} right at the first try, ${now} right by now.`,
  confidence: "How sure you were, and how often you were right at the first try",
  columns: ["How sure", "Answered", "Right"],
  sure: "Certain and wrong is the most useful row: there you would not have looked again.",
  due: (/** @type {number} */ due) => (due === 1 ? "One check is worth another look: it is on " : `${due} checks are worth another look: they are on `),
  notebook: "My notebook",
};

/** @param {import("./lib/check-facts.js").AnswerFacts["confidence"]} levels */
function tableOf(levels) {
  const head = make("tr", {}, ...TEXT.columns.map((name) => make("th", { scope: "col" }, name)));
  const rows = levels.map(({ level, answered, right }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, CONFIDENCE[/** @type {keyof typeof CONFIDENCE} */ (level)]),
      make("td", {}, String(answered)),
      make("td", {}, answered ? `${right} (${Math.round((100 * right) / answered)} %)` : "–"),
    ),
  );
  return make("table", {}, make("caption", {}, TEXT.confidence), make("thead", {}, head), make("tbody", {}, ...rows));
}

class CourseAnswers extends CourseElement {
  #body = make("div", { class: "answers-body" });

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.append(this.own(this.#body));
    this.#draw(signal);
    this.onEnd(store.subscribe((change) => concerns(change, "check") && this.#draw(signal)));
  }

  /** @param {AbortSignal} signal */
  async #draw(signal) {
    // Without the map there is nothing to say here; the progress below tells that it didn't arrive.
    const map = await courseMap().catch(() => null);
    if (!map || signal.aborted) return;
    const placed = placedChecks(map, (id) => store.get("check", id));
    const facts = answerFacts(placed, Object.keys(CONFIDENCE));
    const asked = facts.confidence.some(({ answered }) => answered > 0);
    const due = dueChecks(placed, Date.now()).length;
    this.#body.replaceChildren(
      make("h2", {}, TEXT.title),
      make("p", {}, facts.answered ? TEXT.accuracy(facts) : TEXT.none),
      ...(asked ? [tableOf(facts.confidence), make("p", { class: "answers-note" }, TEXT.sure)] : []),
      ...(due ? [make("p", {}, TEXT.due(due), make("a", { href: courseUrl("notebook/") }, TEXT.notebook), ".")] : []),
    );
  }
}

customElements.define("course-answers", CourseAnswers);
