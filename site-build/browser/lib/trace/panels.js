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
 * its axis with `beside`, the stretch of it that is seen is `range`, and the requests that are seen are `rows`; `leads`:
 * whether those go where its moment is.
 * @typedef {{ model: import("./model.js").TraceModel, other: import("./model.js").TraceModel | null,
 *   beside?: import("./model.js").TraceModel | null, range?: import("./timeline-range.js").Range, rows?: import("./timeline-range.js").Rows, leads?: boolean, choice: Choice,
 *   choose: (choice: Partial<Choice>) => void, go: (moment: Partial<Moment>) => void, say: (words: string) => void, signal: AbortSignal }} Context
 */

export class Panels {
  /** @type {Map<string, { panel: Panel, toggle: HTMLElement }>} */
  #panels = new Map();
  #none = make("p", { class: "quiet" }, TEXT.none);

  /** @param {Context} context @param {readonly string[]} open names of views that stand open at first */
  constructor(context, open) {
    const toggles = make("div", { class: "toggles", role: "group", "aria-label": TEXT.views });
    this.node = make("div", { class: "views" }, toggles, this.#none);
    for (const [name, kind] of Object.entries(VIEWS)) {
      if (kind.pairs && !context.other) continue;
      const panel = new Panel(name, kind, context);
      const toggle = make("button", { type: "button", class: "toggle", "aria-pressed": "false" }, kind.title);
      toggle.addEventListener("click", () => this.#toggle(name, panel.node.hidden !== false), { signal: context.signal });
      this.#panels.set(name, { panel, toggle });
      toggles.append(toggle);
      this.node.append(panel.node);
    }
    this.open(open);
    new ResizeObserver(() => this.#resize()).observe(this.node);
  }

  /** Views that are to stand open and don't yet: one after each frame, so that the first one is there at once. @type {string[]} */
  #coming = [];
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;

  /** Let just these stand open. @param {readonly string[]} names */
  open(names) {
    this.#stop();
    this.#coming = [];
    for (const [name, { panel }] of this.#panels) {
      if (names.includes(name) !== panel.node.hidden) continue;
      if (panel.node.hidden) this.#coming.push(name);
      else this.#toggle(name, false);
    }
    this.#come();
  }

  #come() {
    const name = this.#coming.shift();
    if (name) this.#toggle(name, true);
    this.node.toggleAttribute("data-coming", this.#coming.length > 0);
    if (this.#coming.length) this.#frame = requestAnimationFrame(() => (this.#later = setTimeout(() => this.#come())));
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#later);
  }

  /** @param {string} name @param {boolean} open */
  #toggle(name, open) {
    const { panel, toggle } = /** @type {{ panel: Panel, toggle: HTMLElement }} */ (this.#panels.get(name));
    panel.open(open);
    toggle.setAttribute("aria-pressed", String(open));
    if (this.#last) panel.show(...this.#last);
    this.#none.hidden = [...this.#panels.values()].some(({ panel: { node } }) => !node.hidden);
  }

  /** @type {[Moment, boolean] | null} */
  #last = null;

  /** @param {Moment} moment @param {boolean} still whether the player stands, so that words are worth writing */
  show(moment, still) {
    this.#last = [moment, still];
    for (const { panel } of this.#panels.values()) panel.show(moment, still);
  }

  #resize() {
    for (const { panel } of this.#panels.values()) panel.resize();
  }

  destroy() {
    this.#stop();
    for (const { panel } of this.#panels.values()) panel.destroy();
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
    // Of two traces, the others show the first.
    const whose = context.other && !kind.pairs ? [" ", make("b", { class: "letter-of" }, "A")] : [];
    const title = make("p", { class: "panel-title", id: `panel-${name}` }, kind.title, ...whose);
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
