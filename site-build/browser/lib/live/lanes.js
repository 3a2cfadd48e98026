/**
 * Several replicas behind one router: which records belong to which. A request's own are held back until a step or an
 * admission says where it is; then they go there, in their order. Pure.
 */

/** @typedef {Record<string, any>} LineRecord */

export class LaneSorter {
  #lanes;
  /** @type {Map<string, string>} */
  #laneOf = new Map();
  /** @type {Map<string, LineRecord[]>} */
  #held = new Map();

  /** @param {readonly string[]} lanes their names; none or one where there is nothing to tell apart */
  constructor(lanes) {
    this.#lanes = lanes.length > 1 ? lanes : [lanes[0] ?? ""];
  }

  get lanes() {
    return this.#lanes;
  }

  /** @param {LineRecord[]} records @returns {Map<string, LineRecord[]>} by lane */
  sort(records) {
    /** @type {Map<string, LineRecord[]>} */
    const sorted = new Map(this.#lanes.map((lane) => [lane, []]));
    for (const record of records) {
      if (this.#lanes.length === 1) sorted.get(this.#lanes[0] ?? "")?.push(bare(record));
      else this.#place(record, sorted);
    }
    return sorted;
  }

  /** What was held back to the end: nobody ever said where it belongs, so the first lane has it. @returns {Map<string, LineRecord[]>} */
  rest() {
    const left = [...this.#held.values()].flat().sort((a, b) => a.at - b.at);
    this.#held.clear();
    return new Map([[this.#lanes[0] ?? "", left]]);
  }

  /** @param {LineRecord} record @param {Map<string, LineRecord[]>} sorted */
  #place(record, sorted) {
    const ids = record.event === "step" ? (record.rows ?? []).map((/** @type {any[]} */ row) => row[0]) : [record.id];
    const lane = record.lane ?? this.#laneOf.get(record.id);
    const place = lane === undefined ? undefined : sorted.get(lane);
    if (!place) {
      if (record.id !== undefined) this.#held.set(record.id, [...(this.#held.get(record.id) ?? []), record]);
      return;
    }
    for (const id of ids) {
      if (this.#laneOf.has(id)) continue;
      this.#laneOf.set(id, lane);
      place.push(...(this.#held.get(id) ?? []));
      this.#held.delete(id);
    }
    place.push(bare(record));
  }
}

/** A lane's own trace has no need to name it. @param {LineRecord} record @returns {LineRecord} */
function bare({ lane: _, ...record }) {
  return record;
}
