/**
 * The moments that a trace can be looked at, in their order. Where steps are known, each is one, and before the first
 * there is a moment too; elsewhere each time at which something happened is one.
 */
import { lastUpTo } from "./model.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {{ step: number, at: number }} Moment `step` is -1 before the first one, and without steps */

export class Clock {
  #model;
  #version = -1;
  #times = new Float64Array(0);

  /** @param {TraceModel} model */
  constructor(model) {
    this.#model = model;
  }

  get hasSteps() {
    return this.#model.steps.count > 0;
  }

  /** The last place; the first is 0. */
  get last() {
    return this.hasSteps ? this.#model.steps.count : Math.max(0, this.#known().length - 1);
  }

  /** @param {number} place @returns {Moment} */
  moment(place) {
    const { steps } = this.#model;
    if (!this.hasSteps) return { step: -1, at: this.#known()[place] ?? 0 };
    return place > 0 ? { step: place - 1, at: steps.at[place - 1] } : { step: -1, at: 0 };
  }

  /** The place of a step. @param {number} step */
  ofStep(step) {
    return Math.min(Math.max(step + 1, 0), this.last);
  }

  /** The place of a time: the last moment up to it. @param {number} at */
  ofTime(at) {
    if (this.hasSteps) return this.ofStep(this.#model.stepAt(at));
    const times = this.#known();
    return Math.max(0, lastUpTo(times, times.length, at));
  }

  /** Every time at which something happened, in order. */
  #known() {
    const { version, requests, handed } = this.#model;
    if (version === this.#version) return this.#times;
    const all = new Set([0]);
    for (const [column, { count }] of /** @type {const} */ ([[handed.at, handed], [requests.arrived, requests], [requests.ended, requests]])) {
      for (let place = 0; place < count; place += 1) if (!Number.isNaN(column[place])) all.add(column[place]);
    }
    this.#times = Float64Array.from(all).sort();
    this.#version = version;
    return this.#times;
  }
}
