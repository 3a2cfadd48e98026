/** In one's own words, then beside a model answer, whose points the student ticks. */
import { all } from "./spoken.js";

const TEXT = {
  nothing: "Write a few words of your own first. A guess is enough.",
  compare: "A model answer stands below. Tick what yours says, then press Check again.",
  summary: (/** @type {number} */ ticked, /** @type {number} */ points) =>
    `By your own judgement, ${ticked} of ${points} points. You can go on writing, and tick again.`,
};

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class ExplainCheck {
  #field;
  #model;
  #rubric;
  #ticks;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#field = /** @type {HTMLTextAreaElement} */ (element.querySelector("textarea"));
    this.#model = /** @type {HTMLElement} */ (element.querySelector(".check-model"));
    this.#rubric = /** @type {HTMLElement} */ (element.querySelector(".check-rubric"));
    this.#ticks = /** @type {HTMLInputElement[]} */ (all(this.#rubric, "input"));
  }

  arrange() {}

  /** @returns {import("./kinds.js").Reading} */
  read() {
    const text = this.#field.value.trim();
    if (!/\S\s+\S/.test(text) && text.length < 8) return { refused: TEXT.nothing };
    const ticks = this.#ticks.filter((tick) => tick.checked).map((tick) => tick.value);
    return { answer: JSON.stringify({ text, ticks }), shown: text.slice(0, 200) };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const given = parse(answer);
    if (!given) return null;
    const ticked = this.#ticks.filter((tick) => given.ticks.includes(tick.value)).length;
    const opens = [this.#model, this.#rubric];
    if (ticked === 0) return { correct: false, marks: [], said: [], opens, open: true, summary: TEXT.compare };
    const correct = ticked === this.#ticks.length;
    return { correct, marks: [], said: [], opens, drew: given.ticks.join(","), summary: correct ? undefined : TEXT.summary(ticked, this.#ticks.length) };
  }

  /** @param {string} answer */
  fill(answer) {
    const given = parse(answer);
    this.#field.value = given?.text ?? "";
    for (const tick of this.#ticks) tick.checked = given?.ticks.includes(tick.value) ?? false;
  }

  clear() {
    this.fill("");
    this.#model.hidden = true;
    this.#rubric.hidden = true;
  }
}

/** @param {string} answer @returns {{ text: string, ticks: string[] } | null} */
function parse(answer) {
  try {
    const { text, ticks } = JSON.parse(answer);
    return typeof text === "string" && Array.isArray(ticks) ? { text, ticks: ticks.map(String) } : null;
  } catch {
    return null;
  }
}
