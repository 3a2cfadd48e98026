/**
 * The block map: the pool as squared paper, a square a block, or several blocks where there are too many to see.
 *
 * One tab stop: it is a slider over the blocks, so that a screen reader says each one that the arrow keys reach.
 */
import { make } from "../dom.js";
import { PoolView, cellOf, layout } from "./blocks-facts.js";
import { Square, patterns } from "./blocks-square.js";
import { NO_BLOCKS, blockWords, eachWords, poolWords, rangeWords } from "./blocks-words.js";
import { lit, sayLit } from "./marks.js";
import { say, svg } from "./parts.js";
import { standingAt } from "./standing.js";

/** @typedef {import("./blocks-facts.js").Layout} Layout */
/** @typedef {import("./panels.js").Context} Context */

const FIRST_WIDTH = 340;
const TALLEST = 308;

const TEXT = {
  map: "Block map",
  help: "The arrow keys go from square to square, Home and End to the first and the last; Enter lights up who holds it.",
  each: (/** @type {number} */ each) => `${eachWords(each)}: how much of it is filled is how many are held, and dotted how many are cached; a few are a sliver.`,
  rest: "Point at a square, or walk with the arrow keys, to read what it is.",
};

/** How a square looks and what that means. @type {readonly [string, string][]} */
const LEGEND = [
  ["held", "held"],
  ["partial", "its empty slots"],
  ["shared", "shared: by how many"],
  ["cached", "free but cached"],
  ["free", "free and empty"],
  ["evicted", "just evicted"],
];

/** @param {Context} context */
export function create(context) {
  const { model } = context;
  if (!model.numBlocks) return { node: make("p", { class: "nothing" }, NO_BLOCKS), show() {}, destroy() {} };
  return new BlockMap(context);
}

class BlockMap {
  #context;
  #sum = make("p", { class: "sum" });
  #note = make("p", { class: "quiet" });
  #legend = make("ul", { class: "legend", "aria-label": "What the squares mean" });
  #readout = make("p", { class: "strip", "aria-hidden": "true" });
  #picture = svg("svg", { "aria-hidden": "true", class: "squares" });
  #map = make("div", { class: "map", role: "slider", tabindex: 0, "aria-label": TEXT.map, "aria-describedby": "map-help", "aria-valuemin": 0 });
  /** @type {Square[]} */
  #squares = [];
  /** @type {Layout} */
  #layout = layout(1, FIRST_WIDTH, TALLEST);
  #width = FIRST_WIDTH;
  #blocks = 0;
  #at = 0;
  #hover = -1;
  /** @type {PoolView | undefined} */
  #pool;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    const { signal } = context;
    this.#map.append(this.#picture);
    this.node = make("div", { class: "view blocks" }, this.#sum, this.#map, make("span", { class: "unseen", id: "map-help" }, TEXT.help), this.#readout, this.#note, this.#legend);
    this.#map.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#map.addEventListener("pointermove", (event) => this.#point(this.#under(event)), { signal });
    this.#map.addEventListener("pointerleave", () => this.#point(-1), { signal });
    this.#map.addEventListener("click", (event) => this.#click(this.#under(event)), { signal });
    this.#map.addEventListener("focus", () => this.#mark(), { signal });
    this.#map.addEventListener("blur", () => this.#mark(), { signal });
  }

  /** @param {{ step: number }} moment */
  show({ step }) {
    const { model } = this.#context;
    // A live trace may come to know blocks later.
    this.node.classList.toggle("without", !model.numBlocks);
    if (!model.numBlocks) return say(this.#sum, NO_BLOCKS);
    this.#pool = new PoolView(model, standingAt(model, step));
    if (this.#blocks !== this.#pool.size - 1) this.#draw();
    this.#fill();
  }

  resize() {
    const width = this.node.clientWidth;
    if (!width || width === this.#width) return;
    this.#width = width;
    if (!this.#pool) return;
    this.#draw();
    this.#fill();
  }

  destroy() {
    this.node.remove();
  }

  /** All squares anew, for another width or another pool. */
  #draw() {
    this.#blocks = this.#context.model.numBlocks - 1;
    this.#layout = layout(this.#blocks, this.#width, TALLEST);
    const { columns, rows, size, cells, each } = this.#layout;
    this.#squares = Array.from({ length: cells }, (_, place) => new Square(place, this.#layout));
    this.#picture.replaceChildren(patterns(), ...this.#squares.map((square) => square.node));
    this.#picture.setAttribute("viewBox", `0 0 ${columns * size} ${rows * size}`);
    this.#picture.setAttribute("width", String(columns * size));
    this.#picture.setAttribute("height", String(rows * size));
    this.#at = Math.min(this.#at, cells - 1);
    this.#map.setAttribute("aria-valuemax", String(cells - 1));
    say(this.#note, each > 1 ? TEXT.each(each) : "");
    this.#note.hidden = each === 1;
    this.#legend.replaceChildren(...legend(each === 1));
  }

  #fill() {
    const pool = this.#pool;
    if (!pool) return;
    say(this.#sum, poolWords(pool));
    const { choice } = this.#context;
    const shining = lit(pool.state, choice);
    const blocks = new Set([...shining].flatMap((request) => pool.state.tables.get(request) ?? []));
    if (this.each === 1) for (const square of this.#squares) square.one(pool, blocks, blocks.size > 0);
    else this.#fillCells(pool, blocks);
    if (choice.block && !this.#map.matches(":focus")) this.#at = this.#squareOf(choice.block);
    this.#mark();
  }

  /** @param {PoolView} pool @param {Set<number>} lit */
  #fillCells(pool, lit) {
    const shining = new Int32Array(this.#squares.length);
    for (const block of lit) shining[cellOf(block, this.each)] += 1;
    pool.cells(this.each).forEach((kinds, place) => this.#squares[place].many(kinds, shining[place]));
  }

  /** How many blocks a square stands for. */
  get each() {
    return this.#layout.each;
  }

  /** @param {number} block */
  #squareOf(block) {
    return Math.min(this.#squares.length - 1, cellOf(block, this.each));
  }

  /** @param {number} place of a square @returns {number} its first block: block 0 is never lent and not drawn */
  #from(place) {
    return 1 + place * this.each;
  }

  /** @param {number} place */
  #to(place) {
    return Math.min(this.#from(place) + this.each, this.#blocks + 1);
  }

  /** @param {number} place */
  #words(place) {
    if (!this.#pool) return "";
    return this.each === 1 ? blockWords(this.#pool, this.#from(place)) : rangeWords(this.#pool, this.#from(place), this.#to(place));
  }

  /** Show where the keys and the pointer are, and say it. */
  #mark() {
    const focused = this.#map.matches(":focus-visible");
    this.#squares.forEach((square) => square.point(square.place === this.#hover || (focused && square.place === this.#at)));
    const words = this.#words(this.#at);
    if (this.#map.getAttribute("aria-valuetext") !== words) {
      this.#map.setAttribute("aria-valuenow", String(this.#at));
      this.#map.setAttribute("aria-valuetext", words);
    }
    const shown = this.#hover >= 0 ? this.#words(this.#hover) : focused || this.#context.choice.block ? words : TEXT.rest;
    say(this.#readout, shown);
  }

  /** @param {MouseEvent} event @returns {number} */
  #under(event) {
    const box = this.#picture.getBoundingClientRect();
    const { columns, size, cells } = this.#layout;
    const scale = box.width / (columns * size) || 1;
    const column = Math.floor((event.clientX - box.left) / (size * scale));
    const place = Math.floor((event.clientY - box.top) / (size * scale)) * columns + column;
    return column >= 0 && column < columns && place >= 0 && place < cells ? place : -1;
  }

  /** @param {number} place */
  #point(place) {
    if (place === this.#hover) return;
    this.#hover = place;
    this.#mark();
  }

  /** @param {number} place */
  #click(place) {
    if (place < 0) return;
    this.#at = place;
    this.#choose();
    this.#mark();
  }

  #choose() {
    if (!this.#pool) return;
    const from = this.#from(this.#at);
    if (this.each === 1) {
      const { choice } = this.#context;
      this.#context.choose({ request: null, block: choice.block === from ? null : from });
    } else {
      const most = this.#pool.holders(from, this.#to(this.#at))[0];
      this.#context.choose({ request: most ? most[0] : null, block: null });
    }
    sayLit(this.#context, this.#pool.state);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { columns, cells } = this.#layout;
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, PageDown: columns * 5, PageUp: -columns * 5, Home: -cells, End: cells };
    const move = moves[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#choose();
    else if (move) this.#at = Math.max(0, Math.min(cells - 1, this.#at + move));
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#hover = -1;
    this.#mark();
  }
}

/** @param {boolean} each whether each block has a square of its own */
function legend(each) {
  const shown = LEGEND.filter(([kind]) => each || (kind !== "partial" && kind !== "shared"));
  return shown.map(([kind, text]) => make("li", {}, make("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), text));
}
