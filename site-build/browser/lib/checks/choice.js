/** One answer out of several, each with feedback of its own. */
import { OptionsCheck, controlOf, labelOf, saidBy } from "./options.js";

const TEXT = {
  nothing: "Choose an answer first.",
};

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class ChoiceCheck extends OptionsCheck {
  /** @returns {import("./kinds.js").Reading} */
  read() {
    const chosen = this.options.find((option) => controlOf(option).checked);
    return chosen ? { answer: controlOf(chosen).value, shown: labelOf(chosen).slice(0, 200) } : { refused: TEXT.nothing };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const place = this.options.find((option) => controlOf(option).value === answer);
    if (!place) return null;
    const correct = place.dataset.correct === "true";
    return { correct, marks: [{ place, state: correct ? "right" : "wrong" }], said: saidBy(place, ".check-feedback") };
  }

  /** @param {string} answer */
  fill(answer) {
    this.choose((value) => value === answer);
  }
}
