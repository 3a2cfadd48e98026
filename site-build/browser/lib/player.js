/** Loads the trace player, which no page needs before one of its players is near or is used. */
import { whenNear } from "./near.js";

/** @type {Promise<unknown> | undefined} */
let loading;

/** See that `<trace-player>` is defined: whoever opens a trace by hand waits for this. @returns {Promise<unknown>} */
export function loadPlayer() {
  // Not a plain name: the build replaces the module by a bundle that stands at the same address.
  const module = new URL("../trace-player.js", import.meta.url).href;
  loading ??= import(module).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * Load the module when one of these players comes near, or at once where the address leads to a moment of one.
 * @param {Element[]} players those that aren't defined yet
 */
export function watchPlayers(players) {
  // Where that fails, it is tried again once the player is near.
  if (players.length && /[#&]moment=/.test(location.hash)) loadPlayer().catch(() => {});
  for (const player of players) whenNear(player, loadPlayer);
}
