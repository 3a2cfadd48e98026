/** The trace player, fetched when there is something to play. */
import { courseUrl } from "../page.js";

/** @typedef {{ append: (records: object[]) => void, gap: (gap: { from: number, to: number, lost: number }) => void, end: (how: { complete: boolean, why?: string }) => void }} Feed */
/**
 * @typedef {HTMLElement & {
 *   open: (source: string | Blob, more?: { name?: string }) => Promise<unknown>,
 *   openPair: (one: unknown, other: unknown) => Promise<unknown>,
 *   begin: (header: object) => Feed,
 * }} Player
 */

/** @type {Promise<unknown> | null} */
let loaded = null;

/** @param {string} label what it shows, for a screen reader @param {string} views which stand open at first @returns {Promise<Player>} */
export async function makePlayer(label, views) {
  loaded ??= import(courseUrl("assets/course/trace-player.js")).catch((error) => {
    loaded = null;
    throw new Error("The player didn't arrive. Check the connection, then try again.", { cause: error });
  });
  await loaded;
  const player = document.createElement("trace-player");
  player.setAttribute("role", "region");
  player.setAttribute("aria-label", label);
  player.setAttribute("views", views);
  return /** @type {Player} */ (player);
}
