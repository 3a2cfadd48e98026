import assert from "node:assert/strict";
import { test } from "node:test";
import { keepReports, withReport } from "../../../site-build/browser/lib/lab-results.js";

const report = { type: "lab-result", lab: "founding", task: "batcher", passed: true, lab_version: "v2", engine_version: "0.1.0", seed: 20 };

test("a first report is noted with its time", () => {
  const tasks = withReport({}, report, 7);
  assert.deepEqual(tasks, { batcher: { passed: true, lab_version: "v2", engine_version: "0.1.0", seed: 20, at: 7 } });
});

test("the same again, heard by another tab, changes nothing", () => {
  const tasks = withReport({}, report, 7) ?? {};
  assert.equal(withReport(tasks, report, 8), null);
});

test("what was passed stays passed", () => {
  const tasks = withReport({}, report, 7) ?? {};
  assert.equal(withReport(tasks, { ...report, passed: false, lab_version: "v3" }, 8), null);
});

test("a failed try is noted, and a pass goes before it", () => {
  const tried = withReport({}, { ...report, passed: false }, 7) ?? {};
  assert.equal(tried.batcher.passed, false);
  assert.equal(withReport(tried, report, 8)?.batcher.passed, true);
});

test("passing a newer version is noted anew, and other tasks stay", () => {
  const tasks = withReport({ prefix: { passed: true } }, report, 7) ?? {};
  const newer = withReport(tasks, { ...report, lab_version: "v3" }, 9);
  assert.equal(newer?.batcher.lab_version, "v3");
  assert.deepEqual(newer?.prefix, { passed: true });
});

/** A store that notes what is put. */
function recorder() {
  const puts = [];
  return { puts, get: () => null, put: (...put) => (puts.push(put), { ok: true }) };
}

test("reports reach the store from the channel, and only this lab's", async () => {
  const store = recorder();
  /** @type {() => void} */
  let arrived = () => {};
  const kept = new Promise((resolve) => (arrived = () => resolve(undefined)));
  const end = keepReports("founding", store, arrived);
  const kernel = new BroadcastChannel("inside-the-batch/lab");
  // Messages keep their order: when the last was heard, the others were.
  for (const data of [{ ...report, lab: "paging" }, { type: "lab-result" }, "nonsense", report]) kernel.postMessage(data);
  await kept;
  kernel.close();
  end();
  assert.deepEqual(store.puts.map(([kind, id, data]) => [kind, id, Object.keys(data.tasks)]), [["lab", "founding", ["batcher"]]]);
});
