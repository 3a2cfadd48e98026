/** Queue and batch: who runs, who waits in which order, and who uses the step's token budget. */
import { make } from "../dom.js";
import { count, number, share } from "./language.js";
import { chooseByClick, letters, lit, paint, replica } from "./marks.js";
import { arrange, oneStop, roving, say } from "./parts.js";
import { batchAt, groupsOf, presentAt, waitsAgain } from "./queue-facts.js";
import { ORDER, USES, budgetWords } from "./queue-words.js";
import { standingAt } from "./standing.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./queue-facts.js").Batch} Batch */
/** @typedef {import("./queue-facts.js").Group} Group */

const MOST_CHIPS = 60;
/** In pixels: a part of the bar that is narrower stands together with its neighbours. */
const NARROW = 30;
/** In pixels: no letter of a name is wider. */
const LETTER = 10;
/** @type {Readonly<Record<string, string>>} */
const SIGNS = Object.freeze({ prefill: "P", decode: "D", recompute: "R" });

const TEXT = {
  running: "Running",
  waiting: "Waiting",
  budget: "Token budget of this step",
  nobody: "nobody",
  noStep: "No step has run yet.",
  noSteps: "The trace has no steps, so it doesn't tell who used a step's budget.",
  preempted: "preempted in this step",
  again: "was preempted: waits again",
};

/** @param {Context} context */
export function create(context) {
  return new QueueView(context);
}

class QueueView {
  #context;
  #running;
  #waiting;
  #bar = make("div", { class: "stack", "aria-hidden": "true" });
  #budget = make("p", { class: "quiet" });
  #section;
  #order = make("p", { class: "quiet", hidden: true }, ORDER);

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    this.#running = new Line(context, TEXT.running);
    this.#waiting = new Line(context, TEXT.waiting);
    this.#section = make("section", { class: "budget" }, make("p", { class: "subtitle" }, TEXT.budget), this.#bar, this.#budget, legend());
    this.node = make("div", { class: "view queue" }, this.#running.node, this.#waiting.node, this.#order, this.#section);
    chooseByClick(this.node, context);
  }

  /** @param {import("./clock.js").Moment} moment */
  show({ step, at }) {
    const { model } = this.#context;
    this.#section.classList.toggle("without", !model.steps.count);
    if (!model.steps.count) return this.#present(at);
    const state = standingAt(model, step);
    const batch = batchAt(model, step, state);
    const shining = lit(state, this.#context.choice);
    this.#running.show(batch.running, shining, replica(model, step) + seats(batch), () => "");
    this.#waiting.show(batch.waiting, shining, number(batch.waiting.length), (request) =>
      batch.preempted.includes(request) ? TEXT.preempted : waitsAgain(model, request, step) ? TEXT.again : "");
    this.#order.hidden = batch.ordered || batch.waiting.length < 2;
    this.#stack(batch, step, shining);
    say(this.#budget, step < 0 ? TEXT.noStep : budgetWords(batch));
  }

  destroy() {
    this.node.remove();
  }

  /** @param {number} at */
  #present(at) {
    const { model, choice } = this.#context;
    const { running, waiting } = presentAt(model, at);
    const shining = lit(null, choice);
    this.#running.show(running, shining, number(running.length), () => "");
    this.#waiting.show(waiting, shining, number(waiting.length), () => "");
    this.#bar.replaceChildren();
    say(this.#budget, TEXT.noSteps);
  }

  /** @param {Batch} batch @param {number} step @param {Set<number>} shining */
  #stack({ used, budget }, step, shining) {
    const whole = Number.isNaN(budget) ? used : Math.max(budget, used);
    const width = this.#bar.clientWidth || 320;
    const pieces = groupsOf(this.#context.model, step, (whole * NARROW) / width, shining).map((group) => this.#piece(group, width / whole));
    if (whole > used) pieces.push(grown(make("span", { class: "piece idle", title: `${number(whole - used)} unused` }, number(whole - used)), whole - used));
    this.#bar.style.setProperty("--least", `${Math.min(NARROW, width / pieces.length)}px`);
    this.#bar.replaceChildren(...pieces);
  }

  /** @param {Group} group @param {number} pixels that a token has */
  #piece({ row, count: many, tokens, use, bright }, pixels) {
    const { model } = this.#context;
    const request = many === 1 ? model.rows.request[row] : -1;
    const id = model.requests.ids[request] ?? "";
    const name = id ? (id.length * LETTER < tokens * pixels ? id : letters(model, request)) : `${number(many)} ×`;
    const title = `${id || count(many, "request")}: ${count(tokens, "token")}, ${USES[use]}`;
    const node = make("span", { class: `piece ${use}${id ? "" : " several"}${bright ? " lit" : ""}`, title, "data-request": id ? request : null },
      make("b", {}, name), make("i", {}, `${SIGNS[use]} ${number(tokens)}`));
    paint(node, request);
    return grown(node, tokens);
  }
}

/** @param {HTMLElement} node @param {number} tokens */
function grown(node, tokens) {
  node.style.flexGrow = String(tokens);
  return node;
}

/** @param {Batch} batch */
function seats({ running, seats: all }) {
  return Number.isNaN(all) ? number(running.length) : `${number(running.length)} of ${count(all, "seat")} (${share(running.length / all)})`;
}

/** A row of chips, each a request that can be chosen. */
class Line {
  #context;
  #count = make("span", { class: "count" });
  #list;
  #more = make("span", { class: "more" });
  /** @type {Map<number, HTMLButtonElement>} */
  #chips = new Map();

  /** @param {Context} context @param {string} title */
  constructor(context, title) {
    this.#context = context;
    this.#list = make("div", { class: "chips", role: "group", "aria-label": title });
    this.node = make("section", { class: "line" }, make("p", { class: "subtitle" }, `${title} `, this.#count), this.#list);
    roving(this.#list, context.signal);
  }

  /** @param {readonly number[]} requests @param {Set<number>} shining @param {string} words @param {(request: number) => string} mark */
  show(requests, shining, words, mark) {
    say(this.#count, words);
    const shown = requests.slice(0, MOST_CHIPS);
    const focused = /** @type {Document | ShadowRoot} */ (this.node.getRootNode()).activeElement;
    const chips = shown.map((request) => this.#chip(request, shining.has(request), mark(request)));
    const rest = requests.length - shown.length;
    say(this.#more, rest ? `and ${number(rest)} more` : TEXT.nobody);
    arrange(this.#list, rest || !shown.length ? [...chips, this.#more] : chips);
    for (const [request, chip] of this.#chips) if (!chip.isConnected && !shown.includes(request)) this.#chips.delete(request);
    if (focused instanceof HTMLElement && focused.isConnected && this.#list.contains(focused)) focused.focus({ preventScroll: true });
    oneStop(this.#list);
  }

  /** @param {number} request @param {boolean} bright @param {string} mark */
  #chip(request, bright, mark) {
    let chip = this.#chips.get(request);
    if (!chip) {
      chip = make("button", { type: "button", class: "chip", tabindex: -1, "data-request": request }, make("span", {}, this.#context.model.requests.ids[request]));
      paint(chip, request);
      this.#chips.set(request, chip);
    }
    chip.setAttribute("aria-pressed", String(bright));
    if ((chip.dataset.mark ?? "") !== mark) {
      chip.dataset.mark = mark;
      chip.replaceChildren(chip.firstChild ?? "", ...(mark ? [make("small", {}, mark)] : []));
    }
    return chip;
  }
}

function legend() {
  const items = Object.entries(USES).map(([use, words]) => make("li", {}, make("span", { class: `swatch ${use}`, "aria-hidden": "true" }, SIGNS[use]), words));
  items.push(make("li", {}, make("span", { class: "swatch idle", "aria-hidden": "true" }), "unused"));
  return make("ul", { class: "legend", "aria-label": "What the parts mean" }, ...items);
}
