/** Small pieces of English, and how the views write numbers, shares and times. */

/** @typedef {{ caption: string, heads: string[], rows: string[][] }} Table plain data; the first cell of a row is its head */
/** @typedef {{ sentence: string, tables: Table[] }} Words what a view says to whoever doesn't see it */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const three = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });

/** More rows of a table would take longer than anybody waits, and nobody would read them. */
const MOST_ROWS = 500;

/** A row for each; of too many for the first ones. @template T @param {readonly T[]} all @param {(one: T, place: number) => string[]} row @returns {string[][]} */
export function rowsOf(all, row) {
  const rows = all.slice(0, MOST_ROWS).map(row);
  return all.length > MOST_ROWS ? [...rows, [`${number(all.length - MOST_ROWS)} more`, "not listed here"]] : rows;
}

/** `1,024`. @param {number} value */
export function number(value) {
  return whole.format(value);
}

/** Three figures that mean something: `0.0123`, `12.3`; whole numbers as they are. @param {number} value */
export function figures(value) {
  return Number.isInteger(value) ? number(value) : Math.abs(value) >= 1000 ? number(value) : three.format(value);
}

/** `1 step`, `2 steps`, `1,024 steps`. @param {number} value @param {string} noun @param {string} [plural] */
export function count(value, noun, plural = `${noun}s`) {
  return `${number(value)} ${value === 1 ? noun : plural}`;
}

/** `a`, `a and b`, `a, b and c`; `a, b, c and 4 more` past `most`. @param {readonly string[]} items @param {number} [most] */
export function listing(items, most = 12) {
  const shown = items.length > most + 1 ? [...items.slice(0, most), `${number(items.length - most)} more`] : items;
  const last = shown[shown.length - 1] ?? "";
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${last}` : last;
}

/** @param {number} from @param {number} to */
export const fromTo = (from, to) => (from === to ? number(from) : `${number(from)} to ${number(to)}`);

/** `3 to 5` for what stands beside each other; the first ones of many. @param {readonly number[]} numbers @param {number} [most] */
export function ranges(numbers, most = 20) {
  /** @type {string[]} */
  const told = [];
  let [from, more] = [0, 0];
  for (let place = 1; place <= numbers.length; place += 1) {
    if (numbers[place] === numbers[place - 1] + 1) continue;
    if (told.length < most) told.push(fromTo(numbers[from], numbers[place - 1]));
    else more += 1;
    from = place;
  }
  return listing(more ? [...told, `${number(more)} more`] : told, most);
}

/** A share from 0 to 1 as `37 %`; one decimal where whole percents would say nothing. @param {number} value */
export function share(value) {
  if (Number.isNaN(value)) return "not known";
  const percent = value * 100;
  const small = percent > 0 && percent < 1 || percent > 99 && percent < 100;
  if (small && percent < 0.05) return "less than 0.1 %";
  if (small && percent >= 99.95) return "more than 99.9 %";
  return `${percent.toFixed(small ? 1 : 0)} %`;
}

/** A time or a distance of time: `7 steps`, `1.25 s`, `37 ms`. @param {number} value @param {string} unit "step" or "ns" */
export function time(value, unit) {
  if (Number.isNaN(value)) return "not known";
  if (unit !== "ns") return `${figures(value)} ${value === 1 ? "step" : "steps"}`;
  const size = Math.abs(value);
  if (size >= 1e9) return `${figures(value / 1e9)} s`;
  if (size >= 1e6 || value === 0) return `${figures(value / 1e6)} ms`;
  return size >= 1e3 ? `${figures(value / 1e3)} µs` : `${figures(value)} ns`;
}

/** With a capital at the start. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
