// The very first script of the lab's page, and no module: a script that doesn't arrive is told to the page around
// the lab even where it is one of those that would tell.
(() => {
  const lab = /** @type {{ courseFaults?: boolean, courseMissing?: (what: string) => void }} */ (window);
  lab.courseFaults = true;
  lab.courseMissing = (what) => {
    console.warn(`the lab's ${what} didn't arrive`);
    window.parent.postMessage({ courseLab: { phase: "failed", fault: "" } }, location.origin);
  };
  const missing = (/** @type {Event} */ { target }) => {
    if (target instanceof HTMLScriptElement) lab.courseMissing?.(target.src);
  };
  window.addEventListener("error", missing, true);
})();
