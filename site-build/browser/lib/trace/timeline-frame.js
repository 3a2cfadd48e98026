/** Where things stand in the timeline: which stretch of time or of steps is shown, and which rows. */
import { Range } from "./timeline-range.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */

export const RULER = 26;
const PAD = 6;
/** A stretch of less is no use: of one step, or of a hundredth of one where time is shown. */
const LEAST_STEPS = 4;
const LEAST_NS = 1000;
/** What a key or a button makes of the stretch that is seen. */
export const ZOOM = 1.5;

export class Frame {
  width = 0;
  height = 0;
  gutter = 60;
  rowHeight = 26;
  /** The topmost row's distance above the upper edge. */
  top = 0;

  /** @param {TraceModel} model @param {TraceModel | null} [beside] another that is shown on the same axis @param {Range} [range] which the two share */
  constructor(model, beside = null, range = new Range()) {
    this.model = model;
    this.beside = beside;
    this.range = range;
    this.fit();
  }

  get from() {
    return this.range.from;
  }

  get to() {
    return this.range.to;
  }

  get bySteps() {
    return this.range.bySteps;
  }

  /** The end of all that there is. */
  get end() {
    const ends = [this.model, this.beside ?? this.model].map(({ steps, end }) => (this.bySteps ? steps.count : end));
    return Math.max(1, ...(this.bySteps || this.beside?.header.unit === this.model.header.unit ? ends : [ends[0]]));
  }

  get least() {
    return this.bySteps || this.model.header.unit === "step" ? LEAST_STEPS : LEAST_NS;
  }

  /** Show the whole trace. */
  fit() {
    this.#set(0, this.end);
  }

  /** Begin with what the rows that are seen at first went through, where the whole would be but a corner. */
  fitFirstRows() {
    const { requests } = this.model;
    const seen = Math.floor((this.height - RULER) / this.rowHeight);
    if (seen < 1 || seen >= requests.count) return;
    const ends = Array.from({ length: seen }, (_, request) => requests.lastSpan[request]).filter((place) => place >= 0).map((place) => this.extent(place)[1]);
    this.#set(0, Math.min(this.end, Math.max(this.least, ...ends) * 1.1));
  }

  get plot() {
    return Math.max(1, this.width - this.gutter - PAD);
  }

  /** @param {number} value */
  x(value) {
    return this.gutter + ((value - this.from) / (this.to - this.from)) * this.plot;
  }

  /** @param {number} x */
  value(x) {
    return this.from + ((x - this.gutter) / this.plot) * (this.to - this.from);
  }

  /** @param {number} request */
  y(request) {
    return RULER + request * this.rowHeight - this.top;
  }

  /** @param {number} y @returns {number} the request there, or -1 */
  row(y) {
    const row = Math.floor((y - RULER + this.top) / this.rowHeight);
    return y >= RULER && row >= 0 && row < this.model.requests.count ? row : -1;
  }

  /** Show a shorter stretch or a longer one; what stands at `x` stays there. @param {number} factor below 1 for a closer look @param {number} x */
  zoom(factor, x) {
    const value = Math.min(Math.max(this.value(x), 0), this.end);
    const length = Math.min(Math.max((this.to - this.from) * factor, Math.min(this.least, this.end)), this.end);
    const share = (value - this.from) / (this.to - this.from);
    this.#set(value - share * length, length);
  }

  /** @param {number} pixels to the right */
  pan(pixels) {
    const length = this.to - this.from;
    this.#set(this.from + (pixels / this.plot) * length, length);
  }

  /**
   * Show this too; where it is out of sight, with more room after it than before.
   * @param {number} from @param {number} to @param {[number, number] | null} [held] what stays in sight @returns {boolean} whether that moved anything
   */
  reveal(from, to, held = null) {
    const length = this.to - this.from;
    if (from >= this.from && to <= this.to) return false;
    const start = from - Math.min(length * 0.3, Math.max(length - (to - from), length * 0.1));
    const was = this.from;
    this.#set(held && held[1] - held[0] <= length ? Math.min(Math.max(start, held[1] - length), held[0]) : start, length);
    return this.from !== was;
  }

  /** @param {number} from @param {number} length */
  #set(from, length) {
    const { range, end } = this;
    range.from = Math.min(Math.max(0, from), Math.max(0, end - length));
    range.to = range.from + length;
    range.isWhole = range.from <= 0 && range.to >= end;
  }

  /** Where a span begins and ends on the axis. @param {number} place in `model.spans` @returns {[number, number]} */
  extent(place) {
    const { spans, end, steps } = this.model;
    const open = Number.isNaN(spans.to[place]);
    if (this.bySteps) return [spans.firstStep[place], (open ? steps.count - 1 : spans.lastStep[place]) + 1];
    return [spans.from[place], open ? end : spans.to[place]];
  }
}

const UNITS = /** @type {const} */ ([["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]]);

/** A time on the axis, with as many digits as tell it from its neighbours. @param {number} at ns @param {number} step ns to the next one; NaN for a lone one */
export function tickWords(at, step) {
  const [name, size] = UNITS.find(([, size]) => at >= size || step >= size) ?? UNITS[1];
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10((step || size) / size) - 1e-9)));
  return `${(at / size).toLocaleString("en-GB", { maximumFractionDigits: digits })} ${name}`;
}

/** Round numbers along an axis, at least `gap` pixels from each other. @param {Frame} frame @param {number} gap @returns {number[]} */
export function ticks(frame, gap) {
  const raw = ((frame.to - frame.from) / frame.plot) * gap;
  const power = 10 ** Math.floor(Math.log10(raw));
  const whole = frame.bySteps || frame.model.header.unit === "step";
  const step = Math.max([1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= raw) ?? raw, whole ? 1 : 0);
  const found = [];
  for (let place = Math.ceil(frame.from / step); place * step <= frame.to; place += 1) found.push(place * step);
  return found;
}
