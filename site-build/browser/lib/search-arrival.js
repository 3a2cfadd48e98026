/**
 * The theme's search fetches its index once, when a page opens, and is silent where that fails. Then this says so, where
 * the results would stand; and once there is a network again, what to do.
 */

const TEXT = {
  missing: "The search didn't arrive: there seems to be no connection.",
  again: "The search didn't arrive. Reload the page to search.",
};

const INDEX = "/search/search_index.json";

/** True where the index was asked for and came to nothing. */
function failed() {
  const asked = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource"))
    .filter(({ name }) => name.endsWith(INDEX));
  return asked.length > 0 && asked.every(({ decodedBodySize }) => decodedBodySize === 0);
}

export function watchSearch() {
  const field = document.querySelector(".md-search__input");
  const words = document.querySelector(".md-search-result__meta");
  if (!field || !words) return;
  const say = () => {
    if (failed()) words.textContent = navigator.onLine ? TEXT.again : TEXT.missing;
  };
  for (const event of ["focus", "input"]) field.addEventListener(event, say);
  for (const event of ["online", "offline"]) addEventListener(event, say);
}
