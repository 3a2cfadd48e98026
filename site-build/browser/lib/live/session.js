/** One connection to a bridge, and the run that is followed over it. It shows nothing; it tells what happens. */
import { keepInTab } from "../../session.js";
import { Bridge } from "./bridge.js";
import { Following } from "./following.js";
import { LinkProblem, problemWords } from "./problems.js";

/** @typedef {import("./bridge.js").Backend} Backend */
/** @typedef {import("./connect-panel.js").Place} Place */
/**
 * @typedef {object} Told
 * @property {(run: { run: string, name: string, requests: number | null, again: boolean }, backend: Backend) => import("./following.js").Hearer} begun a run is followed from its beginning
 * @property {(why: string, lost: boolean) => Promise<void>} ended `lost`: the connection was, and the run may go on
 */

const TEXT = {
  lost: (/** @type {string} */ why) => `the connection was lost (${why})`,
};

export class LiveSession {
  /** @type {Backend | null} */
  backend = null;
  /** @type {Bridge | null} */
  #bridge = null;
  /** @type {{ name: string, following: Following } | null} */
  #followed = null;
  /** Ends what is followed when the student leaves. */
  #life = new AbortController();
  #told;
  #signal;
  /** Who connects elsewhere, or leaves, wants no answer to what was asked before. */
  #turn = 0;

  /** @param {Told} told @param {AbortSignal} signal */
  constructor(told, signal) {
    this.#told = told;
    this.#signal = signal;
  }

  /** Connect, and find the run again that goes on, or the one that this tab followed. @param {Place} place @param {string | null} run @returns {Promise<Backend | null>} null where something else was asked for meanwhile; rejects with a `LinkProblem` */
  async connect(place, run = null) {
    const turn = (this.#turn += 1);
    const bridge = new Bridge(place.address, place.token);
    const answer = await bridge.backend().then((backend) => ({ backend }), (problem) => ({ problem }));
    if (turn !== this.#turn) return null;
    if ("problem" in answer) throw answer.problem;
    const { backend } = answer;
    this.#bridge = bridge;
    this.backend = backend;
    const found = backend.run && (backend.run.active || backend.run.run === run) ? backend.run : null;
    this.#keep(found?.run ?? null);
    if (found) void this.#follow(found.run, { name: found.name, requests: null, again: true });
    return backend;
  }

  leave() {
    this.#turn += 1;
    this.#life.abort();
    this.#life = new AbortController();
    this.#bridge = null;
    this.backend = null;
    this.#followed = null;
    keepInTab("live", null);
  }

  /** @param {{ name: string, requests: unknown[] }} workload @returns {Promise<void>} when the run is over; rejects with a `LinkProblem` where it can't begin */
  async run(workload) {
    if (!this.#bridge) return;
    const run = await this.#bridge.start(workload);
    this.#keep(run);
    await this.#follow(run, { name: workload.name, requests: workload.requests.length, again: false });
  }

  /** Rejects with a `LinkProblem`. */
  async stop() {
    if (this.#bridge && this.#followed) await this.#bridge.cancel(this.#followed.name);
  }

  /** Go on after the last event that came. */
  async goOn() {
    const followed = this.#followed;
    if (followed) await this.#toTheEnd(followed.following);
  }

  /** @param {string} run @param {{ name: string, requests: number | null, again: boolean }} what */
  async #follow(run, what) {
    if (!this.#bridge || !this.backend) return;
    const following = new Following(this.#bridge, run, this.#told.begun({ run, ...what }, this.backend));
    this.#followed = { name: run, following };
    await this.#toTheEnd(following);
  }

  /** @param {Following} following */
  async #toTheEnd(following) {
    const signal = AbortSignal.any([this.#signal, this.#life.signal]);
    try {
      const why = await following.follow(signal);
      await this.#told.ended(why === null ? "" : TEXT.lost(why), why !== null);
    } catch (error) {
      if (!signal.aborted) await this.#told.ended(error instanceof LinkProblem ? error.message : problemWords(error), true);
    }
  }

  /** @param {string | null} run */
  #keep(run) {
    if (this.#bridge) keepInTab("live", { address: this.#bridge.address, token: this.#bridge.token, run });
  }
}
