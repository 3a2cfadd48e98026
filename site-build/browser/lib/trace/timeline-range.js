/** What timelines beside each other share, so that they move together: the stretch of an axis, and the requests in sight. */

class Shared {
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

/** The stretch of an axis that is seen. */
export class Range extends Shared {
  from = 0;
  to = 1;
  /** Whether the axis counts steps; else it is the trace's time. */
  bySteps = false;
  /** Whether all that there is is seen: then it stays so as a trace grows. */
  isWhole = true;
  /** Where the moment of the timeline that leads stands: the others, as they follow theirs, leave it in sight. @type {[number, number] | null} */
  now = null;
}

/** The requests that are seen, by name: those of one workload have the same, whatever became of them. */
export class Rows extends Shared {
  /** The topmost one, and how much of its row is above the edge. */
  id = "";
  over = 0;
  /** The first and the last one that run in the timeline that leads; none where nobody does. @type {string[]} */
  now = [];
}
