/**
 * Who held which slot, and when, read from a trace (its schema: `engine/trace_format.py`). The rule is that of the
 * engine's own picture: a request takes the lowest free slot and keeps it until it ends.
 */

/**
 * @typedef {object} Run one request's stay in a slot; `from` and `to` count steps done
 * @property {string} id
 * @property {number} slot
 * @property {number} arrived
 * @property {number} from
 * @property {number} to
 */

/** @typedef {{ slot: number, from: number, to: number }} Gap steps in which a slot was idle */
/** @typedef {{ name: string, slots: number, steps: number, runs: Run[], gaps: Gap[] }} Schedule */

/** @param {string} text a trace as JSON Lines, its time in steps @returns {Schedule} */
export function readSchedule(text) {
  const [header, ...records] = text.trim().split("\n").map((line) => JSON.parse(line));
  if (header.format !== "inside-the-batch.trace" || header.schema !== 1 || (header.unit ?? "step") !== "step") {
    throw new Error(`a trace of schema 1 in steps is needed; this one says ${JSON.stringify(header)}`);
  }
  const runs = readRuns(records);
  const steps = Math.max(0, ...runs.map((run) => run.to));
  const slots = Math.max(header.settings?.max_num_seqs ?? 0, ...runs.map((run) => run.slot + 1));
  return { name: header.name, slots, steps, runs, gaps: readGaps(runs, slots, steps) };
}

/** @param {any[]} records @returns {Run[]} in the order of admission */
function readRuns(records) {
  /** @type {Map<string, number>} */
  const arrived = new Map();
  /** @type {Map<string, Run>} */
  const held = new Map();
  /** @type {Run[]} */
  const runs = [];
  for (const record of records) {
    if (record.event === "arrived") arrived.set(record.id, record.at);
    if (record.event === "finished") held.delete(record.id);
    if (record.event !== "step") continue;
    for (const [id] of record.rows ?? []) {
      const run = held.get(id) ?? { id, slot: lowestFree(held), arrived: arrived.get(id) ?? 0, from: record.step, to: 0 };
      if (!held.has(id)) runs.push(run);
      held.set(id, run);
      run.to = record.step + 1;
    }
  }
  return runs;
}

/** @param {Map<string, Run>} held */
function lowestFree(held) {
  const taken = new Set([...held.values()].map((run) => run.slot));
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

/** @param {Run[]} runs @param {number} slots @param {number} steps @returns {Gap[]} */
function readGaps(runs, slots, steps) {
  /** @type {Gap[]} */
  const gaps = [];
  for (let slot = 0; slot < slots; slot += 1) {
    let free = 0;
    for (const run of runs.filter((each) => each.slot === slot)) {
      if (run.from > free) gaps.push({ slot, from: free, to: run.from });
      free = run.to;
    }
    if (steps > free) gaps.push({ slot, from: free, to: steps });
  }
  return gaps;
}

/** Who waits while step `step` runs, first come first. @param {Schedule} schedule @param {number} step */
export function waitingAt({ runs }, step) {
  return runs.filter((run) => run.arrived <= step && run.from > step);
}

/** @param {Schedule} schedule slot-steps in which nobody ran */
export function idleSteps({ gaps }) {
  return gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
}
