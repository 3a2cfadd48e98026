/** The course's JupyterLab extension: what makes a stock notebook a lab that a student can't get stuck in. */
import { attending } from "./attending.js";
import { stopping } from "./stopping.js";
import { traces } from "./traces.js";

/**
 * The modules that JupyterLab shares with its extensions.
 * @param {Record<string, Record<string, { get(): Promise<() => any> }>>} scope
 */
const sharedModules = (scope) => (/** @type {string} */ name) =>
  Object.values(scope[name])[0].get().then((factory) => factory());

/**
 * Where service workers can't be had, JupyterLite rejects a promise that nobody listens to.
 * @param {unknown} IServiceWorkerManager @returns {object} a JupyterLab plugin
 */
const serviceWorkers = (IServiceWorkerManager) => ({
  id: "course-lab:service-workers",
  autoStart: true,
  requires: [IServiceWorkerManager],
  /** @param {unknown} _app @param {any} manager */
  activate: (_app, manager) => void manager.ready.catch(() => {}),
});

/** @param {any} scope @returns {Promise<object[]>} JupyterLab plugins */
export async function plugins(scope) {
  const load = sharedModules(scope);
  const { IKernelClient } = await load("@jupyterlite/services");
  const { INotebookTracker, NotebookActions } = await load("@jupyterlab/notebook");
  const { IServiceWorkerManager } = await load("@jupyterlite/apputils");
  const { IRenderMimeRegistry } = await load("@jupyterlab/rendermime");
  const { Widget } = await load("@lumino/widgets");
  return [
    serviceWorkers(IServiceWorkerManager),
    stopping(IKernelClient),
    attending(INotebookTracker, NotebookActions),
    traces(IRenderMimeRegistry, Widget),
  ];
}
