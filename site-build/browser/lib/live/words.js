/** Numbers in the live page's words. */

/** @param {number} ns */
export const seconds = (ns) => `${(ns / 1e9).toFixed(1)} s`;

/** @param {number} ns */
export const milliseconds = (ns) => `${(ns / 1e6).toFixed(ns < 1e7 ? 1 : 0)} ms`;

/** @param {number} count @param {string} one @param {string} [many] */
export const count = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** What a table says for a name that a bridge told, which may be any; else the name. @param {Record<string, string>} table @param {string} name */
export const wordFor = (table, name) => (Object.hasOwn(table, name) ? table[name] : String(name));

/** @param {number} value in seconds @returns {string} three digits, in the unit that reads well */
export function duration(value) {
  const [scaled, unit] = value < 1e-3 ? [value * 1e6, "µs"] : value < 1 ? [value * 1e3, "ms"] : [value, "s"];
  return `${scaled >= 100 ? scaled.toFixed(0) : scaled.toPrecision(3)} ${unit}`;
}

/** @param {number} share a relative error */
export function percent(share) {
  const size = Math.abs(share) * 100;
  const words = size.toFixed(size < 9.95 ? 1 : 0);
  return `${Number(words) === 0 ? "" : share < 0 ? "−" : "+"}${words} %`;
}
