/**
 * The kernel's worker, started before JupyterLite asks for one: Python loads while the notebook's page loads.
 * It stands inside the lab, so that the lab's service worker answers it. Its address says where things are:
 * `?python=` the runtime's `notebook.mjs`, `?wheel=` the project's wheel, `?kernel=` JupyterLite's worker module.
 */

const places = new URL(self.location.href).searchParams;

/** Messages that came before the kernel could listen. @type {MessageEvent[]} */
const early = [];
/** @param {MessageEvent} event */
const keep = (event) => early.push(event);
self.addEventListener("message", keep);

/** @param {object} progress */
const tell = (progress) => self.postMessage({ courseProgress: progress });

/** @param {Error & { reason?: string }} error */
const failed = ({ reason = "missing", message }) => tell({ failed: reason, message });

const python = import(places.get("python") ?? "");
python
  .then(({ startNotebook }) => startNotebook(places.get("wheel"), tell))
  .then(() => tell({ ready: true }), failed);

await import(places.get("kernel") ?? "").catch(failed);
self.removeEventListener("message", keep);
for (const { data, ports } of early) self.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
