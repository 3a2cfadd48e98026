/** Loads the trace player, which no page needs before one of its players is near or is used. */

/** How far below the window a player may be when its module is fetched, so that it's there once it is seen. */
const NEAR = "800px";

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

function load() {
  loadPlayer().catch((error) => console.error("<trace-player> could not be loaded", error));
}

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    load();
  }
}, { rootMargin: NEAR });

/** Load the module when one of these players comes near, or at once where the address leads to a moment of one. @param {Element | Document} within */
export function watchPlayers(within) {
  const players = [...within.querySelectorAll("trace-player:not(:defined)")];
  if (within instanceof Element && within.matches("trace-player:not(:defined)")) players.push(within);
  if (players.length && /[#&]moment=/.test(location.hash)) load();
  for (const player of players) near.observe(player);
}
