/**
 * Saves a moment after a writer pauses, and at once when they leave.
 */

const PAUSE_MS = 700;

/**
 * @param {() => void} save called when something may have changed
 * @param {AbortSignal} signal ends it, after a last save
 * @returns {{ touch: () => void, flush: () => void }}
 */
export function saver(save, signal) {
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
  addEventListener("pagehide", flush, { signal });
  document.addEventListener("visibilitychange", flush, { signal });
  signal.addEventListener("abort", flush);
  return { touch, flush };
}

/** @param {HTMLElement} field @param {() => void} save @param {AbortSignal} signal */
export function autosave(field, save, signal) {
  const { touch, flush } = saver(save, signal);
  field.addEventListener("input", touch, { signal });
  field.addEventListener("focusout", flush, { signal });
}
