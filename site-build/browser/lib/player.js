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

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    loadPlayer().catch((error) => console.error("<trace-player> could not be loaded", error));
  }
}, { rootMargin: NEAR });

/** Load the module when one of these players comes near. @param {Element | Document} within */
export function watchPlayers(within) {
  for (const player of within.querySelectorAll("trace-player:not(:defined)")) near.observe(player);
  if (within instanceof Element && within.matches("trace-player:not(:defined)")) near.observe(within);
}
