/** What stands around the playground's form: buttons, one line of status, words on the file, the results, the command. It decides nothing. */
import { button, make, setOff, statusLine } from "../dom.js";
import { courseUrl } from "../page.js";
import { Results } from "./results.js";
import { MOST_BYTES, TEXT } from "./words.js";

/** @typedef {"idle" | "starting" | "running"} Phase */

export class Panel {
  buttons = { run: button(TEXT.run, "primary"), stop: button(TEXT.stop), reset: button(TEXT.reset), open: button(TEXT.open) };
  after = {
    draw: button(TEXT.draw),
    lab: button(TEXT.lab, "quiet"),
    save: button(TEXT.save, "quiet"),
    scenario: button(TEXT.saveScenario, "quiet"),
    copy: button(TEXT.copy, "quiet"),
  };
  picker = make("input", { type: "file", multiple: true, hidden: true });
  results = new Results();
  #status = statusLine("play-status");
  #bar = make("progress", { max: 1, value: 0, "aria-label": TEXT.starting, hidden: true });
  #problems = make("div", { class: "play-problems", role: "alert", hidden: true });
  #file = make("div", { class: "play-file", hidden: true });
  #command = make("pre", { class: "play-command", tabindex: 0, role: "group", "aria-label": TEXT.command });
  #details = make("details", { class: "play-more" }, make("summary", {}, TEXT.command), this.#command);
  #element;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.after.draw.hidden = true;
  }

  /** All nodes, in their order. @param {HTMLElement} form @param {HTMLElement} player @returns {HTMLElement[]} */
  nodes(form, player) {
    const bar = make("div", { class: "play-bar", role: "group", "aria-label": TEXT.bar }, ...Object.values(this.buttons));
    const top = make("div", { class: "play-top" }, bar, this.#status, this.#bar);
    const after = make("div", { class: "play-after" }, ...Object.values(this.after));
    const right = make("div", { class: "play-right" }, top, this.#problems, this.#file, this.results.node, after, this.#details);
    const privacy = make("p", { class: "play-privacy" }, TEXT.privacy, " ", make("a", { href: courseUrl("reference/readers/") }, TEXT.formats));
    const drop = make("p", { class: "play-drop", "aria-hidden": "true" }, TEXT.drop);
    return [make("div", { class: "play-desk" }, form, right), player, privacy, this.picker, drop];
  }

  /** @param {Phase} phase */
  set phase(phase) {
    this.#element.dataset.phase = phase;
    setOff(this.buttons.stop, phase === "idle");
    if (phase !== "starting") this.#bar.hidden = true;
  }

  /** @param {string} words */
  say(words) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
  }

  /** @param {{ loaded: number, total: number }} progress bytes */
  loading({ loaded, total }) {
    this.#bar.hidden = loaded >= total;
    this.#bar.max = total;
    this.#bar.value = loaded;
    this.say(loaded >= total ? TEXT.starting : TEXT.progress(loaded, total));
  }

  /** What in the address couldn't be taken. @param {readonly string[]} problems */
  tell(problems) {
    this.#problems.hidden = problems.length === 0;
    const list = make("ul", {}, ...problems.map((words) => make("li", {}, words)));
    this.#problems.replaceChildren(...(problems.length ? [make("p", {}, TEXT.problems), list] : []));
  }

  /** @param {import("./files.js").Opened} file @param {Record<string, any>} told */
  describe(file, told) {
    const words = [TEXT.opened(file.name, told.format, told.requests, told.more)];
    if (file.isCut) words.push(TEXT.cut(MOST_BYTES));
    if (told.holds_trace) words.push(told.can_replay ? TEXT.recorded : TEXT.recordedOnly);
    const notes = make("ul", {}, ...told.notes.map((/** @type {string} */ note) => make("li", {}, note)));
    this.#file.replaceChildren(...words.map((text) => make("p", {}, text)), ...(told.notes.length ? [notes] : []));
    this.#file.hidden = false;
  }

  /** No file is open. */
  forgetFile() {
    this.#file.hidden = true;
  }

  /** @param {string} text */
  set command(text) {
    this.#command.textContent = text;
  }

  get command() {
    return this.#command.textContent ?? "";
  }

  /** For those whose browser doesn't copy. */
  openCommand() {
    this.#details.open = true;
  }
}
