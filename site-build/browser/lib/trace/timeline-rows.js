/** Which rows of a timeline are in sight: those of the same requests as in the one beside it, and those who run. */
import { fullest, isInSight, runningRows, seenRows } from "./timeline-find.js";
import { Rows } from "./timeline-range.js";

/** @typedef {import("./timeline-frame.js").Frame} Frame */
/** @typedef {import("./timeline-paper.js").Paper} Paper */

export class Scroll {
  #paper;
  #frame;
  #rows;
  #leads;
  /** Where it stood when it was last told to the other, or by it. */
  #told = 0;

  /** @param {Paper} paper @param {Frame} frame @param {import("./panels.js").Context} context @param {() => void} moved called when the other has moved it */
  constructor(paper, frame, { rows = new Rows(), leads = true }, moved) {
    this.#paper = paper;
    this.#frame = frame;
    this.#rows = rows;
    this.#leads = leads;
    rows.watch(this, () => {
      this.#join();
      moved();
    });
  }

  /** Let the one beside it show the same requests, where this one was scrolled. */
  tell() {
    const { scrollTop } = this.#paper.node;
    if (scrollTop === this.#told) return;
    this.#told = scrollTop;
    const place = scrollTop / this.#frame.rowHeight;
    this.#rows.id = this.#frame.model.requests.ids[Math.floor(place)] ?? "";
    this.#rows.over = place % 1;
    this.#rows.changed(this);
  }

  /** Where it hasn't that request, it stays. */
  #join() {
    const row = this.#frame.model.requests.index.get(this.#rows.id);
    if (row === undefined) return;
    this.#paper.scrollTo(row + this.#rows.over);
    this.#told = this.#paper.node.scrollTop;
  }

  /** Keep who runs now in sight; whom the one that leads shows stays so. @param {import("./clock.js").Moment} moment */
  follow(moment) {
    this.#paper.look();
    const { model } = this.#frame;
    const running = runningRows(model, moment);
    const last = running.length - 1;
    const held = this.#leads ? [] : this.#held();
    if (this.#leads) this.#rows.now = last < 0 ? [] : [running[0], running[last]].map((request) => model.requests.ids[request]);
    if (last < 0 || isInSight(this.#frame, running)) return;
    const both = [running[0], running[last], ...held];
    const first = Math.min(...both);
    if (held.length && Math.max(...both) - first >= seenRows(this.#frame) - 2) return;
    this.#paper.scrollTo((held.length ? first : fullest(this.#frame, running).first) - 1);
    this.tell();
  }

  /** The rows here of who runs in the timeline that leads. */
  #held() {
    const { index } = this.#frame.model.requests;
    return this.#rows.now.flatMap((id) => index.get(id) ?? []);
  }
}
