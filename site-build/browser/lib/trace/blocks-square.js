/** One square of the block map, and the patterns that tell what a block is where colour doesn't. */
import { letters, paint } from "./marks.js";
import { say, svg } from "./parts.js";

/** @typedef {import("./blocks-facts.js").Layout} Layout */
/** @typedef {import("./blocks-facts.js").PoolView} PoolView */

const LETTERS_FROM = 17;
/** A square that is filled less than this has its letters on two grounds. */
const LETTERS_COVERED = 0.66;
const GAP = 2;
/** In pixels: less of a square can't be seen. */
const [SLIVER, DOTTED] = [2, 4];

/** It touches its nodes only where something changed. */
export class Square {
  #drawn = "";
  #fill;
  #over;
  /** @type {SVGElement | undefined} */
  #text = undefined;

  /** @param {number} place @param {Layout} layout */
  constructor(place, { columns, size }) {
    this.place = place;
    this.size = size - GAP;
    const [x, y] = [(place % columns) * size, Math.floor(place / columns) * size];
    const box = { width: this.size, height: this.size, rx: size > 14 ? 2 : 1 };
    this.#fill = svg("rect", { class: "fill", width: this.size, height: 0 });
    this.#over = svg("rect", { class: "over", width: this.size, height: 0 });
    this.node = svg("g", { transform: `translate(${x + GAP / 2} ${y + GAP / 2})` }, svg("rect", { ...box, class: "ground" }), this.#fill, this.#over, svg("rect", { ...box, class: "edge" }));
  }

  /** @param {boolean} here */
  point(here) {
    if (this.node.classList.contains("here") !== here) this.node.classList.toggle("here", here);
  }

  /** @param {PoolView} pool @param {Set<number>} blocks that are lit @param {boolean} dims whether what isn't lit steps back */
  one(pool, blocks, dims) {
    const { block, kind, owner, holders, used, evicted } = pool.at(this.place + 1);
    const shining = blocks.has(block);
    const full = pool.model.blockSize ? used / pool.model.blockSize : 1;
    if (!this.#changes(`${kind} ${owner} ${holders} ${used} ${evicted} ${shining} ${dims}`)) return;
    const held = kind === "held" || kind === "shared";
    this.#set({ kind: held && full < 1 ? `${kind} part${full < LETTERS_COVERED ? " low" : ""}` : kind, owner, lit: shining, dim: dims && !shining, evicted });
    this.#bar(this.#fill, 0, held ? full : 0);
    this.#bar(this.#over, 0, kind === "shared" || kind === "cached" ? 1 : 0);
    this.#write(this.size + GAP < LETTERS_FROM || owner < 0 ? "" : kind === "shared" ? `×${holders}` : letters(pool.model, owner));
  }

  /** @param {import("./blocks-facts.js").Kinds} kinds @param {number} shining how many of them are lit */
  many({ held, shared, cached, evicted, lendable: all }, shining) {
    if (!this.#changes(`${held} ${shared} ${cached} ${evicted > 0} ${shining}`)) return;
    this.#set({ kind: shining ? "held" : "many", owner: -1, lit: shining > 0, dim: false, evicted: evicted > 0 });
    // A few among hundreds are a sliver that can be seen; what is dotted needs room for a dot.
    const dotted = cached ? Math.max(cached / all, DOTTED / this.size) : 0;
    const filled = held + shared ? Math.min(1 - dotted, Math.max((held + shared) / all, SLIVER / this.size)) : 0;
    this.#bar(this.#fill, 0, filled);
    this.#bar(this.#over, filled, Math.min(dotted, 1 - filled));
  }

  /** @param {string} looks */
  #changes(looks) {
    if (looks === this.#drawn) return false;
    this.#drawn = looks;
    return true;
  }

  /** @param {{ kind: string, owner: number, lit: boolean, dim: boolean, evicted: boolean }} looks */
  #set({ kind, owner, lit: shining, dim, evicted }) {
    this.node.setAttribute("class", `square ${kind}${shining ? " lit" : ""}${dim ? " dim" : ""}`);
    paint(this.node, owner);
    const corner = this.node.querySelector(".corner");
    if (evicted && !corner) this.node.append(svg("path", { class: "corner", d: `M0 0h${this.size * 0.5}L0 ${this.size * 0.5}z` }));
    if (!evicted) corner?.remove();
  }

  /** From the ground up. @param {SVGElement} bar @param {number} from @param {number} share */
  #bar(bar, from, share) {
    bar.setAttribute("y", String(this.size * (1 - from - share)));
    bar.setAttribute("height", String(this.size * share));
  }

  /** @param {string} text */
  #write(text) {
    if (!text) {
      this.#text?.remove();
      this.#text = undefined;
      return;
    }
    if (!this.#text) this.node.append((this.#text = svg("text", { x: this.size / 2, y: this.size / 2, dy: "0.35em" })));
    this.#text.setAttribute("font-size", String(Math.min(11, (this.size * 1.5) / Math.max(2, text.length))));
    say(this.#text, text);
  }
}

/** @returns {SVGElement} */
export function patterns() {
  const pattern = (/** @type {string} */ id, /** @type {number} */ size, /** @type {SVGElement} */ shape) =>
    svg("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, shape);
  return svg("defs", {},
    pattern("block-dots", 5, svg("circle", { class: "ink", cx: 2, cy: 2, r: 1 })),
    pattern("block-empty", 6, svg("path", { class: "faint", d: "M-1 1l2-2M0 6l6-6M5 7l2-2" })),
    pattern("block-stripes", 5, svg("path", { class: "paper", d: "M0 1h5" })));
}
