/**
 * What to look at once more: the checks that are due, oldest first. Quiet where nothing is; it counts nothing up
 * and reminds nobody elsewhere.
 */
import { dueChecks, placedChecks } from "./lib/check-facts.js";
import { courseMap } from "./lib/course-map.js";
import { day, make } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { courseUrl } from "./lib/page.js";
import { concerns } from "./lib/records.js";
import { store } from "./store.js";

const TEXT = {
  title: "To look at once more",
  why: "Checks come back 1, 7 and 30 days after you answered them, when it takes some effort to remember. Do as many as you like; the rest waits.",
  none: "Nothing is due. Checks that you answer come back here after 1, 7 and 30 days.",
  since: "due since ",
  more: (/** @type {number} */ more) => `And ${more} more`,
};

/** So many stand open; the rest is behind a disclosure. */
const SHOWN = 5;

/** @param {ReturnType<typeof dueChecks>} due */
function listOf(due) {
  const rows = due.map(({ title, url, since }) => make("li", {}, make("a", { href: courseUrl(url) }, title), " ", make("span", { class: "review-since" }, TEXT.since, day(since))));
  return make("ul", { class: "review-list" }, ...rows);
}

class CourseReview extends CourseElement {
  #body = make("div", { class: "review-body" });

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.append(this.own(this.#body));
    this.#draw(signal);
    this.onEnd(store.subscribe((change) => concerns(change, "check") && this.#draw(signal)));
  }

  /** @param {AbortSignal} signal */
  async #draw(signal) {
    // Without the map nobody knows where a check stands; the notebook beside this says so.
    const map = await courseMap().catch(() => null);
    if (!map || signal.aborted) return;
    const due = dueChecks(placedChecks(map, (id) => store.get("check", id)), Date.now());
    const rest = due.slice(SHOWN);
    this.#body.replaceChildren(
      make("h2", {}, TEXT.title),
      make("p", {}, due.length ? TEXT.why : TEXT.none),
      ...(due.length ? [listOf(due.slice(0, SHOWN))] : []),
      ...(rest.length ? [make("details", {}, make("summary", {}, TEXT.more(rest.length)), listOf(rest))] : []),
    );
  }
}

customElements.define("course-review", CourseReview);
