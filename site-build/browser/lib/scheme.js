/** Whether the page is dark: the reader's choice, or what their system asks for. */

const SYSTEM = matchMedia("(prefers-color-scheme: dark)");

/** @returns {boolean} */
export function isDark() {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme === "dark" || (scheme !== "light" && SYSTEM.matches);
}

/** @param {() => void} changed @param {AbortSignal} signal */
export function onScheme(changed, signal) {
  SYSTEM.addEventListener("change", changed, { signal });
  const watcher = new MutationObserver(changed);
  watcher.observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme", "data-md-color-media"] });
  signal.addEventListener("abort", () => watcher.disconnect());
}
