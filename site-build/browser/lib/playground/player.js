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
  /** A trace that is shown later makes what is still being read void. */
  #turn = 0;

  /** @param {string} text @param {string} name @returns {Promise<boolean>} whether it is drawn; not where another came meanwhile */
  async show(text, name) {
    const turn = (this.#turn += 1);
    this.text = text;
    try {
      await import(courseUrl("assets/course/trace-player.js"));
      if (turn !== this.#turn) return false;
      this.#element ??= /** @type {TracePlayer} */ (document.createElement("trace-player"));
      if (!this.#element.isConnected) this.node.append(this.#element);
      this.node.hidden = false;
      await this.#element.open(text, { name });
      return true;
    } catch (error) {
      if (turn !== this.#turn) return false;
      console.warn("The trace could not be drawn", error);
      this.node.hidden = true;
      return false;
    }
  }

  /** Nothing is shown: the trace of another setting would mislead. */
  empty() {
    this.#turn += 1;
    this.text = "";
    this.node.hidden = true;
  }
}
