/** What a check shows of a verdict: marks, words, and the line that is read out. It decides nothing. */
import { unseen } from "../dom.js";

const WORDS = ".check-feedback, .check-missed, .check-answer, .check-mistake, .check-otherwise";

export class Marking {
  #element;

  /** @param {import("../element.js").CourseElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {import("./kinds.js").Verdict} verdict @param {string} id the check's */
  mark({ marks, said, opens = [] }, id) {
    for (const { place, state } of marks) place.dataset.state = state;
    for (const node of opens) node.hidden = false;
    said.forEach(({ words, field }, at) => {
      words.hidden = false;
      words.id = `check-${id}-why${at || ""}`;
      field?.setAttribute("aria-describedby", words.id);
    });
  }

  /** No words of feedback stay, nor a reference to them: a screen reader would read what is hidden. */
  unmark() {
    const form = this.#element.piece("form");
    for (const marked of form.querySelectorAll("[data-state]")) marked.removeAttribute("data-state");
    for (const field of form.querySelectorAll("[aria-describedby]")) field.removeAttribute("aria-describedby");
    for (const words of form.querySelectorAll(WORDS)) {
      words.toggleAttribute("hidden", true);
      words.removeAttribute("id");
    }
    this.reveal(".check-explanation", false);
    this.say("");
  }

  /** @param {string} selector @param {boolean} visible */
  reveal(selector, visible) {
    this.#element.querySelector(selector)?.toggleAttribute("hidden", !visible);
  }

  /**
   * @param {string} words
   * @param {{ state?: string, heard?: string, live?: "polite" | "off" }} [how] `heard` is for a screen reader alone, since
   * the eye finds it beside the answer
   */
  say(words, { state = "", heard = "", live = "polite" } = {}) {
    const line = this.#element.piece(".check-result");
    line.setAttribute("aria-live", live);
    line.replaceChildren(words, ...(heard ? [unseen(` ${heard.trim()}`)] : []));
    if (state) line.dataset.state = state;
    else delete line.dataset.state;
  }
}
