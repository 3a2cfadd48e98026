/**
 * The kernels' workers, seen from the lab's page. JupyterLite makes them with `new Worker()`; that is replaced
 * here, so that one can start before it is asked for, and so that each can be told to stop.
 */

const KERNEL_MODULE = "comlink.worker";

/** @typedef {{ loaded: number, total: number } | { ready: true } | { failed: string, message: string } | { broken: string }} Progress */

/** @type {typeof Worker} */
const NativeWorker = self.Worker;

/** @type {URL} where the kernel's worker starts, and what it is told */
let address;
/** @type {KernelWorker | null} */
let spare = null;
/** @type {Set<KernelWorker>} */
const running = new Set();
/** @type {Set<(progress: Progress) => void>} */
const listeners = new Set();
/** @type {Progress} */
let lastProgress = { loaded: 0, total: 0 };

/** A kernel's worker that knows the ticket of the cell that runs in it: see the runtime's `stop.mjs`. */
class KernelWorker extends NativeWorker {
  #ticket = "";
  #up = false;

  constructor() {
    super(address, { type: "module", name: "kernel" });
    lastProgress = { loaded: 0, total: 0 };
    this.addEventListener("message", (event) => {
      if (event.data?.courseStop !== undefined) this.#ticket = event.data.courseStop;
      else if (event.data?.courseProgress) this.#take(event.data.courseProgress);
      else return;
      event.stopImmediatePropagation();
    });
    // Once Python is up, what fails here was put off by a cell (a timer, a callback): no file is missing.
    this.addEventListener("error", ({ message }) => this.#up || report({ failed: "missing", message }));
  }

  /** @param {Progress} progress */
  #take(progress) {
    this.#up ||= "ready" in progress;
    report(progress);
  }

  /** Void the ticket, and knock: a worker that awaits hears it, a busy one sees the ticket gone. */
  stop() {
    if (this.#ticket === "") return;
    URL.revokeObjectURL(this.#ticket);
    this.postMessage({ courseStop: this.#ticket });
  }

  /** The ticket goes first: in WebKit, Python runs on in a worker that was ended. */
  terminate() {
    URL.revokeObjectURL(this.#ticket);
    running.delete(this);
    super.terminate();
  }
}

/** What failed stays so, whatever else arrives. @param {Progress} progress */
function report(progress) {
  if ("failed" in lastProgress) return;
  lastProgress = progress;
  for (const listener of listeners) listener(progress);
}

/** Hear how Python's start goes on; the last word is told at once. @param {(progress: Progress) => void} listener */
export function onProgress(listener) {
  listeners.add(listener);
  listener(lastProgress);
}

/** Start a worker for the kernel that JupyterLite will ask for. */
export function startSpare() {
  spare ??= new KernelWorker();
}

/** Stop the cells that run. */
export function stopCells() {
  for (const worker of running) worker.stop();
}

function take() {
  const worker = spare ?? new KernelWorker();
  spare = null;
  running.add(worker);
  return worker;
}

/**
 * Replace `new Worker()` for kernels; other workers are made as ever.
 * @param {{ python: string, wheel: string, kernel: string }} places relative to the lab's root
 * @param {URL} root
 */
export function watchWorkers({ python, wheel, kernel }, root) {
  address = new URL("./kernel-worker.js", import.meta.url);
  address.searchParams.set("python", new URL(`${python}notebook.mjs`, root).href);
  address.searchParams.set("wheel", new URL(wheel, root).href);
  address.searchParams.set("kernel", new URL(kernel, root).href);
  self.Worker = /** @type {any} */ (
    new Proxy(NativeWorker, {
      construct: (native, [url, options]) =>
        String(url).includes(KERNEL_MODULE) ? take() : new native(url, options),
    })
  );
}
