/** The frame that the lab runs in: what it is told and what it tells. Its side is `site-build/lite/extension/`. */
import { RUNTIME } from "../runtime.js";
import { make } from "./dom.js";
import { courseUrl } from "./page.js";

/** @typedef {import("../../lite/extension/state.js").LabState} LabState */
/**
 * @typedef {object} Lab what the frame's `courseLab` can be asked for
 * @property {() => Promise<void>} runAll
 * @property {() => Promise<void>} stop
 * @property {(host: Document) => Promise<void>} restart asks first where variables would be lost
 * @property {(host: Document) => Promise<void>} startOver asks first where text would be lost
 * @property {() => Promise<void>} undo the last *Start over*
 * @property {(dark: boolean) => Promise<void>} setTheme
 * @property {() => Promise<string[]>} names of all notebooks that are kept
 * @property {(name: string) => void} open another notebook in the frame
 */
/** @typedef {{ name: string, notebook: object }} Placed a notebook to be written before the lab opens it */

/** Longer than a slow line takes for the largest file that no progress is told of. */
const SILENCE_MS = 60_000;

const TEXT = { silent: "Nothing has arrived for a minute. It may still come; or check the connection and try again." };

export class LabFrame {
  #hear;
  #life;
  #phase = "loading";
  #told = 0;
  #silence = 0;
  /** @type {HTMLIFrameElement} */
  node;

  /**
   * @param {string} title of the frame
   * @param {(state: Partial<LabState>) => void} hear
   * @param {AbortSignal} signal
   */
  constructor(title, hear, signal) {
    this.#hear = hear;
    this.#life = signal;
    this.node = make("iframe", { title, class: "lab-frame", allow: "clipboard-read; clipboard-write" });
  }

  /** @param {string} notebook file name @param {boolean} dark @param {Placed | null} placed */
  load(notebook, dark, placed) {
    const address = new URL(courseUrl("lab/notebooks/index.html"));
    address.searchParams.set("path", placed?.name ?? notebook);
    address.searchParams.set("theme", dark ? "dark" : "light");
    if (placed) this.node.dataset.snippet = JSON.stringify(placed.notebook);
    this.node.src = address.href;
    window.addEventListener("message", (event) => this.#take(event), { signal: this.#life });
    this.node.addEventListener("load", () => this.#look(), { signal: this.#life });
    this.#life.addEventListener("abort", () => clearInterval(this.#silence));
    this.#watch();
  }

  /** What the lab can be asked for; null until its notebook is open. @returns {Lab | null} */
  get lab() {
    return this.#inside?.courseLab ?? null;
  }

  /** The frame's window; null where the browser itself writes into it that nothing arrived. @returns {any} */
  get #inside() {
    return this.node.contentDocument && this.node.contentWindow;
  }

  /** Load anew, after a fault. */
  again() {
    this.node.hidden = false;
    if (this.#inside) this.#inside.location.reload();
    else this.node.src = this.node.getAttribute("src") ?? "";
    this.#phase = "loading";
    this.#watch();
  }

  /** @param {MessageEvent} event */
  #take({ source, origin, data }) {
    if (source === this.node.contentWindow && origin === location.origin && data?.courseLab) this.#tell(data.courseLab);
  }

  /** @param {Partial<LabState>} state */
  #tell(state) {
    // What is missing before the lab stands is in its way; later it is not.
    if (state.phase === "failed" && !state.kernel && this.#phase === "ready") return;
    this.#told += 1;
    this.#phase = state.phase ?? this.#phase;
    this.#hear(state);
  }

  /** Where the page of the lab itself is missing, nothing speaks from the frame, and what it shows is the browser's own. */
  #look() {
    if (this.#inside?.courseFaults) return;
    this.node.hidden = true;
    this.#tell({ phase: "failed", fault: "" });
  }

  /** Say so where a start comes to nothing and nobody can tell why. */
  #watch() {
    clearInterval(this.#silence);
    let heard = "";
    let since = performance.now();
    this.#silence = setInterval(() => {
      const news = `${this.#told} ${this.#arrived()}`;
      if (news !== heard) since = performance.now();
      heard = news;
      if (this.#phase === "ready") clearInterval(this.#silence);
      else if (this.#phase !== "failed" && performance.now() - since > SILENCE_MS) this.#tell({ phase: "failed", fault: TEXT.silent });
    }, 1000);
  }

  /** How many files the frame has been given. */
  #arrived() {
    return this.#inside?.performance.getEntriesByType("resource").length;
  }
}

/** The notebook that a lab opens with. @param {string} lab */
export function notebookOf(lab) {
  return /** @type {Record<string, { notebook: string }>} */ (RUNTIME.labs)[lab]?.notebook ?? `${lab}.ipynb`;
}
