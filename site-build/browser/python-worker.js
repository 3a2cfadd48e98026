/**
 * The worker in which a lesson's snippets run. It talks with `lib/python-runner.js`:
 *
 *   in   { type: "start", python, wheel }          addresses of `python.mjs` and of the project's wheel
 *   out  { type: "progress", loaded, total } · { type: "ready" } · { type: "failed", reason, message }
 *   in   { type: "run", code, given }               `given` becomes a file, what is written to the file `answer` comes back
 *   out  { type: "output", stream, text } · { type: "done", outcome, traceback, answer } · { type: "broken", message }
 *   out  { courseStop: url }                        the run's ticket: see the runtime's `stop.mjs`
 */

/** @type {any} */
let snippet;
/** @type {any} */
let output;
/** Pyodide's files. @type {any} */
let files;

/** @param {string} stream @param {string} text */
const send = (stream, text) => self.postMessage({ type: "output", stream, text });

/** Python itself broke down, for good: no error of the code, which comes back as an outcome. @param {Error} error */
function fatal({ message }) {
  output.flush();
  self.postMessage({ type: "broken", message });
}

/** @param {{ python: string, wheel: string }} addresses */
async function start({ python, wheel }) {
  try {
    const { startPython } = await import(python).catch((error) => {
      throw Object.assign(error, { reason: "missing" });
    });
    const started = await startPython({
      wheel,
      tell: (/** @type {object} */ progress) => self.postMessage({ type: "progress", ...progress }),
    });
    snippet = started.py.pyimport("course_runtime.snippet");
    output = started.output;
    files = started.py.FS;
    // The run that broke Python may never settle: only Pyodide itself knows.
    started.py._api.on_fatal = fatal;
    self.postMessage({ type: "ready" });
  } catch (error) {
    const { reason = "failed", message } = /** @type {Error & { reason?: string }} */ (error);
    self.postMessage({ type: "failed", reason, message });
  }
}

/** What the run left in the file `answer`. */
function taken() {
  if (!files.analyzePath("answer").exists) return "";
  const answer = files.readFile("answer", { encoding: "utf8" });
  files.unlink("answer");
  return answer;
}

/** @param {{ code: string, given: string | Uint8Array }} message */
async function run({ code, given }) {
  output.restart(send);
  if (given.length) files.writeFile("given", given);
  try {
    const result = await snippet.run(code, output.write);
    output.flush();
    const [outcome, traceback] = result.toJs();
    result.destroy();
    self.postMessage({ type: "done", outcome, traceback, answer: taken() });
  } catch (error) {
    fatal(/** @type {Error} */ (error));
  }
}

self.addEventListener("message", ({ data }) => {
  if (data.type === "start") void start(data);
  if (data.type === "run") void run(data);
});
