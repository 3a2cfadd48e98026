/** The trace player below the results: its module comes with the first trace, and all else works without it. */
import { make } from "../dom.js";
import { courseUrl } from "../page.js";

/** @typedef {HTMLElement & { open(text: string, about?: { name: string }): Promise<unknown> }} TracePlayer */

export class Player {
  node = make("div", { class: "play-player", hidden: true });
  /** The trace that is shown, as JSON Lines; empty for none. */
  text = "";
  /** @type {TracePlayer | null} */
  #element = null;

  /** @param {string} text @param {string} name @returns {Promise<boolean>} whether it is drawn */
  async show(text, name) {
    this.text = text;
    try {
      await import(courseUrl("assets/course/trace-player.js"));
      this.#element ??= /** @type {TracePlayer} */ (document.createElement("trace-player"));
      if (!this.#element.isConnected) this.node.append(this.#element);
      this.node.hidden = false;
      await this.#element.open(text, { name });
      return true;
    } catch (error) {
      console.warn("The trace could not be drawn", error);
      this.node.hidden = true;
      return false;
    }
  }

  /** Nothing is shown: the trace of another setting would mislead. */
  empty() {
    this.text = "";
    this.node.hidden = true;
  }
}
