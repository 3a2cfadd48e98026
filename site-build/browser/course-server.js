/**
 * *Your server*: a command line or a log becomes settings, read by `engine.readers.serve` in the page's Python worker.
 * The text stays in the page: it is put nowhere else and kept nowhere.
 *
 * Marks: `data-phase="idle|running"` on the element.
 */
import { button, isOff, make, setOff, statusLine } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { onDrop } from "./lib/playground/files.js";
import { ServerReader } from "./lib/playground/server-reader.js";
import { ServerView } from "./lib/playground/server-view.js";
import { EXAMPLE, MOST_BYTES, TEXT } from "./lib/playground/server-words.js";

class CourseServer extends CourseElement {
  #reader = new ServerReader();
  #view = new ServerView((answers) => this.#read(answers));
  #text = make("textarea", { id: "server-text", rows: 7, spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-describedby": "server-hint" });
  #buttons = { read: button(TEXT.read, "primary"), example: button(TEXT.example), open: button(TEXT.open), clear: button(TEXT.clear) };
  #picker = make("input", { type: "file", hidden: true });
  #status = statusLine();
  #turn = 0;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    const label = make("label", { for: "server-text" }, TEXT.label);
    const hint = make("p", { id: "server-hint", class: "play-privacy" }, TEXT.privacy);
    const bar = make("div", { class: "play-bar" }, ...Object.values(this.#buttons));
    const drop = make("p", { class: "play-drop", "aria-hidden": "true" }, TEXT.drop);
    for (const node of [label, this.#text, hint, bar, this.#status, this.#picker, this.#view.node, drop]) this.append(this.own(node));
    this.#listen(signal);
    this.dataset.phase = "idle";
    this.onEnd(() => this.#reader.cancel());
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { read, example, open, clear } = this.#buttons;
    read.addEventListener("click", () => isOff(read) || void this.#read({}), { signal });
    example.addEventListener("click", () => this.#put(EXAMPLE), { signal });
    open.addEventListener("click", () => this.#picker.click(), { signal });
    clear.addEventListener("click", () => this.#clear(), { signal });
    this.#picker.addEventListener("change", () => void this.#open([...(this.#picker.files ?? [])]), { signal });
    onDrop(this, (files) => void this.#open(files), signal);
    this.addEventListener("focusin", () => this.#reader.warm(), { signal, once: true });
    this.#text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.#read({});
    }, { signal });
  }

  /** @param {string} text */
  #put(text) {
    this.#text.value = text;
    void this.#read({});
  }

  #clear() {
    this.#turn += 1;
    this.#text.value = "";
    this.#view.clear();
    this.#say("");
    // What is read still would keep Python from what comes next.
    this.#reader.cancel();
    this.#idle();
    this.#text.focus();
  }

  /** @param {readonly File[]} files */
  async #open(files) {
    this.#picker.value = "";
    const file = files[0];
    if (file) this.#put(await file.slice(0, MOST_BYTES).text());
  }

  /** @param {import("./lib/playground/server-reader.js").Answers} answers what the student knows beyond the text */
  async #read(answers) {
    const turn = (this.#turn += 1);
    if (!this.#text.value.trim()) return this.#say(TEXT.empty);
    this.dataset.phase = "running";
    setOff(this.#buttons.read, true);
    this.#say(TEXT.reading);
    try {
      const told = await this.#reader.read(this.#text.value, answers, (progress) => turn === this.#turn && this.#say(TEXT.progress(progress)));
      if (turn === this.#turn) this.#show(told, answers);
    } catch (error) {
      const { reason, message } = /** @type {Error & { reason?: string }} */ (error);
      if (turn === this.#turn) this.#say(reason === "missing" ? TEXT.missing : reason ? TEXT.failed(message) : TEXT.broken);
    } finally {
      if (turn === this.#turn) this.#idle();
    }
  }

  #idle() {
    this.dataset.phase = "idle";
    setOff(this.#buttons.read, false);
  }

  /** @param {Record<string, any>} told @param {import("./lib/playground/server-reader.js").Answers} answers */
  #show(told, answers) {
    if (told.refused) {
      this.#view.clear();
      return this.#say(TEXT.refused(told.refused));
    }
    this.#view.show(told, answers);
    this.#say(TEXT.done(Object.keys(told.settings).length, told.unknown.length));
  }

  /** @param {string} words */
  #say(words) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
  }
}

customElements.define("course-server", CourseServer);
