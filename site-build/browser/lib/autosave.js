/**
 * Saves a text field a moment after its writer pauses, and at once when they leave.
 */

const PAUSE_MS = 700;

/**
 * @param {HTMLElement} field
 * @param {() => void} save called when something may have changed
 * @param {AbortSignal} signal ends it, after a last save
 * @returns {{ flush: () => void }}
 */
export function autosave(field, save, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    save();
  };
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE_MS);
  };
  field.addEventListener("input", touch, { signal });
  field.addEventListener("focusout", flush, { signal });
  addEventListener("pagehide", flush, { signal });
  document.addEventListener("visibilitychange", flush, { signal });
  signal.addEventListener("abort", flush);
  return { flush };
}
