/** The views as panels: which are open, and what each says in words. */
import { make } from "../dom.js";
import { say, tableNode } from "./parts.js";
import { VIEWS } from "./views.js";

const TEXT = { views: "Views", words: "In words", none: "Choose a view above." };

/** @typedef {import("./clock.js").Moment} Moment */
/** @typedef {{ request: number | null, block: number | null }} Choice */
/** @typedef {{ node: HTMLElement, show: (moment: Moment) => void, resize?: () => void, destroy: () => void, each?: number }} View
 *   `each`: how many blocks one of its squares stands for, where it has squares */
/**
 * What a view is given: its model, the choice as it is now, and the ways to change choice and moment. What it draws shares
 * its axis with `beside`.
 * @typedef {{ model: import("./model.js").TraceModel, other: import("./model.js").TraceModel | null,
 *   beside?: import("./model.js").TraceModel | null, choice: Choice,
 *   choose: (choice: Partial<Choice>) => void, go: (moment: Partial<Moment>) => void, say: (words: string) => void, signal: AbortSignal }} Context
 */

export class Panels {
  /** @type {Map<string, Panel>} */
  #panels = new Map();
  #none = make("p", { class: "quiet" }, TEXT.none);

  /** @param {Context} context @param {string[]} open names of views that stand open at first */
  constructor(context, open) {
    const toggles = make("div", { class: "toggles", role: "group", "aria-label": TEXT.views });
    this.node = make("div", { class: "views" }, toggles, this.#none);
    for (const [name, kind] of Object.entries(VIEWS)) {
      if (kind.pairs && !context.other) continue;
      const panel = new Panel(name, kind, context);
      this.#panels.set(name, panel);
      const toggle = make("button", { type: "button", class: "toggle", "aria-pressed": "false" }, kind.title);
      toggle.addEventListener("click", () => this.#toggle(panel, toggle, panel.node.hidden !== false), { signal: context.signal });
      toggles.append(toggle);
      this.node.append(panel.node);
      if (open.includes(name)) this.#coming.push(() => this.#toggle(panel, toggle, true));
    }
    this.#come();
    new ResizeObserver(() => this.#resize()).observe(this.node);
  }

  /** Views that stand open at first and aren't made yet: one after each frame, so that the first one is there at once. @type {(() => void)[]} */
  #coming = [];
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;

  #come() {
    this.#coming.shift()?.();
    this.node.toggleAttribute("data-coming", this.#coming.length > 0);
    if (this.#coming.length) this.#frame = requestAnimationFrame(() => (this.#later = setTimeout(() => this.#come())));
  }

  /** @param {Panel} panel @param {HTMLElement} toggle @param {boolean} open */
  #toggle(panel, toggle, open) {
    panel.open(open);
    toggle.setAttribute("aria-pressed", String(open));
    if (this.#last) panel.show(...this.#last);
    this.#none.hidden = [...this.#panels.values()].some(({ node }) => !node.hidden);
  }

  /** @type {[Moment, boolean] | null} */
  #last = null;

  /** @param {Moment} moment @param {boolean} still whether the player stands, so that words are worth writing */
  show(moment, still) {
    this.#last = [moment, still];
    for (const panel of this.#panels.values()) panel.show(moment, still);
  }

  #resize() {
    for (const panel of this.#panels.values()) panel.resize();
  }

  destroy() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#later);
    for (const panel of this.#panels.values()) panel.destroy();
  }
}

class Panel {
  /** @type {View | null} */
  #view = null;
  #context;
  #kind;
  #sentence = make("p");
  #tables = make("div", { class: "tables" });
  #words;

  /** @param {string} name @param {import("./views.js").ViewKind} kind @param {Context} context */
  constructor(name, kind, context) {
    this.#kind = kind;
    this.#context = context;
    const summary = make("summary", {}, TEXT.words, make("span", { class: "unseen" }, `: ${kind.title}`));
    this.#words = make("details", { class: "words" }, summary, this.#sentence, this.#tables);
    this.#words.addEventListener("toggle", () => this.#moment && this.#write(this.#moment), { signal: context.signal });
    const title = make("p", { class: "panel-title", id: `panel-${name}` }, kind.title);
    // A group and no landmark: a page may have several players, and landmarks of one name can't be told apart.
    this.node = make("section", { class: `panel panel-${name}`, role: "group", "aria-labelledby": `panel-${name}` }, title, this.#words);
    this.node.hidden = true;
  }

  /** @type {Moment | null} */
  #moment = null;

  /** @param {boolean} open */
  open(open) {
    this.node.hidden = !open;
    if (!open || this.#view) return;
    this.#view = this.#kind.create(this.#context);
    this.#words.before(this.#view.node);
  }

  /** @param {Moment} moment @param {boolean} still */
  show(moment, still) {
    if (this.node.hidden) return;
    this.#moment = moment;
    this.#view?.show(moment);
    if (still) this.#write(moment);
  }

  /** @param {Moment} moment */
  #write(moment) {
    if (!this.#words.open) return;
    const { sentence, tables } = this.#kind.words(this.#context.model, moment, this.#context.choice, this.#context.other, this.#view ?? {});
    say(this.#sentence, sentence);
    this.#tables.replaceChildren(...tables.map(tableNode));
  }

  resize() {
    if (this.node.hidden || !this.#view?.resize) return;
    const { each } = this.#view;
    this.#view.resize();
    if (this.#view.each !== each && this.#moment) this.#write(this.#moment);
  }

  destroy() {
    this.#view?.destroy();
  }
}
