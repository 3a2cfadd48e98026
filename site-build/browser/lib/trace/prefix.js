/**
 * The prefix tree: from left to right the blocks of a sequence, from top to bottom those who hold them. What several
 * begin with is one piece as high as all of them; where they part, it branches.
 */
import { make } from "../dom.js";
import { count, number } from "./language.js";
import { chooseRequest, letters, lit, paint, sayLit } from "./marks.js";
import { oneStop, roving, say } from "./parts.js";
import { forestAt, walk } from "./prefix-facts.js";
import { NOTHING, forestWords, groupWords, instead, segmentWords } from "./prefix-words.js";
import { standingAt } from "./standing.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./prefix-facts.js").Segment} Segment */
/** @typedef {{ segment: Segment, row: number, rows: number }} Placed */
/** @typedef {{ name: string, placed: Placed[], rows: number }} Tree what is drawn of a group; `name` is "" where there is but one */

const ROW = 26;
const MOST_ROWS = 40;
const MOST_NAMES = 8;

const TEXT = {
  tree: "Prefix tree",
  more: (/** @type {number} */ rows) => `${count(rows, "more branch", "more branches")} not drawn; the table in words has them.`,
  cached: "cached",
  rest: "From left to right: the blocks of a sequence. A piece is as high as there are ways on from it.",
};
const LEGEND = [["shared", "shared by several"], ["alone", "held by one"], ["cached", "only the cache keeps it"]];

/** @param {Context} context */
export function create(context) {
  return new PrefixTree(context);
}

class PrefixTree {
  #context;
  #sum = make("p", { class: "sum" });
  #trees = make("div", { class: "trees", role: "group", "aria-label": TEXT.tree });
  #readout = make("p", { class: "strip", "aria-hidden": "true" }, TEXT.rest);
  #drawn = "";
  /** @type {import("./state.js").State | null} */
  #state = null;
  /** @type {Map<HTMLElement, Segment>} */
  #pieces = new Map();

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    const items = LEGEND.map(([kind, text]) => make("li", {}, make("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), text));
    this.node = make("div", { class: "view prefix" }, this.#sum, this.#trees, this.#readout, make("ul", { class: "legend", "aria-label": "What the pieces mean" }, ...items));
    const { signal } = context;
    roving(this.#trees, signal);
    this.#trees.addEventListener("click", (event) => this.#choose(event), { signal });
    for (const kind of ["pointerover", "focusin"]) this.#trees.addEventListener(kind, (event) => this.#read(event), { signal });
    this.#trees.addEventListener("pointerleave", () => say(this.#readout, TEXT.rest), { signal });
  }

  /** @param {import("./clock.js").Moment} moment */
  show({ step }) {
    const { model } = this.#context;
    const without = instead(model);
    this.node.classList.toggle("without", !!without);
    if (without) return say(this.#sum, without);
    const state = standingAt(model, step);
    this.#state = state;
    const forest = forestAt(model, state);
    say(this.#sum, forestWords(model, step, forest));
    const deepest = forest.groups.flatMap(({ segments }) => walk(segments)).reduce((most, { depth, blocks }) => Math.max(most, depth + blocks.length), 1);
    const { trees, more } = this.#plan(forest.groups);
    // Most steps change no table's shape; then the pieces and the focus stay.
    const looks = JSON.stringify([deepest, more, trees.map(looksOf)]);
    if (looks !== this.#drawn) this.#draw(trees, more, deepest);
    this.#drawn = looks;
    this.#light(lit(state, this.#context.choice));
  }

  destroy() {
    this.node.remove();
  }

  /** @param {readonly Tree[]} trees @param {number} more rows that aren't drawn @param {number} deepest */
  #draw(trees, more, deepest) {
    const had = this.#focused();
    this.#pieces.clear();
    const nodes = trees.flatMap((tree) => [...(tree.name ? [make("p", { class: "subtitle" }, tree.name)] : []), this.#tree(tree, deepest)]);
    if (more || !nodes.length) nodes.push(make("p", { class: "quiet" }, more ? TEXT.more(more) : NOTHING));
    this.#trees.replaceChildren(...nodes);
    oneStop(this.#trees);
    if (had !== null) ([...this.#pieces].find(([, { blocks }]) => blocks[0] === had)?.[0] ?? this.#trees.querySelector("button"))?.focus({ preventScroll: true });
  }

  /** @returns {number | null} the first block of the piece that has the focus */
  #focused() {
    const at = /** @type {ShadowRoot | Document} */ (this.node.getRootNode()).activeElement;
    return at instanceof HTMLElement ? this.#pieces.get(at)?.blocks[0] ?? null : null;
  }

  /** As many rows as one can look at; who holds blocks stands before what only the cache keeps. @param {import("./prefix-facts.js").Group[]} groups */
  #plan(groups) {
    const grown = groups.filter(({ segments }) => segments.length);
    const isNamed = grown.length > 1;
    /** @type {Tree[]} */
    const trees = [];
    let [room, more] = [MOST_ROWS, 0];
    for (const group of grown) {
      const all = group.segments.reduce((sum, { leaves }) => sum + leaves, 0);
      // A name takes a row's room as well.
      const rows = Math.min(all, Math.max(0, room - (isNamed ? 1 : 0)));
      more += all - rows;
      if (!rows) continue;
      trees.push({ name: isNamed ? groupWords(this.#context.model, group) : "", placed: place(group.segments, 0, rows), rows });
      room -= rows + (isNamed ? 1 : 0);
    }
    return { trees, more };
  }

  /** @param {Tree} tree @param {number} deepest */
  #tree({ placed, rows }, deepest) {
    const tree = make("div", { class: "tree" });
    tree.style.height = `${rows * ROW}px`;
    tree.append(...placed.map((one) => this.#piece(one, deepest, rows)));
    return tree;
  }

  /** @param {Placed} placed @param {number} deepest @param {number} seen how many rows of its tree are drawn */
  #piece({ segment, row, rows }, deepest, seen) {
    const { model } = this.#context;
    const { holders, blocks, depth } = segment;
    const kind = holders.length > 1 ? "shared" : holders.length ? "alone" : "cached";
    const names = holders.slice(0, MOST_NAMES).map((request) => {
      const name = make("span", { class: "letter" }, letters(model, request));
      paint(name, request);
      return name;
    });
    const rest = holders.length - names.length;
    const label = make("span", { "aria-hidden": "true" }, ...(kind === "cached" ? [TEXT.cached] : names), rest > 0 ? ` +${number(rest)}` : "", make("i", {}, ` ${number(blocks.length)}`));
    const node = make("button", { type: "button", class: `branch ${kind}`, tabindex: -1 }, label, make("span", { class: "unseen" }, segmentWords(model, segment)));
    if (kind === "alone") paint(node, holders[0]);
    node.style.left = `${(100 * depth) / deepest}%`;
    node.style.width = `${(100 * blocks.length) / deepest}%`;
    node.style.top = `${row * ROW}px`;
    node.style.height = `${Math.min(rows, seen - row) * ROW}px`;
    this.#pieces.set(node, segment);
    return node;
  }

  /** @param {Set<number>} shining */
  #light(shining) {
    const bright = (/** @type {Segment} */ { holders }) => holders.some((request) => shining.has(request));
    const some = [...this.#pieces.values()].some(bright);
    for (const [node, segment] of this.#pieces) {
      node.classList.toggle("lit", bright(segment));
      node.classList.toggle("dim", some && !bright(segment));
    }
  }

  /** @param {Event} event */
  #under(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    return button ? this.#pieces.get(button) : undefined;
  }

  /** @param {Event} event */
  #read(event) {
    const segment = this.#under(event);
    if (segment) say(this.#readout, segmentWords(this.#context.model, segment));
  }

  /** One holder is chosen itself; several by the last block that they share. @param {Event} event */
  #choose(event) {
    const segment = this.#under(event);
    if (!segment) return;
    const { choice, choose } = this.#context;
    const block = segment.blocks[segment.blocks.length - 1];
    if (segment.holders.length === 1) chooseRequest(this.#context, segment.holders[0]);
    else choose({ request: null, block: choice.block === block ? null : block });
    sayLit(this.#context, this.#state);
  }
}

/** All that is drawn of a tree: which blocks stand in the middle of a piece isn't. @param {Tree} tree */
function looksOf({ name, placed }) {
  return [name, ...placed.map(({ segment: { blocks, depth, holders }, row, rows }) => [row, rows, depth, blocks.length, blocks[0], blocks[blocks.length - 1], holders])];
}

/** Which rows each segment stands in, of those that begin above row `end`. @param {readonly Segment[]} segments @param {number} row @param {number} end @returns {Placed[]} */
function place(segments, row, end) {
  /** @type {Placed[]} */
  const placed = [];
  for (const segment of segments) {
    if (row >= end) break;
    placed.push({ segment, row, rows: segment.leaves }, ...place(segment.children, row, end));
    row += segment.leaves;
  }
  return placed;
}
