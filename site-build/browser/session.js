/**
 * What this tab alone keeps until it closes: the one module that touches session storage. A reload finds it again,
 * another tab never does. Where storage is switched off it lasts as long as the page.
 */
import { COURSE } from "./lib/course.js";

/** @type {Map<string, string>} */
const here = new Map();

/** @param {string} name */
const keyOf = (name) => `${COURSE}/tab/${name}`;

/** @template T @param {() => T} deed @param {T} otherwise @returns {T} */
function tried(deed, otherwise) {
  try {
    return deed();
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value plain data, or null to forget it */
export function keepInTab(name, value) {
  const text = value === null ? null : JSON.stringify(value);
  if (text === null) here.delete(name);
  else here.set(name, text);
  return tried(() => {
    if (text === null) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), text);
    return true;
  }, false);
}

/** @param {string} name @returns {unknown} what was kept, or null */
export function keptInTab(name) {
  const text = tried(() => sessionStorage.getItem(keyOf(name)), null) ?? here.get(name) ?? null;
  return text === null ? null : tried(() => JSON.parse(text), null);
}
