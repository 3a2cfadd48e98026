/** Several right answers: words for what was chosen, and for a right one that was missed. */
import { OptionsCheck, controlOf, labelOf, saidBy } from "./options.js";

const TEXT = {
  nothing: "Tick at least one answer first.",
  summary: (/** @type {number} */ found, /** @type {number} */ all, /** @type {number} */ wrong) =>
    `Not yet: ${found} of ${all} right ones ticked${wrong ? `, and ${wrong} that ${wrong === 1 ? "isn't" : "aren't"}` : ""}. Read why, then try again.`,
};

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class MultiCheck extends OptionsCheck {
  /** The letters of what is ticked, with commas. @returns {import("./kinds.js").Reading} */
  read() {
    const ticked = this.options.filter((option) => controlOf(option).checked);
    if (ticked.length === 0) return { refused: TEXT.nothing };
    return { answer: ticked.map((one) => controlOf(one).value).join(","), shown: ticked.map(labelOf).join("; ").slice(0, 200) };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const chosen = new Set(answer.split(","));
    const isRight = (/** @type {HTMLElement} */ option) => option.dataset.correct === "true";
    const isChosen = (/** @type {HTMLElement} */ option) => chosen.has(controlOf(option).value);
    const ticked = this.options.filter(isChosen);
    const missed = this.options.filter((option) => isRight(option) && !isChosen(option));
    if (ticked.length !== chosen.size) return null;
    const wrong = ticked.filter((option) => !isRight(option));
    const right = ticked.length - wrong.length;
    return {
      correct: missed.length + wrong.length === 0,
      marks: [
        ...ticked.map((place) => ({ place, state: /** @type {import("./kinds.js").State} */ (isRight(place) ? "right" : "wrong") })),
        ...missed.map((place) => ({ place, state: /** @type {import("./kinds.js").State} */ ("missed") })),
      ],
      said: [...ticked.flatMap((one) => saidBy(one, ".check-feedback")), ...missed.flatMap((one) => saidBy(one, ".check-missed"))],
      summary: missed.length + wrong.length ? TEXT.summary(right, right + missed.length, wrong.length) : undefined,
    };
  }

  /** @param {string} answer */
  fill(answer) {
    const chosen = new Set(answer.split(","));
    this.choose((value) => chosen.has(value));
  }
}
