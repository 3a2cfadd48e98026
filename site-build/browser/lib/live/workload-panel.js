/** What to run: a preset, its numbers, or a file of arrivals. Nothing of a student's text is ever sent. */
import { button, make, setOff, statusLine } from "../dom.js";
import { FIELDS, PRESETS, trafficOf } from "./presets.js";
import { count } from "./words.js";

/** @typedef {import("./presets.js").Field} Field */
/** @typedef {import("./presets.js").Numbers} Numbers */
/** @typedef {{ name: string, traffic: Record<string, unknown> } | { name: string, file: File, faster: number }} Choice */

const TEXT = {
  title: "Run a workload",
  presets: "Workload",
  file: "A file of arrivals",
  fileAbout: "A trace of Azure, BurstGPT or Mooncake, a benchmark's result, a recording, or a workload file of the course: only times and lengths are used.",
  numbers: "Its numbers",
  arrivals: "The file",
  choose: "Choose a file",
  drop: "or drop one here",
  faster: "Arrivals come faster by",
  run: "Run it",
  stop: "Stop",
  sum: (/** @type {Numbers} */ { num_requests, rate, prompt_tokens, output_tokens }) =>
    `${count(num_requests, "request")} in about ${Math.max(1, Math.round(num_requests / rate))} s; ${count(num_requests * (prompt_tokens + output_tokens), "token")} to compute, roughly. Prompts are made-up token numbers.`,
  chosen: (/** @type {File} */ file) => `${file.name}, ${Math.max(1, Math.round(file.size / 1000)).toLocaleString("en")} KB. It is read here, in your browser.`,
  none: "No file is chosen yet.",
  keeps: "This server's recorder was asked to keep prompts: a recording of this run holds every prompt's token numbers in plain. They are made up, whatever you choose here.",
  large: "This file is larger than 50 MB. Cut it to its first part, then try again.",
  wrong: (/** @type {string} */ label) => `“${label}” isn't in its range.`,
};

const MOST_BYTES = 50e6;

export class WorkloadPanel {
  #presets = PRESETS.map(({ id, title, about }, index) => this.#radio(id, title, about, index === 0));
  #file = this.#radio("file", TEXT.file, TEXT.fileAbout, false);
  #fields = /** @type {Record<Field, HTMLInputElement>} */ (
    Object.fromEntries(
      Object.entries(FIELDS).map(([name, { least, most, step }]) => [name, make("input", { type: "number", class: "course-field", name, min: least, max: most, step, inputmode: "decimal", required: true })]),
    )
  );
  #faster = make("input", { type: "number", class: "course-field", name: "faster", min: 0.001, max: 100000, step: "any", value: 1, inputmode: "decimal", required: true });
  #picked = make("input", { type: "file", class: "live-picked", hidden: true });
  #pick = button(TEXT.choose);
  #sum = make("p", { class: "live-sum" });
  #legend = make("legend");
  #grid = make("div", { class: "live-grid" });
  #drop = make("div", { class: "live-drop", hidden: true });
  #keeps = make("p", { class: "live-note", hidden: true }, TEXT.keeps);
  #status = statusLine("live-status");
  run = make("button", { type: "submit", class: "course-button course-button--primary" }, TEXT.run);
  stop = button(TEXT.stop);
  /** @type {File | null} */
  #chosen = null;

  /** @param {{ run: (choice: Choice) => void, stop: () => void }} deeds @param {AbortSignal} signal */
  constructor(deeds, signal) {
    this.#grid.append(...Object.entries(this.#fields).map(([name, input]) => make("label", {}, FIELDS[/** @type {Field} */ (name)].label, input)));
    this.#drop.append(make("p", {}, this.#pick, " ", TEXT.drop), this.#picked, make("label", { class: "live-faster" }, TEXT.faster, this.#faster));
    const choices = make("fieldset", { class: "live-choices" }, make("legend", {}, TEXT.presets), ...this.#presets, this.#file);
    const numbers = make("fieldset", { class: "live-numbers" }, this.#legend, this.#grid, this.#drop);
    const form = make("form", { class: "live-form", novalidate: true }, choices, numbers, this.#sum, this.#keeps, make("div", { class: "live-actions" }, this.run, this.stop));
    this.node = make("section", { class: "live-part live-workload" }, make("h2", {}, TEXT.title), form, this.#status);
    form.addEventListener("submit", (event) => (event.preventDefault(), this.#submit(deeds.run)), { signal });
    choices.addEventListener("change", () => this.#choose(), { signal });
    this.#grid.addEventListener("input", () => this.#tell(), { signal });
    this.#pick.addEventListener("click", () => this.#picked.click(), { signal });
    this.#picked.addEventListener("change", () => this.#take(this.#picked.files?.[0]), { signal });
    this.stop.addEventListener("click", () => deeds.stop(), { signal });
    this.#listenForDrops(signal);
    this.#choose();
  }

  /** @param {{ connected: boolean, running: boolean, keeps: boolean }} state `keeps`: the server keeps prompts */
  show({ connected, running, keeps }) {
    this.node.hidden = !connected;
    this.#keeps.hidden = !keeps;
    setOff(this.run, !connected || running);
    setOff(this.stop, !running);
  }

  /** @param {string} words @param {boolean} [bad] */
  say(words, bad = false) {
    this.#status.textContent = words;
    this.#status.classList.toggle("live-bad", bad);
  }

  /** @param {string} id @param {string} title @param {string} about @param {boolean} checked */
  #radio(id, title, about, checked) {
    const input = make("input", { type: "radio", name: "live-workload", value: id, checked });
    return make("label", { class: "live-choice" }, input, make("span", {}, make("strong", {}, title), " ", make("span", { class: "live-about" }, about)));
  }

  get #value() {
    const checked = this.node?.querySelector("input[name=live-workload]:checked");
    return checked instanceof HTMLInputElement ? checked.value : "calm";
  }

  #choose() {
    const preset = PRESETS.find(({ id }) => id === this.#value);
    this.#legend.textContent = preset ? TEXT.numbers : TEXT.arrivals;
    this.#grid.hidden = !preset;
    this.#drop.hidden = Boolean(preset);
    if (preset) for (const [name, value] of Object.entries(preset.numbers)) this.#fields[/** @type {Field} */ (name)].value = String(value);
    this.#tell();
  }

  #tell() {
    const isFile = this.#value === "file";
    this.#sum.textContent = isFile ? (this.#chosen ? TEXT.chosen(this.#chosen) : TEXT.none) : TEXT.sum(this.#numbers);
  }

  get #numbers() {
    return /** @type {Numbers} */ (Object.fromEntries(Object.entries(this.#fields).map(([name, input]) => [name, input.valueAsNumber || 0])));
  }

  /** @param {File | null | undefined} file */
  #take(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) return this.say(TEXT.large, true);
    this.#chosen = file;
    const radio = this.#file.querySelector("input");
    if (radio) radio.checked = true;
    this.say("");
    this.#choose();
  }

  /** @param {AbortSignal} signal */
  #listenForDrops(signal) {
    const over = (/** @type {DragEvent} */ event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      this.node.classList.toggle("live-over", event.type === "dragover");
      if (event.type === "drop") this.#take(event.dataTransfer.files[0]);
    };
    for (const name of /** @type {const} */ (["dragover", "dragleave", "drop"])) this.node.addEventListener(name, over, { signal });
  }

  /** @param {(choice: Choice) => void} run */
  #submit(run) {
    if (this.run.getAttribute("aria-disabled") === "true") return;
    const shown = this.#value === "file" ? [this.#faster] : Object.values(this.#fields);
    const wrong = shown.find((input) => !input.checkValidity());
    if (wrong) {
      this.say(TEXT.wrong(wrong.closest("label")?.firstChild?.textContent ?? wrong.name), true);
      return wrong.focus();
    }
    this.say("");
    const preset = PRESETS.find(({ id }) => id === this.#value);
    if (preset) return run({ name: preset.title.toLowerCase(), traffic: trafficOf(this.#numbers) });
    if (!this.#chosen) return this.say(TEXT.none, true);
    return run({ name: this.#chosen.name, file: this.#chosen, faster: this.#faster.valueAsNumber });
  }
}
