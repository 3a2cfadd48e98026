/**
 * What a snippet shows: its buttons, the progress, whose code it is, the output and the error. It decides
 * nothing.
 *
 * Marks: `data-phase="idle|starting|running"` on the element, `data-from="lesson|run"` on `.snippet-output`.
 */
import { button, make, setOff, statusLine } from "./dom.js";
import { TEXT } from "./snippet-words.js";

/** @typedef {"idle" | "starting" | "running"} Phase */

export class SnippetPanel {
  buttons = {
    run: button(TEXT.run, "primary"),
    stop: button(TEXT.stop),
    restart: button(TEXT.restart),
    edit: button(TEXT.edit, "quiet"),
    reset: button(TEXT.reset, "quiet"),
  };
  lab = make("a", { class: "course-button course-button--quiet", hidden: true }, TEXT.lab);
  /** Where the editor goes. */
  place = make("div", { class: "snippet-editor", hidden: true });
  keys = make("p", { class: "snippet-keys", hidden: true }, TEXT.keys);
  #status = statusLine("snippet-status");
  #bar = make("progress", { max: 1, value: 0 });
  #barWords = make("span");
  #loading = make("p", { class: "snippet-progress", hidden: true }, this.#bar, this.#barWords);
  #version = make("p", { class: "snippet-version", hidden: true });
  #mine = make("pre", { class: "snippet-mine", hidden: true });
  #caption = make("p", { class: "snippet-caption" }, TEXT.from.lesson);
  #error = make("div", { class: "snippet-error", hidden: true });
  /** @type {Phase} */
  #phase = "idle";
  #element;

  /** @param {import("./element.js").CourseElement} element */
  constructor(element) {
    this.#element = element;
    this.code = element.piece(".highlight");
    this.outputBox = element.piece(".snippet-output");
    this.output = element.piece(".snippet-output pre");
    this.keys.id = `snippet-keys-${element.item}`;
    this.buttons.restart.hidden = true;
    for (const [name, node] of Object.entries({ code: this.#mine, output: this.output })) {
      node.tabIndex = 0;
      node.setAttribute("role", "group");
      node.setAttribute("aria-label", `${element.dataset.title}: ${name}`);
    }
    this.#place();
    this.phase = "idle";
  }

  /** Everything goes away again with the element. */
  #place() {
    const own = (/** @type {HTMLElement} */ node) => this.#element.own(node);
    const bar = make("div", { class: "snippet-bar" }, ...Object.values(this.buttons), this.lab);
    this.code.after(...[this.place, this.#mine, this.#version, this.keys, bar, this.#status, this.#loading].map(own));
    this.output.before(own(this.#caption));
    this.output.after(own(this.#error));
  }

  get phase() {
    return this.#phase;
  }

  set phase(phase) {
    this.#phase = phase;
    this.#element.dataset.phase = phase;
    setOff(this.buttons.run, phase !== "idle");
    setOff(this.buttons.stop, phase !== "running");
    this.#loading.hidden = phase !== "starting";
    if (phase !== "running") this.buttons.restart.hidden = true;
  }

  /** @param {string} words */
  say(words) {
    this.#status.textContent = words;
  }

  /** @param {{ loaded: number, total: number }} progress bytes */
  showProgress({ loaded, total }) {
    this.#bar.max = total;
    this.#bar.value = loaded;
    this.#barWords.textContent = TEXT.progress(loaded, total);
  }

  /** Whose output stands here. @param {"lesson" | "run"} from */
  showFrom(from) {
    this.outputBox.dataset.from = from;
    this.#caption.textContent = TEXT.from[from];
  }

  /**
   * Whose code this is, and in what form it shows: the lesson's text, the student's, or the editor.
   * @param {{ code: string, edited: boolean, earlier: boolean, undo: boolean }} version `undo`: a reset can be taken back
   * @param {boolean} editing
   */
  showVersion({ code, edited, earlier, undo }, editing) {
    this.code.hidden = editing || edited;
    this.place.hidden = this.keys.hidden = !editing;
    this.#mine.hidden = editing || !edited;
    this.#mine.textContent = code;
    this.#version.textContent = earlier ? TEXT.earlier : TEXT.edited;
    this.#version.hidden = !edited;
    this.buttons.reset.textContent = undo ? TEXT.unreset : TEXT.reset;
    setOff(this.buttons.reset, !undo && !edited && this.outputBox.dataset.from !== "run");
  }

  /** @param {string} traceback @param {string} short */
  showError(traceback, short) {
    const whole = make("details", {}, make("summary", {}, TEXT.whole), make("pre", { tabindex: 0 }, traceback.trim()));
    this.#error.replaceChildren(make("pre", { class: "snippet-traceback", tabindex: 0 }, short), whole);
    this.#error.hidden = false;
  }

  hideError() {
    this.#error.replaceChildren();
    this.#error.hidden = true;
  }
}
