/** Where a slider stands for a value, and what it means there. Pure. */

/** @typedef {import("./fields.js").Field} Field */

/** Places of a slider. */
export const STEPS = 1000;

/** @param {Field} field @param {number} value @returns {number} where the slider stands */
export function placeOf({ slide = [0, 1], log }, value) {
  const [from, to] = slide;
  const share = log ? Math.log(Math.max(value, from) / from) / Math.log(to / from) : (value - from) / (to - from);
  return Math.round(STEPS * Math.min(1, Math.max(0, share)));
}

/** @param {Field} field @param {number} place @returns {number} what the slider means there */
export function valueAt({ slide = [0, 1], log, kind }, place) {
  const [from, to] = slide;
  if (place <= 0 || place >= STEPS) return place <= 0 ? from : to;
  const value = log ? from * (to / from) ** (place / STEPS) : from + ((to - from) * place) / STEPS;
  const rounded = kind === "whole" ? Math.round(value < 100 ? value : Number(value.toPrecision(2))) : Number(value.toPrecision(2));
  return Math.min(to, Math.max(from, rounded));
}

/** The next place in a direction at which the slider means something else. @param {Field} field @param {number} place @param {number} by */
export function nextPlace(field, place, by) {
  const value = valueAt(field, place);
  let next = place;
  do next += by;
  while (next > 0 && next < STEPS && valueAt(field, next) === value);
  return Math.min(STEPS, Math.max(0, next));
}
