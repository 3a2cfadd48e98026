/** Tables held as columns: typed arrays that grow, so that a million rows fit and nothing is boxed. */

/**
 * @typedef {Float64ArrayConstructor | Int32ArrayConstructor | Uint8ArrayConstructor} ColumnKind
 * @typedef {Record<string, ColumnKind>} ColumnKinds
 */

/**
 * A table: `count` rows, and one typed array a column. An array may be longer than `count`, and growing puts a
 * new one in its place: take it from the table each time.
 * @template {ColumnKinds} K
 * @typedef {{ count: number } & { [Name in keyof K]: InstanceType<K[Name]> }} Table
 */

const FIRST_ROOM = 64;

/** @template {ColumnKinds} K @param {K} kinds @returns {Table<K>} */
export function table(kinds) {
  const made = /** @type {any} */ ({ count: 0 });
  for (const [name, Kind] of Object.entries(kinds)) made[name] = new Kind(FIRST_ROOM);
  return made;
}

/**
 * Make room for row `count`, and one more: a column of starts holds where the row after the last begins.
 * @param {Record<string, any>} grown a table @param {number} [rows] how many rows more
 */
export function reserve(grown, rows = 1) {
  const needed = grown.count + rows + 1;
  for (const name in grown) {
    const old = grown[name];
    if (!isColumn(old) || old.length >= needed) continue;
    const longer = new old.constructor(Math.max(needed, old.length * 2));
    longer.set(old);
    grown[name] = longer;
  }
}

/** @param {unknown} value @returns {boolean} */
const isColumn = (value) => ArrayBuffer.isView(value);

/** A flat list of whole numbers that grows. */
export class Flat {
  count = 0;
  data = new Int32Array(FIRST_ROOM);

  /** @param {readonly number[]} values */
  push(values) {
    const end = this.count + values.length;
    if (end > this.data.length) {
      const longer = new Int32Array(Math.max(end, this.data.length * 2));
      longer.set(this.data);
      this.data = longer;
    }
    for (let place = 0; place < values.length; place += 1) this.data[this.count + place] = values[place];
    this.count = end;
  }
}
