/** Two traces of one workload, side by side on one clock: where they part first, which steps differ, how they end. */
import { make } from "../dom.js";
import { bothHaveSteps, differingSteps, firstDifference, matching } from "./compare-facts.js";
import { SAME, differenceWords, limitsWords, nameWords, statisticsTable } from "./compare-words.js";
import { count, number } from "./language.js";
import { say, svg, tableNode } from "./parts.js";
import { legend } from "./timeline-legend.js";
import { Range, Rows } from "./timeline-range.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./clock.js").Moment} Moment */
/** @typedef {import("./compare-facts.js").Difference} Difference */

const STRIP = 16;
const TEXT = {
  first: "First difference",
  go: "Go to the first difference",
  align: "Align by",
  step: "Step",
  time: "Time",
  alone: "There is only one trace here.",
  differ: (/** @type {number} */ some, /** @type {number} */ all) => `${number(some)} of ${count(all, "step")} ${some === 1 ? "runs" : "run"} other requests or other tokens (marked); the flag is the first difference of any kind.`,
  alike: (/** @type {number} */ all) => `All ${count(all, "step")} are alike.`,
  at: (/** @type {string} */ words) => `${words} Both show this moment now.`,
};

/** @param {Context} context @returns {import("./panels.js").View} */
export function create(context) {
  const { other } = context;
  return other ? new Compare(context, other) : { node: make("p", { class: "quiet" }, TEXT.alone), show() {}, destroy() {} };
}

class Compare {
  #context;
  #other;
  #byTime = false;
  #sum = make("p", { class: "sum" });
  #limits = make("p", { class: "quiet" });
  #go = make("button", { type: "button", class: "button" }, TEXT.go);
  #strip;
  #sides;
  #statistics = make("div", { class: "statistics" });
  /** @type {Difference | null} */
  #found = null;
  #version = -1;
  /** @type {Moment} */
  #moment = { step: -1, at: 0 };

  /** @param {Context} context @param {TraceModel} other */
  constructor(context, other) {
    this.#context = context;
    this.#other = other;
    const { model, signal } = context;
    this.#strip = new Strip(context);
    const alike = model.header.unit === other.header.unit;
    const range = alike ? new Range() : undefined;
    const rows = new Rows();
    const right = new Mirror(context, other, range, rows, (moment) => this.#back(moment));
    const left = /** @type {Context} */ (Object.create(context, { beside: { value: other }, range: { value: range }, rows: { value: rows } }));
    this.#sides = [left, right].map((each, place) => side("AB"[place], each));
    this.#go.addEventListener("click", () => this.#goFirst(), { signal });
    const bar = make("div", { class: "bar" }, this.#go);
    if (alike && bothHaveSteps(model, other) && model.header.unit === "ns") bar.append(this.#align(signal));
    // On one axis, what drives one side drives both.
    if (range) bar.append(...this.#sides[0].view.bar);
    const sides = make("div", { class: "sides" }, ...this.#sides.map(({ node }) => node));
    this.node = make("div", { class: "view compare" }, this.#sum, this.#limits, this.#strip.node, bar, sides, ...(range ? [legend()] : []), this.#statistics);
  }

  /** @param {AbortSignal} signal */
  #align(signal) {
    const buttons = [TEXT.step, TEXT.time].map((label, place) => {
      const node = make("button", { type: "button", class: "toggle", "aria-pressed": String(place === 0) }, label);
      node.addEventListener("click", () => {
        buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === node)));
        this.#byTime = place === 1;
        this.show(this.#moment);
      }, { signal });
      return node;
    });
    return make("div", { class: "cluster", role: "group", "aria-label": TEXT.align }, make("span", { class: "label" }, TEXT.align), ...buttons);
  }

  /** @param {Moment} moment */
  show(moment) {
    this.#moment = moment;
    const version = this.#context.model.version + this.#other.version;
    if (version !== this.#version) this.#look();
    this.#version = version;
    this.#strip.mark(moment.step);
    const [left, right] = this.#sides;
    left.view.show(moment);
    right.view.show(this.#there(moment));
  }

  resize() {
    for (const { view } of this.#sides) view.resize?.();
  }

  destroy() {
    for (const { view } of this.#sides) view.destroy();
    this.node.remove();
  }

  /** Compare anew. */
  #look() {
    const { model } = this.#context;
    const other = this.#other;
    this.#found = firstDifference(model, other);
    say(this.#sum, this.#found ? `${TEXT.first}: ${differenceWords(model, other, this.#found)}` : SAME);
    say(this.#limits, limitsWords(model, other));
    this.#go.hidden = !this.#found || (this.#found.a < 0 && this.#found.b < 0);
    this.#strip.draw(other, this.#found);
    this.#statistics.replaceChildren(tableNode(statisticsTable(model, other)));
  }

  #goFirst() {
    const found = this.#found;
    if (!found) return;
    const { model, go, say: tell } = this.#context;
    go(found.a >= 0 ? { step: found.a } : this.#back({ step: found.b, at: this.#other.steps.at[found.b] }));
    tell(TEXT.at(differenceWords(model, this.#other, found)));
  }

  /** The moment of B that stands beside one of A. @param {Moment} moment @returns {Moment} */
  #there(moment) {
    return matching(this.#context.model, this.#other, moment, this.#byTime);
  }

  /** And the other way. @param {Partial<Moment>} moment @returns {Moment} */
  #back({ step, at = 0 }) {
    const stepped = step ?? (this.#other.steps.count ? this.#other.stepAt(at) : -1);
    return matching(this.#other, this.#context.model, { step: stepped, at: step === undefined ? at : this.#other.steps.at[step] }, this.#byTime || stepped < 0);
  }
}

/** @param {string} letter @param {Context} context */
function side(letter, context) {
  const view = new Timeline(context);
  const title = make("p", { class: "subtitle" }, make("b", { class: "letter-of" }, letter), ` ${nameWords(context.model)}`);
  return { view, node: make("div", { role: "group", class: "side", "aria-label": `${letter}: ${context.model.header.name}` }, title, view.node) };
}

/** The context of the second trace: choices go by a request's name, moments by the match of the two. */
class Mirror {
  other = null;
  leads = false;
  #first;
  #back;

  /** @param {Context} first @param {TraceModel} model @param {Range | undefined} range @param {Rows} rows @param {(moment: Partial<Moment>) => Moment} back */
  constructor(first, model, range, rows, back) {
    this.#first = first;
    this.model = model;
    this.range = range;
    this.rows = rows;
    this.beside = first.model;
    this.signal = first.signal;
    this.say = first.say;
    this.#back = back;
  }

  get choice() {
    const { request } = this.#first.choice;
    const id = request === null ? "" : this.#first.model.requests.ids[request];
    return { request: this.model.requests.index.get(id) ?? null, block: null };
  }

  choose = (/** @type {Partial<import("./panels.js").Choice>} */ { request = null }) => {
    const id = request === null ? "" : this.model.requests.ids[request];
    this.#first.choose({ request: this.#first.model.requests.index.get(id) ?? null, block: null });
  };

  go = (/** @type {Partial<Moment>} */ moment) => this.#first.go(this.#back(moment));
}

/** All steps in a strip: those that differ are marked, the first of them has a flag. */
class Strip {
  #context;
  #picture = svg("svg", { class: "differing", preserveAspectRatio: "none", "aria-hidden": "true" });
  #words = make("p", { class: "quiet" });
  #now = svg("path", { class: "now" });
  #count = 0;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    this.node = make("div", { class: "strip-of-steps" }, this.#picture, this.#words);
    this.#picture.addEventListener("click", (event) => {
      const box = this.#picture.getBoundingClientRect();
      context.go({ step: Math.min(context.model.steps.count - 1, Math.floor(((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * this.#count)) });
    }, { signal: context.signal });
  }

  /** @param {TraceModel} other @param {Difference | null} found */
  draw(other, found) {
    const { model } = this.#context;
    this.node.hidden = !bothHaveSteps(model, other);
    if (this.node.hidden) return;
    const differ = differingSteps(model, other);
    this.#count = differ.length;
    let [d, some] = ["", 0];
    for (let step = 0; step < differ.length; step += 1) {
      if (!differ[step]) continue;
      some += 1;
      if (!differ[step - 1]) d += `M${step} 4V${STRIP}H`;
      if (!differ[step + 1]) d += `${step + 1}V4Z`;
    }
    const first = found ? Math.max(found.a, found.b) : -1;
    const wide = differ.length / 60;
    const flag = first < 0 ? "" : `M${first} 0h${wide}l${-wide} 6z`;
    this.#picture.setAttribute("viewBox", `0 0 ${differ.length} ${STRIP}`);
    this.#picture.replaceChildren(svg("path", { class: "marks", d }), svg("path", { class: "flag", d: flag }), this.#now);
    say(this.#words, some || found ? TEXT.differ(some, differ.length) : TEXT.alike(differ.length));
  }

  /** @param {number} step */
  mark(step) {
    this.#now.setAttribute("d", step < 0 ? "" : `M${step + 0.5} 0V${STRIP}`);
  }
}
