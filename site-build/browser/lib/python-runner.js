/**
 * Python for the snippets of a page: one worker, started when it is first wanted.
 *
 *     const runner = createRunner({ root });                       // a page shares one
 *     await runner.start(({ loaded, total }) => …);                // bytes as sent; may be called again
 *     const { outcome, traceback } = await runner.run(code, ({ stream, text }) => …);
 *     const { answer } = await runner.run(code, print, given);  // the code reads the file `given` and writes `answer`
 *     runner.stop();       // within a second, while Python bytecode runs; false: nothing runs
 *     await runner.restart();  // for what can't be stopped: ends the worker; the run's outcome is "stopped"
 *     runner.dispose();
 *
 * Where a run broke Python itself, its outcome is "error", and the next one starts a new worker.
 */
import { RUNTIME } from "../runtime.js";

/** @typedef {{ loaded: number, total: number }} Progress */
/** @typedef {{ stream: "out" | "err", text: string }} Output */
/** `answer` is what the code wrote into the file of that name; empty where it wrote none. */
/** @typedef {{ outcome: "ok" | "error" | "stopped", traceback: string, answer: string }} Result */

/** After this long a run that was told to stop is taken to be in one long call that can't be interrupted. */
export const STUCK_AFTER_MS = 1500;

/** An `Error` whose `reason` is "missing" or "failed". @param {string} reason @param {string} message */
const failure = (reason, message) => Object.assign(new Error(message), { reason });

/** Code that reached past Python's memory, or past the browser's stack. @param {string} why */
const broken = (why) => `Python itself broke down: ${why || "no reason was given"}. Run starts a new one.`;

/** One worker, from its start to its end. */
class Session {
  /** Nothing can run here any more. */
  isBroken = false;
  #worker;
  #ticket = "";
  /** @type {((result: Result) => void) | null} */
  #finish = null;
  /** @type {(output: Output) => void} */
  #print = () => {};
  /** @type {Set<(progress: Progress) => void>} */
  #listeners = new Set();

  /** @param {URL} root */
  constructor(root) {
    const url = new URL("assets/course/python-worker.js", root);
    this.#worker = new Worker(url, { type: "module", name: "snippets" });
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      this.#worker.addEventListener("message", ({ data }) => {
        if (data.type === "ready") resolve();
        if (data.type === "failed") reject(failure(data.reason, data.message));
        this.#take(data);
      });
      this.#worker.addEventListener("error", (event) => {
        reject(failure("missing", event.message || "The Python worker did not arrive"));
      });
    });
    this.#worker.postMessage({
      type: "start",
      python: new URL(`${RUNTIME.pyodide}python.mjs`, root).href,
      wheel: new URL(RUNTIME.wheel, root).href,
    });
  }

  get busy() {
    return this.#finish !== null;
  }

  /** @param {(progress: Progress) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** @param {any} data */
  #take(data) {
    if (data.type === "progress") for (const listener of this.#listeners) listener(data);
    if (data.type === "output") this.#print(data);
    if (data.type === "done") this.#end(data);
    if (data.type === "broken") {
      this.isBroken = true;
      this.#end({ outcome: "error", traceback: broken(data.message), answer: "" });
    }
    if (data.courseStop !== undefined) this.#ticket = data.courseStop;
  }

  /** @param {Result} result */
  #end({ outcome, traceback, answer }) {
    const finish = this.#finish;
    this.#finish = null;
    finish?.({ outcome, traceback, answer });
  }

  /** @param {string} code @param {(output: Output) => void} print @param {string | Uint8Array} given @returns {Promise<Result>} */
  run(code, print, given) {
    if (this.busy) throw failure("failed", "Another snippet runs: stop it first");
    this.#print = print;
    return new Promise((resolve) => {
      this.#finish = resolve;
      this.#worker.postMessage({ type: "run", code, given });
    });
  }

  /** Void the run's ticket, and knock: a worker that awaits hears it, a busy one sees the ticket gone. */
  stop() {
    if (!this.busy) return false;
    URL.revokeObjectURL(this.#ticket);
    this.#worker.postMessage({ courseStop: this.#ticket });
    return true;
  }

  /** The ticket goes first: in WebKit, Python runs on in a worker that was ended. */
  dispose() {
    URL.revokeObjectURL(this.#ticket);
    this.#worker.terminate();
    this.#end({ outcome: "stopped", traceback: "", answer: "" });
  }
}

/** See the head of this file. */
export class PythonRunner {
  #root;
  /** @type {Session | null} */
  #session = null;

  /** @param {{ root: URL }} settings `root`: where the site begins */
  constructor({ root }) {
    this.#root = root;
  }

  /** Whether a snippet runs. */
  get busy() {
    return this.#session?.busy ?? false;
  }

  /**
   * Start Python, unless it is up or starting. Rejects with an `Error` whose `reason` is "missing" (a file
   * isn't there or didn't arrive) or "failed"; calling it again tries anew.
   * @param {(progress: Progress) => void} [tell]
   */
  async start(tell = () => {}) {
    if (this.#session?.isBroken) this.dispose();
    const session = (this.#session ??= new Session(this.#root));
    session.listen(tell);
    try {
      await session.ready;
    } catch (error) {
      if (this.#session === session) this.dispose();
      throw error;
    }
  }

  /**
   * Run `code` in a fresh namespace; starts Python where it isn't up. One at a time. It finds `given` as a file of
   * that name, and what it writes into a file `answer` comes back: neither has a limit, as what is printed has.
   * @param {string} code @param {(output: Output) => void} [print] @param {string | Uint8Array} [given] @returns {Promise<Result>}
   */
  async run(code, print = () => {}, given = "") {
    await this.start();
    if (!this.#session) return { outcome: "stopped", traceback: "", answer: "" };
    return this.#session.run(code, print, given);
  }

  /** Stop what runs, within a second while bytecode runs. False where nothing runs. */
  stop() {
    return this.#session?.stop() ?? false;
  }

  /** End the worker, whatever it does, and start another. @param {(progress: Progress) => void} [tell] */
  async restart(tell) {
    this.dispose();
    await this.start(tell);
  }

  /** End the worker. What ran has the outcome "stopped". */
  dispose() {
    this.#session?.dispose();
    this.#session = null;
  }
}

/** @param {{ root: URL }} settings */
export const createRunner = (settings) => new PythonRunner(settings);
