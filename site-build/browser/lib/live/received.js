/** What has come of one run: every line, kept out of the way in large pieces, and what they add up to. */

/** @typedef {Record<string, any>} LineRecord */
/** @typedef {{ from: number, to: number, lost: number }} Gap */

const TRACE_EVENTS = new Set(["arrived", "admitted", "step", "first_token", "tokens", "finished", "timed_out", "rejected", "cancelled", "stalled"]);
const ENDS = new Set(["finished", "timed_out", "rejected", "cancelled"]);

/** Lines are put away in pieces of this length: a browser may keep those on disk. */
const PIECE_CHARS = 1 << 20;

export class Received {
  /** @type {LineRecord | null} */
  header = null;
  arrived = 0;
  ended = 0;
  /** Nanoseconds: the latest time that was told. */
  now = 0;
  /** @type {Gap[]} */
  gaps = [];
  /** The most nanoseconds by which a request was sent late, and at the end also the median. @type {{ max: number, p50: number | null }} */
  late = { max: 0, p50: null };
  /** @type {{ complete: boolean, why: string } | null} */
  end = null;
  /** Lines that couldn't be read. */
  unread = 0;
  /** @type {Blob[]} */
  #pieces = [];
  /** @type {string[]} */
  #lines = [];
  #length = 0;

  /** @param {string[]} lines @returns {(LineRecord | Gap)[]} the trace's records and gaps among them, in order */
  take(lines) {
    return lines.flatMap((line) => {
      this.#keep(line);
      try {
        return this.#read(JSON.parse(line));
      } catch {
        this.unread += 1;
        return [];
      }
    });
  }

  /** Whether what came is a whole trace as it stands. */
  get whole() {
    return this.end?.complete === true && this.gaps.length === 0 && this.unread === 0;
  }

  /** Every line that came. @returns {Promise<string[]>} */
  async lines() {
    const kept = await new Blob([...this.#pieces, ...this.#lines]).text();
    return kept.split("\n").filter(Boolean);
  }

  /** @param {string} line */
  #keep(line) {
    this.#lines.push(`${line}\n`);
    this.#length += line.length;
    if (this.#length < PIECE_CHARS) return;
    this.#pieces.push(new Blob(this.#lines));
    this.#lines = [];
    this.#length = 0;
  }

  /** @param {LineRecord} value @returns {(LineRecord | Gap)[]} */
  #read(value) {
    if (value.format !== undefined) {
      this.header = value;
      return [];
    }
    if (Number.isSafeInteger(value.at)) this.now = Math.max(this.now, value.at);
    if (value.event === "arrived") this.arrived += 1;
    if (ENDS.has(value.event)) this.ended += 1;
    if (value.event === "lateness") this.#late(value);
    if (value.event === "end") this.end = { complete: value.complete === true, why: String(value.why ?? "") };
    if (value.event === "gap") {
      const gap = { from: Number(value.from), to: Number(value.to), lost: Number(value.lost) };
      this.gaps.push(gap);
      return [gap];
    }
    return TRACE_EVENTS.has(value.event) ? [value] : [];
  }

  /** @param {LineRecord} value of one request, or of all at the end */
  #late({ late, max, p50 }) {
    this.late.max = Math.max(this.late.max, Number(late ?? max) || 0);
    if (p50 !== undefined) this.late.p50 = Number(p50);
  }
}
