/** Words between the pages and workers of this site. */

/** @param {string} name @returns {BroadcastChannel | null} null where the browser has none, or refuses it together with its storage */
export function openChannel(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
