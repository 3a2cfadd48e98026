/**
 * Follow a run to its end: events as they come, and after a cut from the last one on. Backpressure is natural: nothing
 * more is read from the network before what was read has been taken.
 */
import { LinkProblem } from "./problems.js";
import { EventReader } from "./sse.js";

/** @typedef {import("./bridge.js").Bridge} Bridge */
/**
 * @typedef {object} Hearer
 * @property {(lines: string[]) => void | Promise<void>} take texts of events, in order; the run's end among them
 * @property {(words: { again: number, of: number, why: string }) => void} cut the connection was lost and is tried again
 * @property {() => void} back it is there again
 */

/** Milliseconds before each new try. */
export const PAUSES = [200, 500, 1000, 2000, 4000, 8000, 8000, 8000];

/** Silence that is taken for a cut: the bridge speaks every 15 seconds or sooner. */
export const SILENCE_MS = 40_000;

/** Events are handed on this often at most. */
const HOLD_MS = 50;

/** A piece of this length is one of many: waiting would only slow it down. */
const FLOOD_CHARS = 16_000;

/** @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const leave = () => (clearTimeout(timer), reject(signal.reason));
    const timer = setTimeout(() => (signal.removeEventListener("abort", leave), resolve(null)), ms);
    signal.addEventListener("abort", leave, { once: true });
  });

export class Following {
  /** The number of the last event that was taken. */
  last = 0;
  #bridge;
  #run;
  #hearer;
  #over = false;
  #cuts = 0;

  /** @param {Bridge} bridge @param {string} run @param {Hearer} hearer */
  constructor(bridge, run, hearer) {
    this.#bridge = bridge;
    this.#run = run;
    this.#hearer = hearer;
  }

  /**
   * Resolves to null at the run's end, or to why it was lost on the way. Rejects only when `signal` is aborted.
   * @param {AbortSignal} signal @returns {Promise<string | null>}
   */
  async follow(signal) {
    for (;;) {
      try {
        await this.#stretch(signal);
        if (this.#over) return null;
        throw new Error("the stream ended before the run did");
      } catch (error) {
        signal.throwIfAborted();
        const why = /** @type {Error} */ (error).message;
        const lasting = error instanceof LinkProblem && ["token", "gone", "refused", "stranger"].includes(error.fault);
        const wait = PAUSES[this.#cuts];
        if (lasting || wait === undefined) return why;
        this.#cuts += 1;
        this.#hearer.cut({ again: this.#cuts, of: PAUSES.length, why });
        await pause(wait, signal);
      }
    }
  }

  /** One connection, to its end. @param {AbortSignal} signal */
  async #stretch(signal) {
    const silence = new AbortController();
    const give = () => silence.abort(new Error(`nothing came for ${SILENCE_MS / 1000} s`));
    let timer = setTimeout(give, SILENCE_MS);
    const events = new EventReader();
    try {
      const stream = await this.#bridge.events(this.#run, this.last, AbortSignal.any([signal, silence.signal]));
      if (this.#cuts) this.#hearer.back();
      const reader = stream.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        clearTimeout(timer);
        await this.#hand(events.feed(piece.value));
        if (this.#over) return void reader.cancel().catch(() => {});
        await pause(piece.value.length > FLOOD_CHARS ? 0 : HOLD_MS, signal);
        timer = setTimeout(give, SILENCE_MS);
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** @param {import("./sse.js").StreamEvent[]} events */
  async #hand(events) {
    // What came once before a cut may come once more after it.
    const fresh = events.filter(({ id }) => id === null || id > this.last);
    if (fresh.length === 0) return;
    this.last = Math.max(this.last, ...fresh.map(({ id }) => id ?? 0));
    this.#cuts = 0;
    const lines = fresh.map(({ data }) => data);
    await this.#hearer.take(lines);
    this.#over = lines.some((line) => /"event":\s*"end"/.test(line));
  }
}
