/** Ask the page's Python for something: plain data in, plain data out. */
import { sharedRunner } from "../shared-runner.js";

const TEXT = {
  loading: (/** @type {number} */ share) => `Loading Python: ${Math.round(share * 100)} %`,
  working: "Python is at work…",
  missing: "Python could not be loaded: a file is missing or didn't arrive. Check the connection, then try again.",
  busy: "Python is at work on something else. Try again in a moment.",
  stopped: "Stopped.",
};

/** What Python said was wrong, in one line. @param {string} traceback */
export function lastLine(traceback) {
  const lines = traceback.trimEnd().split("\n");
  const start = lines.findLastIndex((line) => /^[\w.]+(Error|Exception|Interrupt)\b/.test(line));
  return lines.slice(Math.max(start, 0)).join(" ").replace(/^[\w.]+: /, "");
}

/**
 * @param {string} code reads the file `given`, which holds JSON, and writes JSON to the file `answer`
 * @param {unknown} given plain data
 * @param {(words: string) => void} tell how far Python's loading is
 * @returns {Promise<any>} rejects with an `Error` whose message is for the student
 */
export async function askPython(code, given, tell = () => {}) {
  const runner = await sharedRunner();
  try {
    await runner.start(({ loaded, total }) => tell(TEXT.loading(total ? loaded / total : 0)));
  } catch {
    throw new Error(TEXT.missing);
  }
  tell(TEXT.working);
  if (runner.busy) throw new Error(TEXT.busy);
  const { outcome, traceback, answer } = await runner.run(code, () => {}, JSON.stringify(given));
  if (outcome === "stopped") throw new Error(TEXT.stopped);
  if (outcome === "error") throw new Error(lastLine(traceback));
  return JSON.parse(answer);
}
