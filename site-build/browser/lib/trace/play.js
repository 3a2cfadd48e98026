/** Where in a trace the player stands, and its going on by itself. */
import { Clock } from "./clock.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./clock.js").Moment} Moment */

/** Moments a second. */
export const SPEEDS = Object.freeze([1, 2, 4, 10, 30, 100, 300, 1000]);
/** A whole trace is shown in about so long, unless a reader chooses otherwise. */
const WHOLE_SECONDS = 30;

export class Playback {
  #frame = 0;
  #exact = 0;
  #changed;

  /** @param {TraceModel} model @param {() => void} changed called when the place or the playing changed */
  constructor(model, changed) {
    this.clock = new Clock(model);
    this.place = 0;
    this.speed = SPEEDS.find((speed) => this.clock.last / speed <= WHOLE_SECONDS) ?? SPEEDS[SPEEDS.length - 1];
    this.#changed = changed;
  }

  get playing() {
    return this.#frame !== 0;
  }

  get atEnd() {
    return this.place >= this.clock.last;
  }

  /** @returns {Moment} */
  get moment() {
    return this.clock.moment(this.place);
  }

  /** @param {number} place */
  go(place) {
    this.pause();
    this.#set(place);
  }

  play() {
    if (this.playing) return;
    if (this.atEnd) this.place = 0;
    this.#exact = this.place;
    let before = performance.now();
    const tick = (/** @type {number} */ now) => {
      // A tab that was away goes on where it stood.
      this.#exact += (Math.min(now - before, 100) / 1000) * this.speed;
      before = now;
      this.#frame = requestAnimationFrame(tick);
      if (Math.floor(this.#exact) > this.place) this.#set(Math.floor(this.#exact));
      if (this.atEnd) this.pause();
    };
    this.#frame = requestAnimationFrame(tick);
    this.#changed();
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#changed();
  }

  /** @param {number} place */
  #set(place) {
    const next = Math.min(Math.max(0, place), this.clock.last);
    if (next === this.place) return;
    this.place = next;
    this.#changed();
  }
}
