/** The timeline: every request a row, what it went through as stretches along time or along steps. */
import { make } from "../dom.js";
import { onPalette, paletteAt } from "./palette.js";
import { say } from "./parts.js";
import { spanAt } from "./spans.js";
import { standingAt } from "./standing.js";
import { nowAt } from "./timeline-axis.js";
import { Bar } from "./timeline-bar.js";
import { draw } from "./timeline-draw.js";
import { spanUnder } from "./timeline-find.js";
import { Frame } from "./timeline-frame.js";
import { listenToHands } from "./timeline-hands.js";
import { legend } from "./timeline-legend.js";
import { Paper } from "./timeline-paper.js";
import { Scroll } from "./timeline-rows.js";
import { Walk } from "./timeline-walk.js";
import { requestWords, spanWords, traceWords } from "./timeline-words.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./clock.js").Moment} Moment */

const TEXT = {
  label: "Timeline. Arrow keys walk among requests and stretches; press ? for all keys.",
  hint: "Point at a stretch, or walk there with the arrow keys, for its exact values.",
  empty: "No request has arrived yet.",
};

/** @param {Context} context */
export function create(context) {
  return new Timeline(context);
}

/** One that shares its range leaves its bar and its legend to whoever shows them together. */
export class Timeline {
  #context;
  #frame;
  #paper;
  #scroll;
  #walk;
  #bar;
  #probe = make("span", { hidden: true });
  #strip = make("p", { class: "strip" });
  /** @type {import("./palette.js").Palette | null} */
  #palette = null;
  /** @type {Moment} */
  #moment = { step: -1, at: 0 };
  #hover = -1;
  #drawing = 0;
  #version = -1;
  /** The trace in words: what stands below it while nothing is pointed at. */
  #about = "";

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
    const { model, beside, range, signal } = context;
    this.#frame = new Frame(model, beside, range);
    this.#frame.range.watch(this, () => this.#draw());
    this.#paper = new Paper(this.#frame, TEXT.label);
    this.#scroll = new Scroll(this.#paper, this.#frame, context, () => this.#draw());
    const zoom = (/** @type {number} */ factor) => this.#zoom(factor);
    const fit = () => this.#fit();
    this.#bar = new Bar({ zoom, fit, axis: (bySteps) => this.#chooseAxis(bySteps) }, signal);
    this.#walk = new Walk(context, this.#frame, {
      ...{ zoom, fit },
      pan: (pixels) => this.#pan(pixels),
      reveal: (request) => this.#paper.reveal(request),
      arrive: (words) => this.#arrive(words),
    });
    const above = range ? [] : [make("div", { class: "bar" }, ...this.bar)];
    this.node = make("div", { class: "timeline" }, ...above, this.#paper.node, this.#strip, ...(range ? [] : [legend()]), this.#probe);
    this.#listen(signal);
  }

  /** What its bar is made of. */
  get bar() {
    return this.#bar.parts;
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { node } = this.#paper;
    node.addEventListener("keydown", (event) => event.target === node && this.#walk.key(event), { signal });
    node.addEventListener("scroll", () => this.#scroll.tell(), { signal });
    for (const name of ["scroll", "focus", "blur"]) node.addEventListener(name, () => this.#draw(), { signal });
    listenToHands(node, this.#frame, {
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
      this.#paper.lay();
      this.#draw();
    }, { signal });
  }

  /** @param {Moment} moment */
  show(moment) {
    const { model, choice, leads = true } = this.#context;
    const moved = moment.step !== this.#moment.step || moment.at !== this.#moment.at;
    this.#moment = this.#walk.moment = moment;
    const isFirst = this.#version < 0;
    if (model.version !== this.#version) this.#grow();
    if (isFirst && model.complete && leads) {
      this.#frame.fitFirstRows();
      this.#moved();
    }
    if (this.#walk.toChoice() && choice.request !== null) this.#paper.reveal(choice.request);
    if (moved) this.#follow();
    this.#tell();
    this.#paint();
  }

  resize() {
    if (this.#paper.isLaid) return;
    this.#paper.lay();
    this.#paint();
  }

  destroy() {
    cancelAnimationFrame(this.#drawing);
  }

  /** The trace has more in it than before. */
  #grow() {
    const { model, beside, range } = this.#context;
    this.#version = model.version;
    this.#about = model.requests.count ? `${traceWords(model)} ${TEXT.hint}` : TEXT.empty;
    if (this.#frame.range.isWhole) this.#frame.fit();
    const hasSteps = model.steps.count && (!range || beside?.steps.count);
    if (hasSteps && model.header.unit === "ns") this.#bar.offerAxis();
    this.#paper.grow();
  }

  #draw() {
    this.#drawing ||= requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = 0;
    if (!this.#frame.width) return;
    this.#palette ??= paletteAt(this.#probe);
    this.#paper.look();
    const focused = this.#paper.node.matches(":focus-visible");
    draw(this.#paper.pen(), this.#frame, this.#palette, { moment: this.#moment, chosen: this.#context.choice.request, cursor: this.#walk.cursor, hover: this.#hover, focused, lit: this.#lit() });
  }

  /** Who holds the chosen block. */
  #lit() {
    const { choice, model } = this.#context;
    if (choice.block === null || this.#moment.step < 0) return null;
    return new Set(standingAt(model, this.#moment.step).ownersOf(choice.block));
  }

  /** Keep what runs now in sight. */
  #follow() {
    const { range } = this.#frame;
    const { leads = true } = this.#context;
    const now = nowAt(this.#frame, this.#moment);
    if (leads) range.now = now;
    this.#reveal(...now, leads ? null : range.now);
    this.#scroll.follow(this.#moment);
  }

  /** @param {number} from @param {number} to @param {[number, number] | null} [held] */
  #reveal(from, to, held) {
    if (this.#frame.reveal(from, to, held)) this.#frame.range.changed(this);
  }

  /** The exact values of what is pointed at or walked to. */
  #tell() {
    const { model, choice } = this.#context;
    const place = this.#hover >= 0 ? this.#hover : this.#walk.cursor;
    if (place >= 0) return say(this.#strip, spanWords(model, model.spans.request[place], spanAt(model, place)));
    if (choice.request !== null) return say(this.#strip, requestWords(model, choice.request));
    say(this.#strip, this.#about);
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
    this.#walk.cursor = spanUnder(this.#frame, x, y);
    this.#context.choose({ request, block: null });
    this.#tell();
    this.#draw();
  }

  /** @param {number} x */
  #scrub(x) {
    const value = Math.max(0, this.#frame.value(x));
    this.#context.go(this.#frame.bySteps ? { step: Math.floor(value) } : { at: value });
  }

  /** @param {string} words */
  #arrive(words) {
    if (this.#walk.cursor >= 0) this.#reveal(...this.#frame.extent(this.#walk.cursor));
    this.#context.say(words);
    this.#tell();
    this.#draw();
  }

  /** @param {number} factor */
  #zoom(factor) {
    const [from, to] = nowAt(this.#frame, this.#moment);
    const x = this.#frame.x((from + to) / 2);
    const seen = x >= this.#frame.gutter && x <= this.#frame.width;
    this.#frame.zoom(factor, seen ? x : this.#frame.gutter + this.#frame.plot / 2);
    this.#moved();
  }

  /** @param {number} pixels */
  #pan(pixels) {
    this.#frame.pan(pixels);
    this.#moved();
  }

  /** @param {boolean} bySteps */
  #chooseAxis(bySteps) {
    this.#frame.range.bySteps = bySteps;
    this.#fit();
  }

  #fit() {
    this.#frame.fit();
    this.#moved();
  }

  /** What is seen has changed by hand. */
  #moved() {
    this.#frame.range.changed(this);
    this.#draw();
  }
}
