// How JupyterLab takes in an extension: a script that leaves a container with `init` and `get`. The rest is modules.
(() => {
  const base = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {unknown} */
  let shared;
  const containers = /** @type {{ _JUPYTERLAB?: Record<string, object>, courseMissing?: (what: string) => void }} */ (window);
  containers._JUPYTERLAB ??= {};
  containers._JUPYTERLAB["course-lab"] = {
    init: (/** @type {unknown} */ scope) => (shared = scope),
    get: async () => {
      const loading = import(new URL("plugin.js", base).href);
      // JupyterLab would go on without us, and nobody would ever say that the lab is ready.
      loading.catch(() => containers.courseMissing?.("extension"));
      const { plugins } = await loading;
      const exported = { __esModule: true, default: await plugins(shared) };
      return () => exported;
    },
  };
})();
