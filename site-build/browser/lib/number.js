/**
 * A number as students write it: `112`, `1,024`, `3,5`, `112 slots`, `−4`, `12 %`. Pure.
 */

const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * The numbers that some digits can stand for: `1,024` is read both ways, since both are in use.
 * @param {string} digits digits with dots and commas
 * @returns {number[]}
 */
function readings(digits) {
  const separators = digits.replace(/\d/g, "");
  const found = [];
  if (separators.length <= 1) found.push(Number(digits.replace(",", ".")));
  if (GROUPED.test(digits) && new Set(separators).size === 1) found.push(Number(digits.replace(/[.,]/g, "")));
  if (new Set(separators).size === 2) {
    const last = /** @type {string} */ (separators.at(-1));
    const [whole = "", fraction = "", ...more] = digits.split(last);
    if (!more.length && GROUPED.test(whole)) found.push(Number(`${whole.replace(/[.,]/g, "")}.${fraction}`));
  }
  return found.filter(Number.isFinite);
}

/**
 * @param {string} text
 * @returns {{ values: number[], unit: string } | null} every number that it can mean, and the words after it; null for no number
 */
export function readNumber(text) {
  const tidy = text.trim().replace(/[\u2212\u2013]/g, "-").replace(/^[=~≈]\s*/, "");
  const found = /^([+-]?)\s*((?:\d|[.,](?=\d)|[\s_'\u2019](?=\d))+)[.,]?\s*(?:e([+-]?\d{1,3}))?\s*(\D*)$/i.exec(tidy);
  if (!found) return null;
  const [, sign, digits = "", exponent = "0", unit = ""] = found;
  const scale = (sign === "-" ? -1 : 1) * 10 ** Number(exponent);
  const values = readings(digits.replace(/[\s_'\u2019]/g, "")).map((value) => value * scale);
  return values.length ? { values, unit: unit.trim() } : null;
}

/** @param {number[]} values @param {{ value: number, tolerance: number }} target */
export function meets(values, target) {
  return values.some((value) => Math.abs(value - target.value) <= target.tolerance + Math.abs(target.value) * 1e-12);
}
