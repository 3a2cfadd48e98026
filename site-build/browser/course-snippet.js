/**
 * Code in the text that runs. Until *Run* is pressed it is text; then Python comes up in a worker and the
 * code becomes an editor, side by side, neither waiting for the other.
 *
 * Marks: `data-phase="idle|starting|running"` on the element, `data-from="lesson|run"` on `.snippet-output`.
 */
import { saver } from "./lib/autosave.js";
import { courseMap } from "./lib/course-map.js";
import { button, focusStill, isOff, make, setOff, statusLine } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { outputInto } from "./lib/output.js";
import { courseUrl } from "./lib/page.js";
import { concerns } from "./lib/records.js";
import { savingWords } from "./lib/saving.js";
import { sharedRunner } from "./lib/shared-runner.js";
import { SnippetCode } from "./lib/snippet-code.js";
import { shorten } from "./lib/traceback.js";
import { store } from "./store.js";

const TEXT = {
  run: "Run",
  again: "Try again",
  stop: "Stop",
  edit: "Edit",
  reset: "Reset",
  lab: "Open in the lab",
  restart: "Restart Python",
  keys: "Ctrl+Enter runs the code. Tab indents; to leave the editor, press Esc, then Tab.",
  editor: (/** @type {string} */ title) => `Python code: ${title}`,
  from: { lesson: "Output", run: "Output of your run" },
  starting: "Starting Python…",
  progress: (/** @type {number} */ loaded, /** @type {number} */ total) =>
    `Starting Python… ${megabytes(loaded)} of ${megabytes(total)} MB`,
  running: "Running…",
  busy: "Another piece of code on this page is running. Stop it first.",
  done: "Finished.",
  quiet: "Finished. The code printed nothing.",
  stopped: "Stopped.",
  stopping: "Stopping…",
  stuck: "Python is inside one long call that can't be stopped. You can restart Python; your code stays.",
  restarted: "Python was restarted.",
  fault: (/** @type {number | null} */ line, /** @type {string} */ last) => (line ? `Error in line ${line}: ${last}` : `Error: ${last}`),
  whole: "The whole traceback",
  missing: "Python could not be loaded: a file is missing or didn't arrive. Check the connection, then try again.",
  failed: "Python could not be started in this browser.",
  noEditor: "The editor could not be loaded, so the code can't be changed now. It runs as it is.",
  edited: "This is your version. Reset brings the lesson's back.",
  earlier: "This is your version of code that the lesson has changed since. Reset brings the lesson's new code.",
  reset_: "The lesson's code is back.",
};

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0);

/** @typedef {ReturnType<typeof import("./vendor-src/codemirror.js").openEditor>} Editor */

class CourseSnippet extends CourseElement {
  #code = new SnippetCode("", "", "");
  #buttons = {
    run: button(TEXT.run, "primary"),
    stop: button(TEXT.stop),
    edit: button(TEXT.edit, "quiet"),
    reset: button(TEXT.reset, "quiet"),
    restart: button(TEXT.restart),
  };
  #lab = make("a", { class: "course-button course-button--quiet", hidden: true }, TEXT.lab);
  #status = statusLine("snippet-status");
  #progress = make("progress", { max: 1, value: 0 });
  #progressWords = make("span");
  #loading = make("p", { class: "snippet-progress", hidden: true }, this.#progress, this.#progressWords);
  #version = make("p", { class: "snippet-version", hidden: true });
  #place = make("div", { class: "snippet-editor", hidden: true });
  #keys = make("p", { class: "snippet-keys", hidden: true }, TEXT.keys);
  #mine = make("pre", { class: "snippet-mine", hidden: true, tabindex: 0 });
  #caption = make("p", { class: "snippet-caption" }, TEXT.from.lesson);
  #error = make("div", { class: "snippet-error", hidden: true });
  #lessonOutput = "";
  /** @type {Promise<Editor | null> | null} */
  #opening = null;
  /** @type {Editor | null} */
  #editor = null;
  /** @type {import("./lib/shared-runner.js").Runner | null} the Python that runs this snippet now */
  #runner = null;
  #saver = { touch: () => {}, flush: () => {} };

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    const template = /** @type {HTMLTemplateElement} */ (this.piece("template.snippet-source"));
    this.#code = new SnippetCode(this.item, this.dataset.hash ?? "", (template.content.textContent ?? "").trimEnd());
    this.#lessonOutput = this.#output.textContent ?? "";
    this.#saver = saver(() => this.#save(), signal);
    this.#build();
    this.#listen(signal);
    this.#phase = "idle";
    this.#showVersion();
    this.onEnd(() => this.#leave());
  }

  get #output() {
    return this.piece(".snippet-output pre");
  }

  get #phase() {
    return this.dataset.phase ?? "idle";
  }

  set #phase(phase) {
    this.dataset.phase = phase;
    setOff(this.#buttons.run, phase !== "idle");
    setOff(this.#buttons.stop, phase !== "running");
    this.#loading.hidden = phase !== "starting";
  }

  #build() {
    const { run, stop, edit, reset, restart } = this.#buttons;
    restart.hidden = true;
    this.#keys.id = `snippet-keys-${this.item}`;
    const bar = make("div", { class: "snippet-bar" }, run, stop, restart, edit, reset, this.#lab);
    const below = [this.#version, this.#keys, bar, this.#status, this.#loading].map((node) => this.own(node));
    this.piece(".highlight").after(this.own(this.#place), this.own(this.#mine), ...below);
    this.#output.before(this.own(this.#caption));
    this.#output.after(this.own(this.#error));
    for (const [name, node] of Object.entries({ code: this.#mine, output: this.#output })) {
      node.tabIndex = 0;
      node.setAttribute("role", "group");
      node.setAttribute("aria-label", `${this.dataset.title}: ${name}`);
    }
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { run, stop, edit, reset, restart } = this.#buttons;
    /** @type {[HTMLButtonElement, () => void][]} */
    const deeds = [
      [run, () => this.#run()],
      [stop, () => this.#stop()],
      [edit, () => this.#edit()],
      [reset, () => this.#reset()],
      [restart, () => this.#restart()],
    ];
    for (const [node, deed] of deeds) node.addEventListener("click", () => isOff(node) || deed(), { signal });
    // The first reach for the button fetches a small module; pressing it down starts Python.
    for (const near of ["pointerenter", "focus"]) run.addEventListener(near, () => sharedRunner().catch(() => {}), { signal });
    run.addEventListener("pointerdown", () => this.#warm(), { signal });
    for (const press of ["click", "auxclick"]) this.#lab.addEventListener(press, () => this.#code.keep(this.#now()), { signal });
    this.onEnd(
      store.subscribe((change) => {
        if (change.origin === "elsewhere" && concerns(change, "snippet", this.item)) this.#follow();
      }),
    );
  }

  /** The code as it stands now. */
  #now() {
    return this.#editor?.code() ?? this.#code.read().code;
  }

  async #warm() {
    if (this.#phase === "idle") await (await sharedRunner()).start().catch(() => {});
  }

  async #run() {
    if (this.#phase !== "idle") return;
    this.#phase = "starting";
    this.#say(TEXT.starting);
    this.#openEditor();
    this.#offerLab();
    try {
      const runner = await sharedRunner();
      if (runner.busy) return this.#rest(TEXT.busy);
      await runner.start((progress) => this.#showProgress(progress));
      if (!this.isConnected) return undefined;
      if (runner.busy) return this.#rest(TEXT.busy);
      await this.#runOn(runner);
    } catch (error) {
      this.#buttons.run.textContent = TEXT.again;
      const reason = /** @type {{ reason?: string }} */ (error).reason;
      this.#rest(reason === "failed" ? `${TEXT.failed} ${/** @type {Error} */ (error).message}` : TEXT.missing);
    }
    return undefined;
  }

  /** @param {import("./lib/shared-runner.js").Runner} runner */
  async #runOn(runner) {
    const code = this.#now();
    this.#buttons.run.textContent = TEXT.run;
    this.#runner = runner;
    this.#phase = "running";
    this.#say(TEXT.running);
    this.#setFrom("run");
    this.#showFault(null);
    const output = outputInto(this.#output);
    const { outcome, traceback } = await runner.run(code, output.add);
    const shown = output.finish();
    this.#runner = null;
    this.#buttons.restart.hidden = true;
    if (outcome === "error") return this.#fail(traceback, code);
    return this.#rest(outcome === "stopped" ? TEXT.stopped : shown ? TEXT.done : TEXT.quiet);
  }

  /** @param {string} traceback @param {string} code */
  #fail(traceback, code) {
    const short = shorten(traceback, code);
    this.#showFault(traceback, short);
    this.#rest(TEXT.fault(short.line, short.last));
    this.#opening?.then((editor) => this.#now() === code && editor?.markLine(short.line));
  }

  /** @param {string} words */
  #rest(words) {
    this.#phase = "idle";
    this.#say(words);
  }

  async #stop() {
    const runner = this.#runner;
    if (!runner) return;
    this.#say(TEXT.stopping);
    runner.stop();
    const { STUCK_AFTER_MS } = await import("./lib/python-runner.js");
    setTimeout(() => {
      if (this.#runner !== runner || !runner.busy) return;
      this.#buttons.restart.hidden = false;
      this.#say(TEXT.stuck);
    }, STUCK_AFTER_MS);
  }

  async #restart() {
    focusStill(this.#buttons.run);
    await (await sharedRunner()).restart().catch(() => {});
    this.#say(TEXT.restarted);
  }

  async #edit() {
    (await this.#openEditor())?.focus();
  }

  #reset() {
    this.#code.reset();
    this.#editor?.setCode(this.#code.original);
    this.#saver.flush();
    this.#showFault(null);
    if (this.#phase === "idle") {
      this.#output.textContent = this.#lessonOutput;
      this.#setFrom("lesson");
    }
    this.#showVersion();
    this.#say(TEXT.reset_);
  }

  /** @returns {Promise<Editor | null>} */
  #openEditor() {
    this.#opening ??= this.#loadEditor();
    return this.#opening;
  }

  /** @returns {Promise<Editor | null>} */
  async #loadEditor() {
    try {
      /** @type {typeof import("./vendor-src/codemirror.js")} */
      const { openEditor } = await import(courseUrl("assets/course/vendor/codemirror.js"));
      if (!this.isConnected) return null;
      this.#editor = openEditor({
        parent: this.#place,
        code: this.#code.read().code,
        label: TEXT.editor(this.dataset.title ?? this.item),
        describedBy: this.#keys.id,
        onChange: () => (this.#saver.touch(), this.#editor && this.#showEdited(this.#editor.code())),
        onRun: () => this.#run(),
      });
    } catch {
      this.#opening = null;
      this.#say(TEXT.noEditor);
    }
    this.#showVersion();
    return this.#editor;
  }

  #save() {
    const result = this.#editor && this.#code.save(this.#editor.code());
    if (result && !result.ok) this.#say(savingWords(result));
    this.#showVersion();
  }

  /** Another tab changed the code; what is being written here goes before it. */
  #follow() {
    if (!this.#place.contains(document.activeElement)) this.#editor?.setCode(this.#code.read().code);
    this.#showVersion();
  }

  /** Whose code this is, and in what form it shows: the lesson's text, the student's, or the editor. */
  #showVersion() {
    const { code, edited, earlier } = this.#code.read();
    this.piece(".highlight").hidden = this.#editor !== null || edited;
    this.#place.hidden = this.#keys.hidden = this.#editor === null;
    this.#mine.hidden = this.#editor !== null || !edited;
    this.#mine.textContent = code;
    this.#version.textContent = earlier && edited ? TEXT.earlier : TEXT.edited;
    this.#showEdited(this.#now());
  }

  /** @param {string} code */
  #showEdited(code) {
    const edited = code !== this.#code.original;
    this.#version.hidden = !edited;
    setOff(this.#buttons.reset, !edited && this.#caption.textContent === TEXT.from.lesson);
  }

  /** @param {"lesson" | "run"} from */
  #setFrom(from) {
    this.piece(".snippet-output").dataset.from = from;
    this.#caption.textContent = TEXT.from[from];
    setOff(this.#buttons.reset, from === "lesson" && this.#now() === this.#code.original);
  }

  /** @param {string | null} traceback @param {import("./lib/traceback.js").Short} [short] */
  #showFault(traceback, short) {
    this.#error.hidden = traceback === null;
    this.#error.replaceChildren();
    if (traceback === null || !short) {
      this.#editor?.markLine(null);
      return;
    }
    const whole = make("details", {}, make("summary", {}, TEXT.whole), make("pre", { tabindex: 0 }, traceback.trim()));
    this.#error.append(make("pre", { class: "snippet-traceback", tabindex: 0 }, short.text), whole);
  }

  /** @param {{ loaded: number, total: number }} progress */
  #showProgress({ loaded, total }) {
    this.#progress.max = total;
    this.#progress.value = loaded;
    this.#progressWords.textContent = TEXT.progress(loaded, total);
  }

  /** The lab that this lesson has, if any. */
  async #offerLab() {
    const map = await courseMap().catch(() => null);
    const lesson = map?.lessons.find((one) => one.snippets.some((snippet) => snippet.id === this.item));
    const lab = map?.labs.find((one) => one.id === lesson?.labs[0]);
    if (!lab) return;
    this.#lab.href = courseUrl(`${lab.url}?snippet=${encodeURIComponent(this.item)}`);
    this.#lab.hidden = false;
  }

  /** @param {string} words */
  #say(words) {
    this.#status.textContent = words;
  }

  #leave() {
    this.#runner?.dispose();
    this.#runner = null;
    this.#editor?.close();
    this.#editor = null;
    this.#opening = null;
  }
}

customElements.define("course-snippet", CourseSnippet);
