/** What graders report from the kernel, kept as the student's: one record a lab, one entry a task. */

import { openChannel } from "./channel.js";
import { COURSE } from "./course.js";

const CHANNEL = `${COURSE}/lab`;

/** @typedef {{ passed: boolean, lab_version: string, engine_version: string, seed: number, at: number }} TaskResult */
/** @typedef {{ type: "lab-result", lab: string, task: string } & Omit<TaskResult, "at">} Report */

/** @param {any} data @returns {data is Report} */
function isReport(data) {
  const texts = [data?.lab, data?.task, data?.lab_version, data?.engine_version];
  return data?.type === "lab-result" && typeof data.passed === "boolean" && texts.every((text) => typeof text === "string");
}

/**
 * The tasks with a report added, or null where it changes nothing: the same again (another tab heard it, too), or a
 * failed try at a task that was passed. What was passed stays passed.
 * @param {Record<string, TaskResult>} tasks @param {Report} report @param {number} now
 * @returns {Record<string, TaskResult> | null}
 */
export function withReport(tasks, { task, passed, lab_version, engine_version, seed }, now) {
  const before = tasks[task];
  const same = before && before.passed === passed && before.lab_version === lab_version && before.engine_version === engine_version;
  if (same || (before?.passed && !passed)) return null;
  return { ...tasks, [task]: { passed, lab_version, engine_version, seed, at: now } };
}

/**
 * Keep what graders report on one lab, until the end is called.
 * @param {string} lab
 * @param {import("../store.js").Store} store
 * @param {(result: import("../store.js").PutResult) => void} kept
 * @returns {(() => void) | null} null where the browser lets no report through
 */
export function keepReports(lab, store, kept) {
  const channel = openChannel(CHANNEL);
  if (!channel) return null;
  channel.addEventListener("message", ({ data }) => {
    if (!isReport(data) || data.lab !== lab) return;
    const tasks = /** @type {Record<string, TaskResult>} */ (store.get("lab", lab)?.data.tasks ?? {});
    const after = withReport(tasks, data, Date.now());
    if (after) kept(store.put("lab", lab, { tasks: after }));
  });
  return () => channel.close();
}
