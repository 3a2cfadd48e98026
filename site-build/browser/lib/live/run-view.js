/** A run as it arrives: how far it is, how late requests were sent, and a player for each lane. */
import { make, statusLine } from "../dom.js";
import { LaneSorter } from "./lanes.js";
import { makePlayer } from "./player.js";
import { Received } from "./received.js";
import { count, milliseconds, seconds } from "./words.js";

/** @typedef {import("./player.js").Feed} Feed */
/** @typedef {import("./received.js").Gap} Gap */

const TEXT = {
  title: (/** @type {string} */ name) => `Live: ${name}`,
  waiting: "Waiting for the first event…",
  arriving: "It arrives as it happens.",
  far: (/** @type {Received} */ { now, ended, arrived }, /** @type {number | null} */ all) =>
    `${seconds(now)}: ${ended.toLocaleString("en")} ${all ? `of ${all.toLocaleString("en")} ` : ""}done, ${(arrived - ended).toLocaleString("en")} under way.`,
  late: (/** @type {Received["late"]} */ { max, p50 }) => `Requests were sent late by ${p50 === null ? "" : `${milliseconds(p50)} at the median, `}${milliseconds(max)} at worst.`,
  gap: (/** @type {Gap[]} */ gaps) => `${count(gaps.reduce((sum, { lost }) => sum + (lost || 0), 0), "event")} didn't reach this page: the player shows the gap.`,
  complete: "The run is over, and all of it came.",
  over: "The run is over, and all that the bridge kept came.",
  broken: (/** @type {string} */ why) => `Incomplete: ${why}. What came is here.`,
  unread: (/** @type {number} */ lines) => `${count(lines, "line")} couldn't be read and were left out.`,
};

export class RunView {
  received = new Received();
  /** Which run of this page it is, once it is kept. */
  number = 0;
  #status = statusLine("live-status live-run-status");
  #facts = make("p", { class: "live-facts" });
  #players = make("div", { class: "live-players" });
  /** @type {Map<string, Feed>} */
  #feeds = new Map();
  #sorter;
  #all;
  #steps;

  /** @param {string} name @param {number | null} all how many requests it has, where that is known @param {{ lanes: readonly string[], gives: readonly string[] }} backend */
  constructor(name, all, { lanes, gives }) {
    this.name = name;
    this.#all = all;
    this.#steps = gives.includes("steps");
    this.#sorter = new LaneSorter(lanes);
    this.node = make("section", { class: "live-part live-run" }, make("h2", {}, TEXT.title(name)), this.#status, this.#facts, this.#players);
    this.say(TEXT.waiting);
  }

  get lanes() {
    return this.#sorter.lanes;
  }

  /** @param {string} words */
  say(words) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
  }

  /** Take lines as they come. @param {string[]} lines */
  async take(lines) {
    const found = this.received.take(lines);
    if (this.received.header && this.#feeds.size === 0) {
      await this.#begin(this.received.header);
      this.say(TEXT.arriving);
    }
    /** @type {import("./lanes.js").LineRecord[]} */
    let batch = [];
    for (const one of found) {
      if ("event" in one && one.event !== "gap") batch.push(one);
      else {
        this.#feed(batch);
        batch = [];
        for (const feed of this.#feeds.values()) feed.gap(/** @type {Gap} */ (one));
      }
    }
    this.#feed(batch);
    this.#tell();
  }

  /** @param {string} why why it isn't whole; empty where the bridge told the end itself */
  finish(why) {
    const { end } = this.received;
    for (const [lane, records] of this.#sorter.rest()) this.#feeds.get(lane)?.append(records);
    const reason = why || (end && !end.complete ? end.why : "");
    for (const feed of this.#feeds.values()) feed.end(reason ? { complete: false, why: reason } : { complete: true });
    this.#tell();
    this.say(reason ? TEXT.broken(reason) : this.received.whole ? TEXT.complete : TEXT.over);
  }

  /** @param {import("./received.js").LineRecord} header */
  async #begin(header) {
    for (const lane of this.#sorter.lanes) {
      const name = lane ? `${header.name} ${lane}` : header.name;
      const player = await makePlayer(TEXT.title(name), `timeline ${this.#steps ? "blocks " : ""}queue meters`);
      this.#players.append(...(lane && this.lanes.length > 1 ? [make("h3", {}, lane)] : []), player);
      this.#feeds.set(lane, player.begin({ ...header, name }));
    }
  }

  /** @param {import("./lanes.js").LineRecord[]} records */
  #feed(records) {
    if (records.length === 0) return;
    for (const [lane, own] of this.#sorter.sort(records)) if (own.length) this.#feeds.get(lane)?.append(own);
  }

  #tell() {
    const { received } = this;
    const late = received.late.max > 0 ? [TEXT.late(received.late)] : [];
    const gaps = received.gaps.length ? [TEXT.gap(received.gaps)] : [];
    const unread = received.unread ? [TEXT.unread(received.unread)] : [];
    this.#facts.textContent = [TEXT.far(received, this.#all), ...late, ...gaps, ...unread].join(" ");
  }
}
