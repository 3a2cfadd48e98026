/**
 * Code in the text that runs. Until *Run* is pressed it is text; then Python comes up in a worker and the
 * code becomes an editor, side by side, neither waiting for the other.
 */
import { saver } from "./lib/autosave.js";
import { courseMap } from "./lib/course-map.js";
import { focusStill, isOff } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { outputInto } from "./lib/output.js";
import { courseUrl } from "./lib/page.js";
import { concerns } from "./lib/records.js";
import { savingWords } from "./lib/saving.js";
import { sharedRunner } from "./lib/shared-runner.js";
import { SnippetCode } from "./lib/snippet-code.js";
import { SnippetPanel } from "./lib/snippet-panel.js";
import { TEXT } from "./lib/snippet-words.js";
import { shorten } from "./lib/traceback.js";
import { store } from "./store.js";

/** @typedef {ReturnType<typeof import("./vendor-src/codemirror.js").openEditor>} Editor */
/** @typedef {import("./lib/shared-runner.js").Runner} Runner */

class CourseSnippet extends CourseElement {
  #code = /** @type {SnippetCode} */ (/** @type {unknown} */ (null));
  #panel = /** @type {SnippetPanel} */ (/** @type {unknown} */ (null));
  #lessonOutput = "";
  /** @type {Promise<Editor | null> | null} */
  #opening = null;
  /** @type {Editor | null} */
  #editor = null;
  /** The Python that runs this snippet now. @type {Runner | null} */
  #runner = null;
  /** How often this snippet has run: a run that was told to stop isn't the next one. */
  #runs = 0;
  /** Whether Python didn't come when it was last asked for. */
  #isMissing = false;
  /** What the last reset took away, until it is past undoing. @type {string | null} */
  #dropped = null;
  #saver = { touch: () => {}, flush: () => {} };

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    const template = /** @type {HTMLTemplateElement} */ (this.piece("template.snippet-source"));
    this.#code = new SnippetCode(this.item, this.dataset.hash ?? "", (template.content.textContent ?? "").trimEnd());
    this.#panel = new SnippetPanel(this);
    this.#lessonOutput = this.#panel.output.textContent ?? "";
    this.#saver = saver(() => this.#save(), signal);
    this.#listen(signal);
    this.#showVersion();
    this.onEnd(() => this.#leave());
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { buttons, lab } = this.#panel;
    const deeds = { run: () => this.#run(), stop: () => this.#stop(), restart: () => this.#restart(), edit: () => this.#edit(), reset: () => this.#reset() };
    for (const [name, deed] of Object.entries(deeds)) {
      const node = buttons[/** @type {keyof typeof deeds} */ (name)];
      node.addEventListener("click", () => isOff(node) || deed(), { signal });
    }
    // The first reach for the button fetches a small module; pressing it down starts Python.
    for (const near of ["pointerenter", "focus"]) buttons.run.addEventListener(near, () => this.#reach(), { signal });
    buttons.run.addEventListener("pointerdown", () => this.#warm(), { signal });
    // A prediction that was just made asks for it (lib/checks/predict.js).
    this.addEventListener("course-run", () => this.#run(), { signal });
    for (const press of ["click", "auxclick"]) lab.addEventListener(press, () => this.#code.keep(this.#now()), { signal });
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

  /** What fails here fails again on the click, where it is told. */
  #reach() {
    sharedRunner().catch(() => {});
  }

  #warm() {
    if (this.#panel.phase === "idle") sharedRunner().then((runner) => runner.start()).catch(() => {});
  }

  async #run() {
    if (this.#panel.phase !== "idle") return;
    this.#panel.phase = "starting";
    this.#isMissing = false;
    this.#panel.say(TEXT.starting);
    this.#openEditor();
    this.#offerLab();
    try {
      const runner = await sharedRunner();
      await runner.start((progress) => this.#panel.showProgress(progress));
      this.#panel.buttons.run.textContent = TEXT.run;
      if (runner.busy) this.#rest(TEXT.busy);
      else if (this.isConnected) await this.#runOn(runner);
    } catch (error) {
      this.#isMissing = true;
      const { reason, message } = /** @type {{ reason?: string, message: string }} */ (error);
      this.#panel.buttons.run.textContent = TEXT.again;
      this.#rest(reason === "failed" ? TEXT.failed(message) : TEXT.missing);
    }
  }

  /** @param {Runner} runner */
  async #runOn(runner) {
    const code = this.#now();
    this.#runner = runner;
    this.#runs += 1;
    this.#dropped = null;
    this.#panel.phase = "running";
    this.#panel.say(TEXT.running);
    this.#panel.showFrom("run");
    this.#panel.hideError();
    this.#editor?.markLine(null);
    const output = outputInto(this.#panel.output);
    const { outcome, traceback } = await runner.run(code, output.add);
    const shown = output.finish();
    this.#runner = null;
    this.#showVersion();
    if (outcome === "error") this.#fail(traceback, code);
    else this.#rest(outcome === "stopped" ? TEXT.stopped : shown ? TEXT.done : TEXT.quiet);
  }

  /** @param {string} traceback @param {string} code */
  #fail(traceback, code) {
    const short = shorten(traceback, code);
    this.#panel.showError(traceback, short.text);
    this.#rest(TEXT.fault(short.line, short.last));
    this.#opening?.then((editor) => this.#now() === code && editor?.markLine(short.line));
  }

  /** @param {string} words */
  #rest(words) {
    this.#panel.phase = "idle";
    this.#panel.say(words);
  }

  async #stop() {
    const runner = this.#runner;
    if (!runner) return;
    this.#panel.say(TEXT.stopping);
    const run = this.#runs;
    runner.stop();
    const { STUCK_AFTER_MS } = await import("./lib/python-runner.js");
    setTimeout(() => {
      if (this.#runner !== runner || this.#runs !== run) return;
      this.#panel.buttons.restart.hidden = false;
      this.#panel.say(TEXT.stuck);
    }, STUCK_AFTER_MS);
  }

  async #restart() {
    focusStill(this.#panel.buttons.run);
    await this.#runner?.restart().catch(() => {});
    this.#panel.say(TEXT.restarted);
  }

  async #edit() {
    this.#offerLab();
    (await this.#openEditor())?.focus();
  }

  #reset() {
    const dropped = this.#dropped;
    const before = this.#now();
    this.#setCode(dropped ?? this.#code.original);
    this.#dropped = dropped === null && before !== this.#code.original ? before : null;
    this.#panel.hideError();
    if (this.#panel.phase === "idle") {
      this.#panel.output.textContent = this.#lessonOutput;
      this.#panel.showFrom("lesson");
    }
    this.#showVersion();
    this.#panel.say(dropped === null ? TEXT.original : TEXT.mine);
  }

  /** @param {string} code */
  #setCode(code) {
    this.#editor?.setCode(code);
    this.#editor?.markLine(null);
    this.#code.save(code);
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
        parent: this.#panel.place,
        code: this.#code.adopt(),
        label: TEXT.editor(this.dataset.title ?? this.item),
        describedBy: this.#panel.keys.id,
        onChange: () => this.#changed(),
        onRun: () => this.#run(),
      });
    } catch {
      this.#opening = null;
      // Where Python is missing as well, that is the larger news, whichever comes first.
      if (!this.#isMissing) this.#panel.say(TEXT.noEditor);
    }
    this.#showVersion();
    return this.#editor;
  }

  #changed() {
    this.#dropped = null;
    this.#saver.touch();
    this.#showVersion();
  }

  #save() {
    const result = this.#code.save(this.#now());
    if (result && !result.ok) this.#panel.say(savingWords(result));
    this.#showVersion();
  }

  /** Another tab changed the code; what is being written here goes before it. */
  #follow() {
    if (!this.#panel.place.contains(document.activeElement)) this.#editor?.setCode(this.#code.adopt());
    this.#showVersion();
  }

  #showVersion() {
    const code = this.#now();
    const edited = code !== this.#code.original;
    const { earlier } = this.#code.read();
    this.#panel.showVersion({ code, edited, earlier, undo: this.#dropped !== null }, this.#editor !== null);
  }

  /** The lab that this lesson has, if any. */
  async #offerLab() {
    const map = await courseMap().catch(() => null);
    const lesson = map?.lessons.find((one) => one.snippets.some((snippet) => snippet.id === this.item));
    const lab = map?.labs.find((one) => one.id === lesson?.labs[0]);
    if (!lab) return;
    this.#panel.lab.href = courseUrl(`${lab.url}?snippet=${encodeURIComponent(this.item)}`);
    this.#panel.lab.hidden = false;
  }

  #leave() {
    this.#runner?.dispose();
    this.#runner = null;
    this.#panel.output.textContent = this.#lessonOutput;
    this.#panel.code.hidden = false;
    this.#editor?.close();
    this.#editor = null;
    this.#opening = null;
  }
}

customElements.define("course-snippet", CourseSnippet);
