/** The paper that the timeline is drawn on: a canvas as large as what is seen, standing still while its rows are scrolled. */
import { make } from "../dom.js";
import { printed } from "./palette.js";
import { RULER } from "./timeline-frame.js";
import { FACE } from "./timeline-strokes.js";

/** @typedef {import("./timeline-frame.js").Frame} Frame */

const MOST_HEIGHT = 420;
const LEAST_HEIGHT = 90;
const ROW = 26;
/** Browsers can't scroll further than some 17 million pixels. */
const MOST_SCROLL = 16e6;
/** Below the last row; and the two borders are as high together. */
const EDGE = 2;
const MOST_GUTTER = 150;

export class Paper {
  #canvas = make("canvas", { "aria-hidden": "true" });
  #space = make("div", { class: "timeline-space" });
  #frame;

  /** @param {Frame} frame @param {string} label */
  constructor(frame, label) {
    this.#frame = frame;
    this.node = make("div", { class: "timeline-scroll", tabindex: 0, role: "application", "aria-label": label }, this.#canvas, this.#space);
  }

  /** As high as there are rows, up to a height that leaves room for the rest of the page. */
  grow() {
    const { model } = this.#frame;
    this.#frame.rowHeight = Math.min(ROW, MOST_SCROLL / Math.max(model.requests.count, 1));
    const height = RULER + model.requests.count * this.#frame.rowHeight + 2 * EDGE;
    const { style } = this.node;
    // A reader may have made it taller or flatter: that stays.
    if (!style.height || this.#frame.height < MOST_HEIGHT) style.height = `${Math.min(Math.max(height, LEAST_HEIGHT), MOST_HEIGHT)}px`;
    this.lay();
  }

  get isLaid() {
    const { clientWidth, clientHeight } = this.node;
    return clientWidth === this.#frame.width && clientHeight === this.#frame.height;
  }

  /** Fit the canvas into what is seen. */
  lay() {
    const frame = this.#frame;
    // On paper it is shown as it was drawn for the window.
    if (printed.matches && frame.width) return;
    const all = RULER + frame.model.requests.count * frame.rowHeight + EDGE;
    // Measured without the old picture, which may be what a scroll bar is for.
    this.#canvas.style.height = "0";
    this.#space.style.height = `${all}px`;
    const { clientWidth, clientHeight } = this.node;
    Object.assign(frame, { width: clientWidth, height: clientHeight });
    frame.gutter = Math.min(Math.ceil(this.#longestName()) + 38, MOST_GUTTER, clientWidth * 0.35);
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    this.#canvas.style.width = `${clientWidth}px`;
    this.#canvas.style.height = `${clientHeight}px`;
    this.#space.style.height = `${Math.max(0, all - clientHeight)}px`;
  }

  /** In pixels; what shares the axis has the same room for names, so that the same time stands at the same place. */
  #longestName() {
    const { model, beside } = this.#frame;
    const pen = this.#context();
    pen.font = `500 13px ${FACE}`;
    const names = [model, ...(beside ? [beside] : [])].map(({ requests }) => requests.ids.reduce((long, id) => (id.length > long.length ? id : long), "step"));
    return Math.max(...names.map((name) => pen.measureText(name).width));
  }

  /** @returns {CanvasRenderingContext2D} one that measures in CSS pixels */
  pen() {
    const pen = this.#context();
    const ratio = this.#canvas.width / this.#frame.width;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return pen;
  }

  /** @returns {CanvasRenderingContext2D} */
  #context() {
    return /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d"));
  }

  /** Look where it is scrolled to. */
  look() {
    this.#frame.top = this.node.scrollTop;
  }

  /** Let a row be the topmost one. @param {number} row */
  scrollTo(row) {
    this.node.scrollTop = Math.max(0, row) * this.#frame.rowHeight;
  }

  /** @param {number} request whose row is to be seen */
  reveal(request) {
    const y = request * this.#frame.rowHeight;
    const seen = this.node.clientHeight - RULER;
    const { scrollTop } = this.node;
    if (y < scrollTop) this.node.scrollTop = y;
    else if (y + this.#frame.rowHeight > scrollTop + seen) this.node.scrollTop = y + this.#frame.rowHeight - seen;
    this.look();
  }
}
