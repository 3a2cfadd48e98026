/** The timeline: every request a row, what it went through as stretches along time or along steps. */
import { make } from "../dom.js";
import { signButton } from "./transport.js";
import { onPalette, paletteAt } from "./palette.js";
import { say } from "./parts.js";
import { spanAt } from "./spans.js";
import { standingAt } from "./standing.js";
import { nowAt } from "./timeline-axis.js";
import { draw } from "./timeline-draw.js";
import { neighbour, rowsToShow, spanAtMoment, spanUnder } from "./timeline-find.js";
import { Frame, RULER } from "./timeline-frame.js";
import { listenToHands } from "./timeline-hands.js";
import { legend } from "./timeline-legend.js";
import { FACE } from "./timeline-strokes.js";
import { requestWords, spanWords, traceWords } from "./timeline-words.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./panels.js").View} View */
/** @typedef {import("./clock.js").Moment} Moment */

const MOST_HEIGHT = 420;
const ROW = 26;
/** Browsers can't scroll further than some 17 million pixels. */
const MOST_SCROLL = 16e6;
/** Below the last row; and the two borders are as high together. */
const EDGE = 2;
const MOST_GUTTER = 150;
const ZOOM = 1.5;

const TEXT = {
  label: "Timeline. Arrow keys walk among requests and stretches; press ? for all keys.",
  axis: "Axis",
  time: "By time",
  steps: "By step",
  closer: "Zoom in",
  wider: "Zoom out",
  whole: "Whole trace",
  hint: "Point at a stretch, or walk there with the arrow keys, for its exact values.",
  empty: "No request has arrived yet.",
};

/** @param {Context} context @returns {View} */
export function create(context) {
  return new Timeline(context);
}

class Timeline {
  #context;
  #frame;
  #canvas = make("canvas", { "aria-hidden": "true" });
  #space = make("div", { class: "timeline-space" });
  #scroll = make("div", { class: "timeline-scroll", tabindex: 0, role: "application", "aria-label": TEXT.label });
  #probe = make("span", { hidden: true });
  #strip = make("p", { class: "strip" });
  /** Offered once there are steps. */
  #axis = make("div", { class: "cluster", role: "group", "aria-label": TEXT.axis });
  #whole = make("button", { type: "button", class: "button" }, TEXT.whole);
  /** @type {import("./palette.js").Palette | null} */
  #palette = null;
  /** @type {Moment} */
  #moment = { step: -1, at: 0 };
  #cursor = -1;
  #hover = -1;
  #drawing = 0;
  #version = -1;
  #isWhole = true;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    const { model, signal } = context;
    this.#frame = new Frame(model, context.beside);
    this.#scroll.append(this.#canvas, this.#space);
    this.node = make("div", { class: "timeline" }, this.#bar(), this.#scroll, this.#strip, legend(), this.#probe);
    this.#scroll.addEventListener("scroll", () => this.#draw(), { signal });
    this.#scroll.addEventListener("keydown", (event) => this.#key(event), { signal });
    for (const name of ["focus", "blur"]) this.#scroll.addEventListener(name, () => this.#draw(), { signal });
    listenToHands(this.#scroll, this.#frame, {
      hover: (x, y) => this.#point(x, y),
      choose: (x, y) => this.#pick(x, y),
      scrub: (x) => this.#scrub(x),
      moved: () => this.#moved(),
    }, signal);
    onPalette(() => {
      this.#palette = null;
      this.#paint();
    }, signal);
    // A face that nothing else uses arrives only once the canvas has asked for it.
    document.fonts.addEventListener("loadingdone", () => {
      this.#lay();
      this.#draw();
    }, { signal });
  }

  #bar() {
    const { model, signal } = this.#context;
    const zoom = make("div", { class: "cluster", role: "group" },
      signButton(TEXT.wider, "minus", () => this.#zoom(ZOOM), signal), signButton(TEXT.closer, "plus", () => this.#zoom(1 / ZOOM), signal), this.#whole);
    this.#whole.addEventListener("click", () => this.#fit(), { signal });
    return make("div", { class: "bar" }, ...(model.header.unit === "ns" ? [this.#axis] : []), zoom);
  }

  #chooseAxis() {
    const { signal } = this.#context;
    const buttons = [TEXT.time, TEXT.steps].map((label, place) => {
      const node = make("button", { type: "button", class: "toggle", "aria-pressed": String(place === 0) }, label);
      node.addEventListener("click", () => {
        buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === node)));
        this.#frame.bySteps = place === 1;
        this.#fit();
      }, { signal });
      return node;
    });
    this.#axis.append(...buttons);
  }

  /** @param {Moment} moment */
  show(moment) {
    const { model, choice } = this.#context;
    const moved = moment.step !== this.#moment.step || moment.at !== this.#moment.at;
    this.#moment = moment;
    const isFirst = this.#version < 0;
    if (model.version !== this.#version) this.#grow();
    if (isFirst && model.complete) {
      this.#frame.fitFirstRows();
      this.#moved();
    }
    if (choice.request === null) this.#cursor = -1;
    else if (this.#cursor < 0 || model.spans.request[this.#cursor] !== choice.request) {
      this.#cursor = spanAtMoment(this.#frame, this.#moment, choice.request);
      this.#reveal(choice.request);
    }
    if (moved) this.#follow();
    this.#tell();
    this.#paint();
  }

  resize() {
    const { clientWidth, clientHeight } = this.#scroll;
    if (clientWidth === this.#frame.width && clientHeight === this.#frame.height) return;
    this.#lay();
    this.#paint();
  }

  destroy() {
    cancelAnimationFrame(this.#drawing);
  }

  /** The trace has more in it than before. */
  #grow() {
    this.#version = this.#context.model.version;
    if (this.#isWhole) this.#frame.fit();
    if (this.#context.model.steps.count && !this.#axis.childElementCount) this.#chooseAxis();
    const { count } = this.#context.model.requests;
    this.#frame.rowHeight = Math.min(ROW, MOST_SCROLL / Math.max(count, 1));
    const height = RULER + count * this.#frame.rowHeight + 2 * EDGE;
    // A reader may have made it taller or flatter: that stays.
    if (!this.#scroll.style.height || this.#frame.height < MOST_HEIGHT) this.#scroll.style.height = `${Math.min(Math.max(height, 90), MOST_HEIGHT)}px`;
    this.#lay();
  }

  /** Fit the canvas into what is seen. */
  #lay() {
    const frame = this.#frame;
    const { ids } = this.#context.model.requests;
    const all = RULER + ids.length * frame.rowHeight + EDGE;
    // Measured without the old picture, which may be what a scroll bar is for.
    this.#canvas.style.height = "0";
    this.#space.style.height = `${all}px`;
    const { clientWidth, clientHeight } = this.#scroll;
    Object.assign(frame, { width: clientWidth, height: clientHeight });
    const pen = this.#pen();
    pen.font = `500 13px ${FACE}`;
    const longest = ids.reduce((long, id) => (id.length > long.length ? id : long), "step");
    frame.gutter = Math.min(Math.ceil(pen.measureText(longest).width) + 38, MOST_GUTTER, clientWidth * 0.35);
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    this.#canvas.style.width = `${clientWidth}px`;
    this.#canvas.style.height = `${clientHeight}px`;
    this.#space.style.height = `${Math.max(0, all - clientHeight)}px`;
  }

  /** @returns {CanvasRenderingContext2D} */
  #pen() {
    return /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d"));
  }

  #draw() {
    this.#drawing ||= requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = 0;
    if (!this.#frame.width) return;
    this.#palette ??= paletteAt(this.#probe);
    this.#frame.top = this.#scroll.scrollTop;
    const { choice } = this.#context;
    const focused = this.#scroll.matches(":focus-visible");
    const pen = this.#pen();
    const ratio = this.#canvas.width / this.#frame.width;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(pen, this.#frame, this.#palette, { moment: this.#moment, chosen: choice.request, cursor: this.#cursor, hover: this.#hover, focused, lit: this.#lit() });
  }

  /** Who holds the chosen block. */
  #lit() {
    const { choice, model } = this.#context;
    if (choice.block === null || this.#moment.step < 0) return null;
    return new Set(standingAt(model, this.#moment.step).ownersOf(choice.block));
  }

  /** Keep what runs now in sight. */
  #follow() {
    this.#frame.reveal(...nowAt(this.#frame, this.#moment));
    this.#frame.top = this.#scroll.scrollTop;
    const first = rowsToShow(this.#frame, this.#moment);
    if (first !== null) this.#scroll.scrollTop = Math.max(0, first - 1) * this.#frame.rowHeight;
  }

  /** @param {number} request */
  #reveal(request) {
    const y = request * this.#frame.rowHeight;
    const seen = this.#scroll.clientHeight - RULER;
    const { scrollTop } = this.#scroll;
    if (y < scrollTop) this.#scroll.scrollTop = y;
    else if (y + this.#frame.rowHeight > scrollTop + seen) this.#scroll.scrollTop = y + this.#frame.rowHeight - seen;
    this.#frame.top = this.#scroll.scrollTop;
  }

  /** The exact values of what is pointed at or walked to. */
  #tell() {
    const { model } = this.#context;
    const place = this.#hover >= 0 ? this.#hover : this.#cursor;
    if (place >= 0) return say(this.#strip, spanWords(model, model.spans.request[place], spanAt(model, place)));
    const { request } = this.#context.choice;
    if (request !== null) return say(this.#strip, requestWords(model, request));
    say(this.#strip, model.requests.count ? `${traceWords(model)} ${TEXT.hint}` : TEXT.empty);
  }

  /** @param {number} x @param {number} y */
  #point(x, y) {
    const under = spanUnder(this.#frame, x, y);
    if (under === this.#hover) return;
    this.#hover = under;
    this.#tell();
    this.#draw();
  }

  /** @param {number} x @param {number} y */
  #pick(x, y) {
    const request = this.#frame.row(y);
    if (request < 0) return;
    this.#cursor = spanUnder(this.#frame, x, y);
    this.#context.choose({ request, block: null });
    this.#tell();
    this.#draw();
  }

  /** @param {number} x */
  #scrub(x) {
    const value = Math.max(0, this.#frame.value(x));
    this.#context.go(this.#frame.bySteps ? { step: Math.floor(value) } : { at: value });
  }

  /** @param {number} factor */
  #zoom(factor) {
    const [from, to] = nowAt(this.#frame, this.#moment);
    const x = this.#frame.x((from + to) / 2);
    const seen = x >= this.#frame.gutter && x <= this.#frame.width;
    this.#frame.zoom(factor, seen ? x : this.#frame.gutter + this.#frame.plot / 2);
    this.#moved();
  }

  #fit() {
    this.#frame.fit();
    this.#moved();
  }

  /** What is shown has changed by hand. */
  #moved() {
    this.#isWhole = this.#frame.from <= 0 && this.#frame.to >= this.#frame.end;
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.#scroll) return;
    const act = this.#acts(event.shiftKey)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {boolean} shift @returns {Record<string, () => void>} */
  #acts(shift) {
    const pan = (/** @type {number} */ way) => (this.#frame.pan((way * this.#frame.plot) / 5), this.#moved());
    const { count } = this.#context.model.requests;
    return {
      ArrowUp: () => this.#walk(-1),
      ArrowDown: () => this.#walk(1),
      PageUp: () => this.#walk(-10),
      PageDown: () => this.#walk(10),
      Home: () => this.#walk(-count),
      End: () => this.#walk(count),
      ArrowLeft: () => (shift ? pan(-1) : this.#along(-1)),
      ArrowRight: () => (shift ? pan(1) : this.#along(1)),
      Enter: () => this.#enter(),
      "+": () => this.#zoom(1 / ZOOM),
      "=": () => this.#zoom(1 / ZOOM),
      "-": () => this.#zoom(ZOOM),
      0: () => this.#fit(),
    };
  }

  /** From request to request. @param {number} by */
  #walk(by) {
    const { model, choice } = this.#context;
    if (!model.requests.count) return;
    const here = choice.request ?? (by > 0 ? -1 : model.requests.count);
    const request = Math.min(Math.max(0, here + by), model.requests.count - 1);
    this.#context.choose({ request, block: null });
    this.#cursor = spanAtMoment(this.#frame, this.#moment, request);
    this.#reveal(request);
    this.#arrive(requestWords(model, request));
  }

  /** From stretch to stretch. @param {1 | -1} way */
  #along(way) {
    const { model, choice } = this.#context;
    if (choice.request === null || this.#cursor < 0) return this.#walk(1);
    const next = neighbour(model, this.#cursor, way);
    if (next < 0) return;
    this.#cursor = next;
    this.#arrive(spanWords(model, choice.request, spanAt(model, next)));
  }

  /** Show where the keys have led, and say it. @param {string} words */
  #arrive(words) {
    if (this.#cursor >= 0) this.#frame.reveal(...this.#frame.extent(this.#cursor));
    this.#context.say(words);
    this.#tell();
    this.#draw();
  }

  /** Go to the moment at which the stretch begins. */
  #enter() {
    if (this.#cursor < 0) return;
    const { steps, spans } = this.#context.model;
    this.#context.go(steps.count ? { step: Math.min(spans.firstStep[this.#cursor], steps.count - 1) } : { at: spans.from[this.#cursor] });
  }
}
