/** `engine.pages.server` in the page's Python worker. */
import { sharedRunner } from "../shared-runner.js";

/** What somebody knows beyond the text. @typedef {{ machine?: string, values?: Record<string, number> }} Answers */

/** @param {Answers} answers */
const CODE = ({ machine, values = {} }) => `
import json
from engine.pages.server import described
from engine.readers import ReadError
with open("given", encoding="utf-8") as file:
    text = file.read()
try:
    told = described(text, ${machine ? JSON.stringify(machine) : "None"}, json.loads(${JSON.stringify(JSON.stringify(values))}))
except ReadError as error:
    told = {"refused": str(error)}
with open("answer", "w", encoding="utf-8") as file:
    json.dump(told, file)
`;

export class ServerReader {
  /** The end of the reading before. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** What fails here fails again when it is wanted, where it is told. */
  warm() {
    sharedRunner().then((runner) => runner.start()).catch(() => {});
  }

  cancel() {
    sharedRunner().then((runner) => runner.stop()).catch(() => {});
  }

  /**
   * @param {string} text @param {Answers} answers @param {(progress: { loaded: number, total: number }) => void} tell
   * @returns {Promise<Record<string, any>>} `refused` where the text is none that can be read
   */
  read(text, answers, tell) {
    const reading = this.#last.then(() => this.#read(text, answers, tell));
    this.#last = reading.catch(() => {});
    return reading;
  }

  /** @param {string} text @param {Answers} answers @param {(progress: { loaded: number, total: number }) => void} tell */
  async #read(text, answers, tell) {
    const runner = await sharedRunner();
    await runner.start(tell);
    const { outcome, answer } = await runner.run(CODE(answers), () => {}, text);
    if (outcome !== "ok") throw new Error(outcome);
    return JSON.parse(answer);
  }
}
