/** The runs that this page has at hand: made here, recorded by others, or from a file. Each can be looked at, saved, opened in the lab. */
import { button, make, statusLine } from "../dom.js";
import { holdsPrompts } from "./kept-prompts.js";
import { count } from "./words.js";

/** @typedef {{ id: string, name: string, source: "live" | "recorded" | "simulated", about: string, text: string }} Run a whole trace, as text */

const TEXT = {
  title: "Runs on this page",
  none: "None yet: make one, or open a recording or a file.",
  sources: { live: "live", recorded: "recorded", simulated: "simulated" },
  show: "Show",
  save: "Save",
  plain: "Save with prompts",
  bare: "Save without prompts",
  holds: "It holds its prompts in plain: whoever gets the file can read them. Without them it can be replayed all the same, and so it goes to the lab.",
  lab: "Open in the lab",
  file: "Open a trace file…",
  size: (/** @type {string} */ text) => `${count(Math.max(1, Math.round(text.length / 1000)), "KB", "KB").replace(" ", "\u00a0")}`,
  lost: "They are gone when you close or reload this page: save what you want to keep.",
};

export class ShelfPanel {
  /** @type {Run[]} */
  runs = [];
  #list = make("ul", { class: "live-shelf" });
  #status = statusLine("live-status");
  #picked = make("input", { type: "file", accept: ".jsonl,.json", hidden: true });
  #take = button(TEXT.file);
  #deeds;
  #signal;

  /**
   * @param {{ show: (run: Run) => void, save: (run: Run) => void, bare: (run: Run) => void, lab: (run: Run) => void, file: (file: File) => void, changed: () => void }} deeds
   * @param {AbortSignal} signal
   */
  constructor(deeds, signal) {
    this.#deeds = deeds;
    this.#signal = signal;
    this.node = make("section", { class: "live-part live-runs" }, make("h2", {}, TEXT.title), this.#list, make("p", { class: "live-about" }, TEXT.lost), make("div", { class: "live-actions" }, this.#take, this.#picked), this.#status);
    this.#take.addEventListener("click", () => this.#picked.click(), { signal });
    this.#picked.addEventListener("change", () => {
      const file = this.#picked.files?.[0];
      this.#picked.value = "";
      if (file) deeds.file(file);
    }, { signal });
    this.#draw();
  }

  /** @param {Run} run one of the same id goes */
  add(run) {
    this.runs = [...this.runs.filter(({ id }) => id !== run.id), run];
    this.#draw();
    this.#deeds.changed();
  }

  /** @param {string} id */
  has(id) {
    return this.runs.some((run) => run.id === id);
  }

  /** @param {string} words @param {boolean} [bad] */
  say(words, bad = false) {
    this.#status.textContent = words;
    this.#status.classList.toggle("live-bad", bad);
  }

  #draw() {
    const rows = this.runs.map((run) => this.#row(run));
    this.#list.replaceChildren(...(rows.length ? rows : [make("li", { class: "live-none" }, TEXT.none)]));
  }

  /** @param {Run} run */
  #row(run) {
    const holds = holdsPrompts(run.text);
    /** @type {[string, (run: Run) => void][]} */
    const saves = holds ? [[TEXT.bare, this.#deeds.bare], [TEXT.plain, this.#deeds.save]] : [[TEXT.save, this.#deeds.save]];
    /** @type {[string, (run: Run) => void][]} */
    const deeds = [[TEXT.show, this.#deeds.show], ...saves, [TEXT.lab, this.#deeds.lab]];
    const buttons = deeds.map(([label, deed]) => {
      const node = button(label, "quiet");
      node.setAttribute("aria-label", `${label}: ${run.name}`);
      node.addEventListener("click", () => deed(run), { signal: this.#signal });
      return node;
    });
    const about = make("span", { class: "live-about" }, [run.about, TEXT.size(run.text)].filter(Boolean).join(" "));
    return make("li", { "data-run": run.id }, make("span", { class: "live-badge" }, TEXT.sources[run.source]), " ", make("strong", {}, run.name), " ", about, ...(holds ? [make("p", { class: "live-note" }, TEXT.holds)] : []), make("span", { class: "live-actions" }, ...buttons));
  }
}
