/**
 * A lab in the page: a notebook behind a button, with what a student needs around it.
 *
 * Marks: `data-phase="closed|loading|opening|ready|failed"` on the element.
 */
import { courseMap } from "./lib/course-map.js";
import { button, focusStill, isOff, make, setOff, statusLine } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { LabFrame, notebookOf } from "./lib/lab-frame.js";
import { keepReports } from "./lib/lab-results.js";
import { snippetNotebook } from "./lib/lab-snippet.js";
import { handOnLink } from "./lib/live/handing.js";
import { takenTrace } from "./lib/live/lab-trace.js";
import { courseUrl } from "./lib/page.js";
import { tasksOf } from "./lib/progress-facts.js";
import { concerns } from "./lib/records.js";
import { savingWords } from "./lib/saving.js";
import { isDark, onScheme } from "./lib/scheme.js";
import { warmFor } from "./lib/warm.js";
import { RUNTIME } from "./runtime.js";
import { store } from "./store.js";

const TEXT = {
  start: "Start the lab",
  startSnippet: "Open the snippet in the lab",
  startTrace: "Open the trace in the lab",
  lostTrace: "The trace didn't come along: open it in the lab from the page that has it. The lab opens instead.",
  size: (/** @type {number} */ bytes) => `The first time it loads ${megabytes(bytes)} MB; then your browser has it.`,
  frame: (/** @type {string} */ title) => `Notebook: ${title}`,
  bar: "Lab",
  runAll: "Run all",
  stop: "Stop",
  restart: "Restart",
  startOver: "Start over",
  undo: "Undo start over",
  own: "Open as its own page",
  copies: "Your notebooks",
  loading: "Loading the lab…",
  progress: (/** @type {number} */ loaded, /** @type {number} */ total) => `Python: ${megabytes(loaded)} of ${megabytes(total)} MB`,
  opening: "Opening the notebook…",
  starting: "Starting Python…",
  ready: "The lab is ready.",
  busy: "Running…",
  failed: "The lab could not be loaded: a file is missing or didn't arrive. Check the connection, then try again.",
  again: "Try again",
  lost: "The snippet's code didn't come along, because this browser's storage is switched off. The lab opens instead.",
  unknown: (/** @type {string} */ id) =>
    `No code of a snippet “${id}” is kept in this browser. Open it in the lab from its lesson. The lab opens instead.`,
  plain:
    "This page came over plain http from another machine, so the browser offers no service worker: in the lab, input() " +
    "doesn't work, and files that your code writes are gone when Python restarts. Everything else works.",
  deaf: "This browser lets no word from the lab through to this page: what you pass is shown in the notebook and isn't recorded here.",
  tasks: "Tasks",
  states: {
    passed: "passed",
    earlier: "passed, in an earlier version of the lab",
    open: "not passed yet",
  },
  all: "Lab passed.",
};

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0);

/** @typedef {import("./lib/lab-frame.js").LabState} LabState */

class CourseLab extends CourseElement {
  #buttons = {
    runAll: button(TEXT.runAll),
    stop: button(TEXT.stop),
    restart: button(TEXT.restart),
    startOver: button(TEXT.startOver),
    undo: button(TEXT.undo),
  };
  #start = button(TEXT.start, "primary");
  #again = button(TEXT.again, "primary");
  #own = make("a", { class: "course-button course-button--quiet" }, TEXT.own);
  #door = make("div", { class: "lab-door" }, this.#start, make("span", { class: "lab-size" }, TEXT.size(RUNTIME.bytes.lab)));
  #bar = make("div", { class: "lab-bar", role: "group", "aria-label": TEXT.bar, tabindex: -1, hidden: true });
  #status = statusLine("lab-status");
  #progress = make("progress", { max: 1, value: 0 });
  #progressWords = make("span");
  #loading = make("p", { class: "lab-progress", hidden: true }, this.#progress, this.#progressWords);
  #copies = make("details", { class: "lab-copies", hidden: true }, make("summary", {}, TEXT.copies), make("ul"));
  #tasks = make("div", { class: "lab-tasks" });
  /** @type {LabFrame | null} */
  #frame = null;
  /** @type {Partial<LabState>} */
  #state = {};
  #said = "";

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.#own.href = courseUrl(`labs/${this.#lab}/`);
    this.#own.hidden = this.#isOwnPage;
    this.#build();
    this.#listen(signal);
    this.#show({ phase: undefined });
    const end = keepReports(this.#lab, store, (result) => result.ok || this.#say(savingWords(result)));
    if (end) this.onEnd(end);
    else this.append(this.own(make("p", { class: "lab-plain" }, TEXT.deaf)));
    this.onEnd(store.subscribe((change) => concerns(change, "lab", this.#lab) && void this.#showTasks()));
    this.onEnd(() => (this.#frame = null));
    void this.#showTasks();
    this.onEnd(handOnLink());
    if (this.#snippet) this.#start.textContent = TEXT.startSnippet;
    if (this.#wantsTrace) this.#start.textContent = TEXT.startTrace;
  }

  get #lab() {
    const lab = this.dataset.lab;
    if (!lab) throw new Error("<course-lab> has no data-lab: give the name of the lab's folder");
    return lab;
  }

  get #isOwnPage() {
    return this.#own.href === location.origin + location.pathname;
  }

  /** The snippet that *Open in the lab* came with. */
  get #snippet() {
    return this.#isOwnPage ? new URLSearchParams(location.search).get("snippet") : null;
  }

  /** Whether *Open in the lab* came with a trace. */
  get #wantsTrace() {
    return this.#isOwnPage && new URLSearchParams(location.search).has("trace");
  }

  #build() {
    const { runAll, stop, restart, startOver, undo } = this.#buttons;
    this.#bar.append(runAll, stop, restart, startOver, undo, this.#again);
    const parts = [this.#door, this.#bar, this.#status, this.#loading, this.#copies, this.#tasks];
    for (const part of parts) this.append(this.own(part));
    if (!window.isSecureContext) this.append(this.own(make("p", { class: "lab-plain" }, TEXT.plain)));
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { runAll, stop, restart, startOver, undo } = this.#buttons;
    /** @type {[HTMLButtonElement, () => unknown][]} */
    const deeds = [
      [this.#start, () => this.#open(signal)],
      [this.#again, () => (this.#show({ phase: "loading" }), this.#frame?.again())],
      [runAll, () => this.#frame?.lab?.runAll()],
      [stop, () => this.#frame?.lab?.stop()],
      [restart, () => this.#frame?.lab?.restart(document)],
      [startOver, () => this.#frame?.lab?.startOver(document)],
      [undo, () => this.#frame?.lab?.undo()],
    ];
    for (const [node, deed] of deeds) node.addEventListener("click", () => isOff(node) || deed(), { signal });
    warmFor(this.#start, "lab", signal);
    onScheme(() => void this.#frame?.lab?.setTheme(isDark()), signal);
    this.#copies.addEventListener("toggle", () => this.#copies.open && void this.#listCopies(), { signal });
  }

  /** @param {AbortSignal} signal */
  async #open(signal) {
    this.#say(TEXT.loading);
    this.#show({ phase: "loading" });
    focusStill(this.#bar);
    const placed = await this.#placed();
    if (signal.aborted) return;
    const frame = new LabFrame(TEXT.frame(await this.#title()), (state) => this.#show(state), signal);
    this.#frame = frame;
    frame.load(notebookOf(this.#lab), isDark(), placed);
    this.#copies.before(this.own(frame.node));
  }

  /** @returns {Promise<import("./lib/lab-frame.js").Placed | null>} */
  async #placed() {
    if (this.#wantsTrace) {
      const placed = takenTrace();
      if (!placed) this.#say(TEXT.lostTrace);
      return placed;
    }
    const id = this.#snippet;
    if (!id) return null;
    const code = store.get("snippet", id)?.data.code;
    if (typeof code !== "string") {
      this.#say(store.health().state === "off" ? TEXT.lost : TEXT.unknown(id));
      return null;
    }
    const map = await courseMap().catch(() => null);
    const titles = map?.lessons.flatMap(({ snippets }) => snippets) ?? [];
    return snippetNotebook(id, titles.find((one) => one.id === id)?.title ?? id, code);
  }

  async #title() {
    const map = await courseMap().catch(() => null);
    return map?.labs.find(({ id }) => id === this.#lab)?.title ?? this.#lab;
  }

  /** @param {Partial<LabState>} state */
  #show(state) {
    this.#state = state;
    const phase = state.phase ?? "closed";
    const ready = phase === "ready" && !state.away;
    const { runAll, stop, restart, startOver, undo } = this.#buttons;
    this.dataset.phase = phase;
    this.#door.hidden = phase !== "closed";
    this.#bar.hidden = phase === "closed";
    (phase === "closed" ? this.#door : this.#bar).append(this.#own);
    this.#again.hidden = phase !== "failed";
    this.#copies.hidden = !ready;
    undo.hidden = !state.undo;
    setOff(runAll, !ready);
    setOff(stop, !ready || state.kernel !== "busy");
    setOff(restart, !ready);
    setOff(startOver, !ready || !state.lab);
    restart.classList.toggle("course-button--primary", state.stuck === true);
    this.#showProgress(state);
    this.#sayState(state);
  }

  /** @param {Partial<LabState>} state */
  #showProgress({ phase, progress }) {
    this.#loading.hidden = phase !== "loading" && phase !== "opening";
    if (!progress?.total) return;
    this.#progress.max = progress.total;
    this.#progress.value = progress.loaded;
    this.#progressWords.textContent = TEXT.progress(progress.loaded, progress.total);
  }

  /** One line, and only what is new in it. @param {Partial<LabState>} state */
  #sayState({ phase, kernel, word, fault, progress }) {
    const loaded = progress && progress.total > 0 && progress.loaded >= progress.total;
    if (phase === "failed") this.#say(fault || TEXT.failed);
    else if (phase === "opening") this.#say(loaded ? TEXT.starting : TEXT.opening);
    else if (phase === "ready") this.#say(word || (kernel === "busy" ? TEXT.busy : TEXT.ready));
  }

  /** @param {string} words */
  #say(words) {
    if (words === this.#said) return;
    this.#said = words;
    this.#status.textContent = words;
  }

  async #listCopies() {
    const names = (await this.#frame?.lab?.names()) ?? [];
    const items = names.map((name) => {
      const open = button(name, "quiet");
      open.addEventListener("click", () => this.#frame?.lab?.open(name));
      if (name === this.#state.notebook) open.setAttribute("aria-current", "true");
      return make("li", {}, open);
    });
    this.#copies.querySelector("ul")?.replaceChildren(...items);
  }

  async #showTasks() {
    const map = await courseMap().catch(() => null);
    const lab = map?.labs.find(({ id }) => id === this.#lab);
    if (!lab) return;
    const tasks = tasksOf(lab, store.get("lab", this.#lab));
    const list = make("ol");
    for (const { title, state } of tasks) {
      list.append(make("li", { "data-state": state }, make("span", {}, title), " ", make("span", { class: "lab-task-state" }, TEXT.states[state])));
    }
    const all = tasks.length > 0 && tasks.every(({ state }) => state === "passed");
    this.#tasks.replaceChildren(make("p", { class: "lab-tasks-title" }, all ? TEXT.all : TEXT.tasks), list);
    this.toggleAttribute("data-passed", all);
  }
}

customElements.define("course-lab", CourseLab);
