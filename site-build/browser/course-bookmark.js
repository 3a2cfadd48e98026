/**
 * Bookmarks: one for the lesson, here, and a small button after each of its headings.
 */
import { button, make, statusLine } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { concerns } from "./lib/records.js";
import { savingWords } from "./lib/saving.js";
import { store } from "./store.js";

const TEXT = {
  page: "Bookmark this lesson",
  heading: (/** @type {string} */ label) => `Bookmark “${label}”`,
  set: (/** @type {string} */ label) => `Bookmarked: ${label}. It is in My notebook.`,
  gone: (/** @type {string} */ label) => `No longer bookmarked: ${label}.`,
};

/** @param {Element} heading @returns {string} its words, without the link that themes put in */
function words(heading) {
  const copy = /** @type {Element} */ (heading.cloneNode(true));
  copy.querySelectorAll("a.headerlink").forEach((link) => link.remove());
  return copy.textContent?.trim() ?? "";
}

/** A ribbon, drawn; filled by the style where it is set. */
function ribbon() {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  for (const [name, value] of [["viewBox", "0 0 24 24"], ["width", "20"], ["height", "20"], ["aria-hidden", "true"]]) {
    drawing.setAttribute(/** @type {string} */ (name), /** @type {string} */ (value));
  }
  path.setAttribute("d", "M7 4h10v16l-5-4-5 4z");
  drawing.append(path);
  return drawing;
}

class CourseBookmark extends CourseElement {
  #status = statusLine("bookmark-status course-unseen");
  /** Each button with the id of its bookmark. @type {Map<string, { node: HTMLButtonElement, label: string }>} */
  #marks = new Map();

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    const page = button(TEXT.page, "quiet");
    page.prepend(ribbon());
    page.classList.add("bookmark-page");
    this.append(this.own(page), this.own(this.#status));
    this.#mark(this.item, page, words(document.querySelector("article h1") ?? document.head), signal);
    for (const heading of document.querySelectorAll("article > h2[id]")) this.#markHeading(heading, signal);
    this.onEnd(store.subscribe((change) => concerns(change, "bookmark") && this.#show()));
    this.onEnd(() => this.#marks.clear());
    this.#show();
  }

  /** @param {Element} heading @param {AbortSignal} signal */
  #markHeading(heading, signal) {
    const label = words(heading);
    const node = make("button", { type: "button", class: "bookmark-heading", "aria-label": TEXT.heading(label), title: TEXT.heading(label) }, ribbon());
    heading.after(this.own(node));
    this.#mark(`${this.item}#${heading.id}`, node, label, signal);
  }

  /** @param {string} id @param {HTMLButtonElement} node @param {string} label @param {AbortSignal} signal */
  #mark(id, node, label, signal) {
    this.#marks.set(id, { node, label });
    node.addEventListener("click", () => this.#toggle(id, label), { signal });
  }

  /** @param {string} id @param {string} label */
  #toggle(id, label) {
    if (store.get("bookmark", id)) {
      store.remove("bookmark", id);
      this.#status.textContent = TEXT.gone(label);
      return;
    }
    const result = store.put("bookmark", id, { label });
    this.#status.textContent = result.ok ? TEXT.set(label) : savingWords(result);
  }

  #show() {
    for (const [id, { node }] of this.#marks) node.setAttribute("aria-pressed", String(store.get("bookmark", id) !== null));
  }
}

customElements.define("course-bookmark", CourseBookmark);
