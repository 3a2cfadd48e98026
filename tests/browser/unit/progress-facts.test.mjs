import assert from "node:assert/strict";
import { test } from "node:test";
import { progressFacts } from "../../../site-build/browser/lib/progress-facts.js";

const map = {
  course: "course",
  lessons: [
    {
      id: "founding",
      title: "Batching",
      url: "lessons/founding/",
      headings: [],
      checks: ["a", "b", "c"].map((id) => ({ id, title: id.toUpperCase() })),
      pauses: [],
      snippets: [],
      labs: ["founding", "not-built"],
    },
  ],
  labs: [
    {
      id: "founding",
      title: "First lab",
      url: "labs/founding/",
      version: "2",
      tasks: ["batcher", "pages", "prefix"].map((id) => ({ id, title: id })),
    },
  ],
};
const facts = (records) => progressFacts(map, (kind, id) => records[`${kind}/${id}`] ?? null)[0];

test("a student who has done nothing has everything open", () => {
  const { completedAt, checks, labs } = facts({});
  assert.equal(completedAt, null);
  assert.deepEqual(checks.map((check) => check.state), ["open", "open", "open"]);
  assert.deepEqual(labs.map((lab) => lab.tasks.map((task) => task.state)), [["open", "open", "open"]]);
});

test("the mark, the checks and the tasks are told apart, and so is a pass in an earlier lab", () => {
  const passed = (lab_version, at) => ({ passed: true, lab_version, at });
  const { completedAt, checks, labs } = facts({
    "complete/founding": { at: 77, data: {} },
    "check/a": { data: { correct: true } },
    "check/b": { data: { correct: false } },
    "lab/founding": { data: { tasks: { batcher: passed("2", "2026-11-30T10:00:00Z"), pages: passed("1", 5), prefix: { passed: false, at: 9 } } } },
  });
  assert.equal(completedAt, 77);
  assert.deepEqual(checks.map(({ state, url }) => [state, url]), [
    ["right", "lessons/founding/#check-a"],
    ["wrong", "lessons/founding/#check-b"],
    ["open", "lessons/founding/#check-c"],
  ]);
  assert.deepEqual(labs[0].tasks, [
    { title: "batcher", state: "passed", at: Date.UTC(2026, 10, 30, 10) },
    { title: "pages", state: "earlier", at: 5 },
    { title: "prefix", state: "open", at: null },
  ]);
});
