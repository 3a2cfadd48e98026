/** Compare and calibrate: fit a step's cost to one run, simulate another, and see how far off that is. */
import { make, setOff, statusLine } from "../dom.js";
import { askPython } from "./asking.js";
import { PREDICTED } from "./codes.js";
import { makePlayer } from "./player.js";
import { duration, percent, wordFor } from "./words.js";

/** @typedef {import("./shelf-panel.js").Run} Run */
/** @typedef {{ measured: number, predicted: number, error: number }} Statistic */
/** @typedef {{ n: number, mean: Statistic, p50: Statistic, p90: Statistic, p99: Statistic }} Metric */

const STATISTICS = /** @type {const} */ (["mean", "p50", "p90", "p99"]);
const METRICS = /** @type {Record<string, string>} */ ({ ttft: "TTFT", tpot: "TPOT", e2e: "E2E" });

const TEXT = {
  title: "Compare and calibrate",
  why: "The simulator makes the same decisions as the server, but it has to be told what a step costs. Fit that to one run, then predict another one, and look at how far off you are.",
  fit: "Fit the cost to",
  predict: "Predict",
  go: "Fit and predict",
  need: "Make a run first, or open a recording.",
  working: "Fitting and simulating…",
  own: "You predicted the run that was fitted to: that is a fit, and no prediction yet. Take another run for the second.",
  done: (/** @type {string} */ run, /** @type {number} */ worst) => `Predicted “${run}”: the worst statistic is off by ${percent(worst)}.`,
  table: (/** @type {string} */ run) => `“${run}”: measured, predicted, and the error`,
  head: ["", "n", "mean", "P50", "P90", "P99"],
  to: "predicted",
  pair: (/** @type {string} */ run) => `“${run}”, measured and predicted`,
  none: "No request of this run has a whole answer: there is nothing to compare.",
};

export class ComparePanel {
  #fit = make("select", { class: "course-field", name: "fit" });
  #predict = make("select", { class: "course-field", name: "predict" });
  #go = make("button", { type: "submit", class: "course-button course-button--primary" }, TEXT.go);
  #status = statusLine("live-status");
  #result = make("div", { class: "live-result" });
  /** @type {Run[]} */
  #runs = [];
  #working = false;

  /** @param {AbortSignal} signal */
  constructor(signal) {
    const form = make(
      "form",
      { class: "live-form" },
      make("div", { class: "live-grid" }, make("label", {}, TEXT.fit, this.#fit), make("label", {}, TEXT.predict, this.#predict)),
      make("div", { class: "live-actions" }, this.#go),
    );
    this.node = make("section", { class: "live-part live-compare" }, make("h2", {}, TEXT.title), make("p", {}, TEXT.why), form, this.#status, this.#result);
    form.addEventListener("submit", (event) => (event.preventDefault(), void this.#run(signal)), { signal });
    this.show([]);
  }

  /** @param {Run[]} runs what there is to choose from */
  show(runs) {
    this.#runs = runs.filter(({ source }) => source !== "simulated");
    const [first, second] = [this.#fit.value || this.#runs[0]?.id, this.#runs.at(-1)?.id];
    for (const [select, chosen] of /** @type {const} */ ([[this.#fit, first], [this.#predict, second]])) {
      select.replaceChildren(...this.#runs.map(({ id, name }) => make("option", { value: id, selected: id === chosen }, name)));
      select.disabled = this.#runs.length === 0;
    }
    setOff(this.#go, this.#runs.length === 0);
    if (this.#runs.length === 0) this.#say(TEXT.need);
    else if (this.#status.textContent === TEXT.need) this.#say("");
  }

  /** @param {AbortSignal} signal */
  async #run(signal) {
    const [fitted, other] = [this.#fit, this.#predict].map((select) => this.#runs.find(({ id }) => id === select.value));
    if (!fitted || !other || this.#working) return;
    this.#working = true;
    setOff(this.#go, true);
    this.#say(TEXT.working);
    try {
      const answer = await askPython(PREDICTED, { fitted: fitted.text, other: other.text }, (words) => this.#say(words));
      if (!signal.aborted) await this.#tell(fitted, other, answer);
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, true);
    } finally {
      this.#working = false;
      setOff(this.#go, false);
    }
  }

  /**
   * @param {Run} fitted @param {Run} other
   * @param {{ words: string, compared: Record<string, Metric>, predicted: string }} answer
   */
  async #tell(fitted, other, { words, compared, predicted }) {
    const errors = Object.values(compared).flatMap((metric) => STATISTICS.map((name) => metric[name].error));
    const worst = errors.reduce((most, error) => (Math.abs(error) > Math.abs(most) ? error : most), 0);
    const own = fitted.id === other.id ? [make("p", { class: "live-note" }, TEXT.own)] : [];
    this.#result.replaceChildren(...own, make("p", {}, words), table(other.name, compared));
    this.#say(errors.length ? TEXT.done(other.name, worst) : TEXT.none);
    const player = await makePlayer(TEXT.pair(other.name), "compare");
    this.#result.append(player);
    await player.openPair(other.text, predicted);
  }

  /** @param {string} words @param {boolean} [bad] */
  #say(words, bad = false) {
    this.#status.textContent = words;
    this.#status.classList.toggle("live-bad", bad);
  }
}

/** @param {string} run @param {Record<string, Metric>} compared */
function table(run, compared) {
  const rows = Object.entries(compared).map(([name, metric]) =>
    make("tr", {}, make("th", { scope: "row" }, wordFor(METRICS, name)), make("td", {}, metric.n.toLocaleString("en")), ...STATISTICS.map((one) => cell(metric[one]))),
  );
  const head = make("tr", {}, ...TEXT.head.map((words) => (words ? make("th", { scope: "col" }, words) : make("td", {}))));
  const whole = make("table", { class: "live-table" }, make("caption", {}, TEXT.table(run)), make("thead", {}, head), make("tbody", {}, ...rows));
  return make("div", { class: "live-scroll", tabindex: 0, role: "group", "aria-label": TEXT.table(run) }, whole);
}

/** @param {Statistic} statistic */
function cell({ measured, predicted, error }) {
  return make("td", {}, duration(measured), " ", make("span", { class: "live-predicted" }, `→ ${duration(predicted)}`), make("strong", { class: "live-error" }, percent(error)));
}
