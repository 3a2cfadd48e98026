/** Why: for the step that is shown, each rule that decided something, and the line of the engine that says so. */
import { make } from "../dom.js";
import { number } from "./language.js";
import { chooseByClick, lit, paint } from "./marks.js";
import { arrange, say } from "./parts.js";
import { standingAt } from "./standing.js";
import { rules, silence, told } from "./why-words.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./why-words.js").Told} Told */

const MOST = 40;
const TEXT = { opens: " (opens in a new tab)", more: (/** @type {number} */ rest) => `and ${number(rest)} more, in the table in words` };

/** Beside the player, wherever that stands. */
const RULES_AT = new URL("rules.json", import.meta.url);

/** @type {Promise<void> | undefined} */
let reading;

/** Read the rules once a page. Without them a reason still has its name and its facts. */
function readRules() {
  reading ??= fetch(RULES_AT)
    .then(async (response) => {
      if (response.ok) rules.known = await response.json();
    })
    .catch(() => undefined);
  return reading;
}

/** @param {Context} context */
export function create(context) {
  return new Why(context);
}

class Why {
  #context;
  #list = make("ol", { class: "reasons" });
  #silence = make("p", { class: "quiet" });
  /** @type {import("./clock.js").Moment | null} */
  #moment = null;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    this.node = make("div", { class: "view why" }, this.#silence, this.#list);
    chooseByClick(this.#list, context);
    if (context.model.knowsWhy || !context.model.complete) {
      void readRules().then(() => this.#moment && !context.signal.aborted && this.show(this.#moment));
    }
  }

  /** @param {import("./clock.js").Moment} moment */
  show(moment) {
    this.#moment = moment;
    const { model, choice } = this.#context;
    const { step } = moment;
    const list = told(step < 0 ? [] : model.why(step), rules.known);
    this.#silence.hidden = list.length > 0;
    say(this.#silence, list.length ? "" : silence(model, step));
    const shining = lit(model.steps.count ? standingAt(model, step) : null, choice);
    const items = list.slice(0, MOST).map((one) => this.#item(one, shining));
    if (list.length > MOST) items.push(make("li", { class: "quiet" }, TEXT.more(list.length - MOST)));
    arrange(this.#list, items);
  }

  destroy() {
    this.node.remove();
  }

  /** @param {Told} one @param {Set<number>} shining */
  #item({ id, text, place, url }, shining) {
    const request = this.#context.model.requests.index.get(id) ?? -1;
    const bright = shining.has(request);
    const chip = make("button", { type: "button", class: "chip", "aria-pressed": String(bright), "data-request": request }, id);
    paint(chip, request);
    const link = place && make("a", { href: new URL(url, RULES_AT).href, target: "_blank", rel: "noopener" }, place, make("span", { class: "unseen" }, TEXT.opens));
    return make("li", { class: bright ? "lit" : "" }, request < 0 ? "" : chip, make("span", { class: "sentence" }, text, " ", link));
  }
}
