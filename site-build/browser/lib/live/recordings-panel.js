/** Recordings that the course ships: for everybody without a server. */
import { button, make, statusLine } from "../dom.js";
import { courseUrl } from "../page.js";

/** @typedef {{ file: string, name: string, about: string }} Recording */

const TEXT = {
  title: "Without a server",
  why: "These runs of real servers were recorded with this very link. Everything below works on them as well.",
  open: "Open",
  loading: "Loading the list…",
  none: "None is shipped with this copy of the course.",
  missing: "The list of recordings didn't arrive. Check the connection, then reload the page.",
  lost: (/** @type {string} */ name) => `“${name}” didn't arrive. Check the connection, then try again.`,
  opened: (/** @type {string} */ name) => `“${name}” is on the page, under “Runs on this page”.`,
};

const FOLDER = "recordings/";

export class RecordingsPanel {
  #list = make("ul", { class: "live-recordings" });
  #status = statusLine("live-status");

  /** @param {(recording: Recording, text: string) => void} open @param {AbortSignal} signal */
  constructor(open, signal) {
    this.node = make("section", { class: "live-part live-without" }, make("h2", {}, TEXT.title), make("p", {}, TEXT.why), this.#list, this.#status);
    this.#status.textContent = TEXT.loading;
    void this.#load(open, signal);
  }

  /** @param {(recording: Recording, text: string) => void} open @param {AbortSignal} signal */
  async #load(open, signal) {
    try {
      const { recordings } = await (await this.#fetch("index.json", signal)).json();
      this.#list.append(.../** @type {Recording[]} */ (recordings).map((one) => this.#row(one, open, signal)));
      this.#status.textContent = recordings.length ? "" : TEXT.none;
    } catch {
      if (!signal.aborted) this.#status.textContent = TEXT.missing;
    }
  }

  /** @param {string} file @param {AbortSignal} signal */
  async #fetch(file, signal) {
    const answer = await fetch(courseUrl(FOLDER + file), { signal });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  }

  /** @param {Recording} recording @param {(recording: Recording, text: string) => void} open @param {AbortSignal} signal */
  #row(recording, open, signal) {
    const node = button(TEXT.open);
    node.setAttribute("aria-label", `${TEXT.open}: ${recording.name}`);
    node.addEventListener("click", async () => {
      try {
        open(recording, await (await this.#fetch(recording.file, signal)).text());
        this.#status.textContent = TEXT.opened(recording.name);
      } catch {
        if (!signal.aborted) this.#status.textContent = TEXT.lost(recording.name);
      }
    }, { signal });
    return make("li", {}, node, " ", make("strong", {}, recording.name), " ", make("span", { class: "live-badge" }, "recorded"), " ", make("span", { class: "live-about" }, recording.about));
  }
}
