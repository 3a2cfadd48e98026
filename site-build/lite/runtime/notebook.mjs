/**
 * What JupyterLite's kernel (pyodide-kernel 0.8.6) takes for `pyodide.mjs`. Python and the kernel's own modules
 * are started by the lab's `kernel-worker.mjs` before the kernel asks for them, while the notebook's page still loads.
 */
import { startPython } from "./python.mjs";

/** @type {Promise<{ py: any, output: import("./output.mjs").Batches }> | undefined} */
let started;

/**
 * Hear when Python itself breaks down. The cell that did it may never end, so only Pyodide knows; and the kernel, which
 * tells nobody but a hidden log, sets its own listener later.
 * @param {any} py @param {(message: string) => void} hear
 */
function hearOfBreakdown(py, hear) {
  /** @type {(error: Error) => unknown} */
  let kernels = () => {};
  Object.defineProperty(py._api, "on_fatal", {
    get: () => (/** @type {Error} */ error) => (hear(error.message), kernels(error)),
    set: (/** @type {typeof kernels} */ listener) => (kernels = listener),
  });
}

/** @param {string} wheel @param {(progress: object) => void} tell */
async function begin(wheel, tell) {
  const { py, output } = await startPython({ wheel, notebook: true, tell });
  py.runPython("import pyodide_kernel");
  hearOfBreakdown(py, (message) => {
    output.flush();
    tell({ broken: message });
  });
  return { py, output };
}

/** Start, unless it was started. @param {string} wheel @param {(progress: any) => void} [tell] */
export const startNotebook = (wheel, tell = () => {}) => (started ??= begin(wheel, tell));

/** Send batches of a cell's output as the kernel itself would. @param {import("./output.mjs").Batches} output */
const channel = (output) => ({
  /** @param {any} header of the message that asked for the cell */
  restart(header) {
    const parentHeader = header?.toJs({ dict_converter: Object.fromEntries }) ?? {};
    output.restart((name, text) => {
      self.postMessage({ _kernelMessage: { type: "stream", bundle: { name, text }, parentHeader } });
    });
  },
  write: output.write,
  flush: output.flush,
});

/**
 * The kernel calls this once. Packages are not looked at: all of them are there.
 * @param {{ courseWheel: string, stdout?: (text: string) => void, stderr?: (text: string) => void }} options
 */
export async function loadPyodide({ courseWheel, stdout, stderr }) {
  const { py, output } = await startNotebook(courseWheel);
  if (stdout) py.setStdout({ batched: stdout });
  if (stderr) py.setStderr({ batched: stderr });
  py.pyimport("course_runtime.notebook").install(channel(output));
  return py;
}
