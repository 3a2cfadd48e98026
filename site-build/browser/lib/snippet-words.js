/** What a snippet says. */

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0);

export const TEXT = {
  run: "Run",
  again: "Try again",
  stop: "Stop",
  edit: "Edit",
  reset: "Reset",
  unreset: "Undo reset",
  lab: "Open in the lab",
  restart: "Restart Python",
  keys: "Ctrl+Enter runs the code. Tab indents; to leave the editor, press Esc, then Tab.",
  editor: (/** @type {string} */ title) => `Python code: ${title}`,
  from: { lesson: "Output", run: "Output of your run" },
  starting: "Starting Python…",
  progress: (/** @type {number} */ loaded, /** @type {number} */ total) =>
    `Starting Python… ${megabytes(loaded)} of ${megabytes(total)} MB`,
  running: "Running…",
  busy: "Another piece of code on this page is running. Stop it first.",
  done: "Finished.",
  quiet: "Finished. The code printed nothing.",
  stopped: "Stopped.",
  stopping: "Stopping…",
  stuck: "Python is inside one long call that can't be stopped. You can restart Python; your code stays.",
  restarted: "Python was restarted.",
  fault: (/** @type {number | null} */ line, /** @type {string} */ last) => (line ? `Error in line ${line}: ${last}` : `Error: ${last}`),
  whole: "The whole traceback",
  missing: "Python could not be loaded: a file is missing or didn't arrive. Check the connection, then try again.",
  failed: (/** @type {string} */ why) => `Python could not be started in this browser. ${why}`,
  noEditor: "The editor could not be loaded, so the code can't be changed now. It runs as it is.",
  edited: "This is your version. Reset brings the lesson's back.",
  earlier: "This is your version of code that the lesson has changed since. Reset brings the lesson's new code.",
  original: "The lesson's code is back.",
  mine: "Your code is back.",
};
