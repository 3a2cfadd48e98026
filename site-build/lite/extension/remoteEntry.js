// How JupyterLab takes in an extension: a script that leaves a container with `init` and `get`. The rest is modules.
(() => {
  const base = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {unknown} */
  let shared;
  const containers = /** @type {{ _JUPYTERLAB?: Record<string, object> }} */ (window);
  containers._JUPYTERLAB ??= {};
  containers._JUPYTERLAB["course-lab"] = {
    init: (/** @type {unknown} */ scope) => (shared = scope),
    get: async () => {
      const { plugins } = await import(new URL("plugin.js", base).href);
      const exported = { __esModule: true, default: await plugins(shared) };
      return () => exported;
    },
  };
})();
