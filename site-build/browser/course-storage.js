/**
 * A word at the top of the page where a student's work isn't kept, or couldn't be read. Silent else.
 */
import { COURSE } from "./lib/course.js";
import { button, focusStill, make } from "./lib/dom.js";
import { download } from "./lib/download.js";
import { CourseElement } from "./lib/element.js";
import { store } from "./store.js";

const TEXT = {
  off: "This browser's storage is switched off for this site. The page works, but what you do here is lost when you close it.",
  full: "This browser's storage for this site is full. Your newest work is kept only until you close this page.",
  unverified: "This browser didn't keep what was written. Your newest work is kept only until you close this page.",
  retry: "Try to save again",
  save: "Save my work to a file",
  aside: (/** @type {number} */ count) =>
    count === 1
      ? "One saved item could not be read. It was put aside, not deleted; everything else works."
      : `${count} saved items could not be read. They were put aside, not deleted; everything else works.`,
  asideSave: "Save them to a file",
  asideDrop: "Delete them",
  asideSure: "Delete the items that could not be read? Nothing can bring them back.",
  newer: "Some of your work was saved by a newer version of the course. It is left as it is. Reload the page to see it.",
  file: `${COURSE}-work.json`,
  asideFile: `${COURSE}-put-aside.json`,
};

class CourseStorage extends CourseElement {
  #words = make("div", { class: "storage-words", role: "status" });
  #deeds = make("div", { class: "storage-actions" });
  #shown = "";
  #due = 0;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.append(this.own(this.#words), this.own(this.#deeds));
    const later = () => (this.#due ||= requestAnimationFrame(() => this.#show(signal)));
    this.onEnd(store.subscribe(later));
    this.onEnd(() => cancelAnimationFrame(this.#due));
    this.#show(signal);
  }

  /** @param {AbortSignal} signal */
  #show(signal) {
    this.#due = 0;
    const { state, aside, newer } = store.health();
    const shown = JSON.stringify([state, aside.length, newer.length]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const words = [state === "ok" ? "" : TEXT[state], aside.length ? TEXT.aside(aside.length) : "", newer.length ? TEXT.newer : ""];
    this.#words.replaceChildren(...words.filter(Boolean).map((text) => make("p", {}, text)));
    this.#deeds.replaceChildren(...this.#choices(state, aside, signal));
    this.hidden = words.every((text) => text === "");
  }

  /** @param {import("./store.js").Health["state"]} state @param {import("./store.js").Aside[]} aside @param {AbortSignal} signal */
  #choices(state, aside, signal) {
    /** @type {[string, () => void][]} */
    const choices = [];
    if (state === "full" || state === "unverified") choices.push([TEXT.retry, () => store.retry()]);
    if (state !== "ok") choices.push([TEXT.save, () => download(TEXT.file, JSON.stringify(store.exportAll(), null, 2))]);
    if (aside.length) {
      choices.push([TEXT.asideSave, () => download(TEXT.asideFile, JSON.stringify(aside, null, 2))]);
      choices.push([TEXT.asideDrop, () => confirm(TEXT.asideSure) && store.dropAside()]);
    }
    return choices.map(([label, deed]) => {
      const node = button(label, "quiet");
      node.addEventListener("click", () => (deed(), this.#show(signal), this.#keepFocus()), { signal });
      return node;
    });
  }

  /** The button that was pressed may be gone: go on with the next one, or with the page. */
  #keepFocus() {
    if (document.activeElement !== document.body) return;
    const title = document.querySelector("h1");
    title?.setAttribute("tabindex", "-1");
    const next = this.hidden ? title : this.querySelector("button");
    if (next) focusStill(next);
  }
}

customElements.define("course-storage", CourseStorage);
