/** Walking in the timeline by keys: from request to request, and from stretch to stretch of one. */
import { spanAt } from "./spans.js";
import { neighbour, spanAtMoment } from "./timeline-find.js";
import { ZOOM } from "./timeline-frame.js";
import { requestWords, spanWords } from "./timeline-words.js";

/** @typedef {import("./panels.js").Context} Context */
/** @typedef {import("./timeline-frame.js").Frame} Frame */
/** @typedef {import("./clock.js").Moment} Moment */
/** @typedef {{ zoom: (factor: number) => void, fit: () => void, pan: (pixels: number) => void, reveal: (request: number) => void, arrive: (words: string) => void }} Acts
 *   `arrive`: show where the keys have led, and say it */

export class Walk {
  /** The stretch that was walked to, a place in `model.spans`, or -1. */
  cursor = -1;
  /** @type {Moment} */
  moment = { step: -1, at: 0 };
  #context;
  #frame;
  #acts;

  /** @param {Context} context @param {Frame} frame @param {Acts} acts */
  constructor(context, frame, acts) {
    this.#context = context;
    this.#frame = frame;
    this.#acts = acts;
  }

  /** To the stretch of the chosen request that the moment is in, unless it is at one of that request. @returns {boolean} whether it went anywhere */
  toChoice() {
    const { model, choice } = this.#context;
    const { request } = choice;
    if (request === null) this.cursor = -1;
    else if (this.cursor < 0 || model.spans.request[this.cursor] !== request) {
      this.cursor = spanAtMoment(this.#frame, this.moment, request);
      return true;
    }
    return false;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#keys(event.shiftKey)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {boolean} shift @returns {Record<string, () => void>} */
  #keys(shift) {
    const { zoom, fit, pan } = this.#acts;
    const fifth = this.#frame.plot / 5;
    const { count } = this.#context.model.requests;
    return {
      ArrowUp: () => this.#rows(-1),
      ArrowDown: () => this.#rows(1),
      PageUp: () => this.#rows(-10),
      PageDown: () => this.#rows(10),
      Home: () => this.#rows(-count),
      End: () => this.#rows(count),
      ArrowLeft: () => (shift ? pan(-fifth) : this.#along(-1)),
      ArrowRight: () => (shift ? pan(fifth) : this.#along(1)),
      Enter: () => this.#enter(),
      "+": () => zoom(1 / ZOOM),
      "=": () => zoom(1 / ZOOM),
      "-": () => zoom(ZOOM),
      0: fit,
    };
  }

  /** From request to request. @param {number} by */
  #rows(by) {
    const { model, choice } = this.#context;
    if (!model.requests.count) return;
    const here = choice.request ?? (by > 0 ? -1 : model.requests.count);
    const request = Math.min(Math.max(0, here + by), model.requests.count - 1);
    this.#context.choose({ request, block: null });
    this.cursor = spanAtMoment(this.#frame, this.moment, request);
    this.#acts.reveal(request);
    this.#acts.arrive(requestWords(model, request));
  }

  /** From stretch to stretch. @param {1 | -1} way */
  #along(way) {
    const { model, choice } = this.#context;
    if (choice.request === null || this.cursor < 0) return this.#rows(1);
    const next = neighbour(model, this.cursor, way);
    if (next < 0) return;
    this.cursor = next;
    this.#acts.arrive(spanWords(model, choice.request, spanAt(model, next)));
  }

  /** Go to the moment at which the stretch begins. */
  #enter() {
    if (this.cursor < 0) return;
    const { steps, spans } = this.#context.model;
    this.#context.go(steps.count ? { step: Math.min(spans.firstStep[this.cursor], steps.count - 1) } : { at: spans.from[this.cursor] });
  }
}
