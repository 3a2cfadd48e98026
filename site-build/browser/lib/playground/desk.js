/**
 * The engine behind the playground: `engine.pages.playground` in the page's Python worker. One question runs at a time;
 * `cancel()` ends it, and what it would have said is null.
 */
import { sharedRunner } from "../shared-runner.js";

/** @typedef {import("../shared-runner.js").Runner} Runner */
/** @typedef {Record<string, any>} Told */

const ASK = (/** @type {string} */ expression) => `
import json
from engine.pages.playground import DESK
with open("given", encoding="utf-8") as file:
    asked = json.load(file)
told = ${expression}
with open("answer", "w", encoding="utf-8") as file:
    file.write(told if isinstance(told, str) else json.dumps(told))
`;

const IMPORT = "import engine.pages.playground";

/** @param {string} options Python's keyword arguments */
const OPEN = (options) => `
import json
from engine.pages.playground import DESK
told = DESK.open_file("given", ${options}, tell=lambda share: print(f"{share:.3f}"))
with open("answer", "w", encoding="utf-8") as file:
    json.dump(told, file)
`;

/** A JSON value as Python writes it. @param {unknown} value @returns {string} */
const python = (value) => (value === null || value === undefined ? "None" : `json.loads(${JSON.stringify(JSON.stringify(value))})`);

export class Desk {
  /** @type {Runner | null} */
  #runner = null;
  /** The end of what was asked last. @type {Promise<unknown>} */
  #last = Promise.resolve();
  #turn = 0;
  /** The engine's modules take longer to read than a thousand requests to simulate. @type {Promise<string | null> | null} */
  #imported = null;

  /** Python, and the engine in it. @param {(progress: { loaded: number, total: number }) => void} [tell] */
  async start(tell) {
    this.#runner = await sharedRunner();
    await this.#runner.start(tell);
    this.#imported ??= this.#ask(IMPORT, "").catch(() => null);
    if ((await this.#imported) === null) this.#imported = null;
  }

  /** End what runs, and drop what waits. */
  cancel() {
    this.#turn += 1;
    this.#runner?.stop();
  }

  /** Whether the question that was cancelled still runs. */
  get busy() {
    return this.#runner?.busy ?? false;
  }

  /** End the worker and start another; what was open on the desk is gone. */
  async restart() {
    this.#imported = null;
    await this.#runner?.restart();
  }

  /** @param {object} scenario @returns {Promise<Told | null>} */
  async metrics(scenario) {
    return parsed(await this.#ask(ASK("DESK.metrics(asked)"), JSON.stringify(scenario)));
  }

  /** @param {object} scenario @returns {Promise<string | null>} JSON Lines */
  trace(scenario) {
    return this.#ask(ASK("DESK.trace(asked)"), JSON.stringify(scenario));
  }

  /** @param {object} scenario @returns {Promise<Told | null>} with every request written out */
  async spelledOut(scenario) {
    return parsed(await this.#ask(ASK("DESK.spelled_out(asked)"), JSON.stringify(scenario)));
  }

  /** The trace of the file that is open, and its report. @returns {Promise<{ text: string, report: Told } | null>} */
  async opened() {
    const text = await this.#ask(ASK("DESK.opened_trace()"), "{}");
    const report = parsed(await this.#ask(ASK("DESK.opened_metrics()"), "{}"));
    return text && report ? { text, report } : null;
  }

  /**
   * @param {Uint8Array} bytes @param {{ name: string, most: number, beside: object | null }} about
   * @param {(share: number) => void} tell
   * @returns {Promise<Told | null>}
   */
  async open(bytes, { name, most, beside }, tell) {
    const options = `${python(name)}, most=${most}, beside=${python(beside)}`;
    return parsed(await this.#ask(OPEN(options), bytes, (text) => tell(Number(text.trim().split("\n").at(-1)))));
  }

  /**
   * @param {string} code @param {string | Uint8Array} given @param {(text: string) => void} [hear]
   * @returns {Promise<string | null>} null where it was cancelled
   */
  async #ask(code, given, hear = () => {}) {
    const turn = this.#turn;
    const before = this.#last;
    /** @type {() => void} */
    let end = () => {};
    this.#last = new Promise((resolve) => (end = () => resolve(undefined)));
    try {
      await before;
      await this.#runner?.start();
      if (turn !== this.#turn || !this.#runner) return null;
      const { outcome, traceback, answer } = await this.#runner.run(code, ({ text }) => hear(text), given);
      if (outcome === "error") throw new Error(traceback.trim().split("\n").at(-1));
      return outcome === "ok" && turn === this.#turn ? answer : null;
    } finally {
      end();
    }
  }
}

/** @param {string | null} text @returns {Told | null} */
const parsed = (text) => (text === null ? null : JSON.parse(text));
