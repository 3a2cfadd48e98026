// How JupyterLab takes in an extension: a script that leaves a container with `init` and `get`. The rest is modules.
(() => {
  const base = document.currentScript.src;
  let shared;
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["course-lab"] = {
    init: (scope) => (shared = scope),
    get: async () => {
      const { plugins } = await import(new URL("plugin.js", base));
      const exported = { __esModule: true, default: await plugins(shared) };
      return () => exported;
    },
  };
})();
