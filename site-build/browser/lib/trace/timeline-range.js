/** The stretch of an axis that is seen. Timelines that share one move together. */

export class Range {
  from = 0;
  to = 1;
  /** Whether the axis counts steps; else it is the trace's time. */
  bySteps = false;
  /** Whether all that there is is seen: then it stays so as a trace grows. */
  isWhole = true;
  /** Where the moment of the timeline that leads stands: the others, as they follow theirs, leave it in sight. @type {[number, number] | null} */
  now = null;
  /** @type {Map<object, () => void>} */
  #watchers = new Map();

  /** @param {object} who @param {() => void} changed called when somebody else has changed it */
  watch(who, changed) {
    this.#watchers.set(who, changed);
  }

  /** @param {object} by who changed it */
  changed(by) {
    for (const [who, changed] of this.#watchers) if (who !== by) changed();
  }
}
