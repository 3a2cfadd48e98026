/**
 * *Start*, or *Resume* where the student was. The markup holds the link to the first lesson.
 */
import { courseMap } from "./lib/course-map.js";
import { CourseElement } from "./lib/element.js";
import { courseUrl } from "./lib/page.js";
import { make } from "./lib/dom.js";
import { store } from "./store.js";

const TEXT = {
  resume: "Resume",
  at: (/** @type {string} */ lesson, /** @type {string} */ heading) => `You were in “${lesson}”, at “${heading}”.`,
  in: (/** @type {string} */ lesson) => `You were in “${lesson}”.`,
};

const PLACE = "resume-at";

class CourseResume extends CourseElement {
  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.#offer(signal).catch((error) => console.warn("course-resume: the course map can't be read", error));
  }

  /** @param {AbortSignal} signal */
  async #offer(signal) {
    const visit = store.get("visit", "last")?.data;
    if (!visit) return;
    const lesson = (await courseMap()).lessons.find((one) => one.id === visit.lesson);
    if (!lesson || signal.aborted) return;
    const heading = lesson.headings.find((one) => one.id === visit.heading);
    const link = /** @type {HTMLAnchorElement} */ (this.piece("a"));
    const before = { href: link.href, text: link.textContent };
    link.href = courseUrl(lesson.url + (heading ? `#${heading.id}` : ""));
    link.textContent = TEXT.resume;
    link.setAttribute("aria-describedby", PLACE);
    const words = heading ? TEXT.at(lesson.title, heading.text) : TEXT.in(lesson.title);
    this.append(this.own(make("p", { class: "resume-at", id: PLACE }, words)));
    this.onEnd(() => {
      Object.assign(link, { href: before.href, textContent: before.text });
      link.removeAttribute("aria-describedby");
    });
  }
}

customElements.define("course-resume", CourseResume);
