/** The one Python of a page, shared by its snippets; its module comes when a student first reaches for it. */
import { ROOT } from "./page.js";

/** @typedef {import("./python-runner.js").PythonRunner} Runner */

/** @type {Promise<Runner> | null} */
let shared = null;

/** @returns {Promise<Runner>} */
export function sharedRunner() {
  shared ??= import("./python-runner.js").then(({ createRunner }) => createRunner({ root: ROOT }));
  shared.catch(() => (shared = null));
  return shared;
}
