import assert from "node:assert/strict";
import { test } from "node:test";
import { importWords } from "../../../site-build/browser/lib/import-words.js";
import { memoryStorage, openStore } from "./memory.mjs";

const report = (parts) => ({ added: [], updated: [], kept: [], same: [], refused: [], unwritten: [], ...parts });
const travel = (value) => JSON.parse(JSON.stringify(value));

test("what one browser saves another takes in, the damaged included in the file", () => {
  const from = openStore(memoryStorage({ "course/note/bad": "{half" }));
  from.put("note", "founding", { text: "slots" });
  from.put("bookmark", "founding", { label: "Batching" });
  const file = travel(from.exportAll());
  assert.deepEqual(file.aside, [{ key: "course/aside/note/bad", text: "{half" }]);
  const to = openStore(memoryStorage());
  assert.deepEqual(to.importAll(file), report({ added: ["note/founding", "bookmark/founding"] }));
  assert.equal(to.get("note", "founding").data.text, "slots");
  assert.deepEqual(to.importAll(file), report({ same: ["note/founding", "bookmark/founding"] }));
});

test("what is newer here stays; the file's words are kept beside it", () => {
  const clock = { now: 1000 };
  const from = openStore(memoryStorage(), clock);
  from.put("note", "a", { text: "older" });
  const to = openStore(memoryStorage(), { now: 2000 });
  to.put("note", "a", { text: "newer" });
  assert.deepEqual(to.importAll(travel(from.exportAll())), report({ kept: ["note/a"] }));
  const record = to.get("note", "a");
  assert.equal(record.data.text, "newer");
  assert.deepEqual(record.was.map((one) => one.data.text), ["older"]);
  to.importAll(travel(from.exportAll()));
  assert.equal(to.get("note", "a").was.length, 1);
});

test("what is older here is written over, its words kept", () => {
  const from = openStore(memoryStorage(), { now: 3000 });
  from.put("note", "a", { text: "newer" });
  const to = openStore(memoryStorage(), { now: 2000 });
  to.put("note", "a", { text: "older" });
  assert.deepEqual(to.importAll(travel(from.exportAll())), report({ updated: ["note/a"] }));
  const record = to.get("note", "a");
  assert.equal(record.data.text, "newer");
  assert.deepEqual(record.was.map((one) => one.data.text), ["older"]);
});

test("a task passed in either place is passed", () => {
  const from = openStore(memoryStorage(), { now: 3000 });
  from.put("lab", "founding", { tasks: { batcher: { passed: false }, pages: { passed: true, seed: 3 } } });
  const to = openStore(memoryStorage(), { now: 2000 });
  to.put("lab", "founding", { tasks: { batcher: { passed: true, seed: 1 } } });
  to.importAll(travel(from.exportAll()));
  assert.deepEqual(to.get("lab", "founding").data.tasks, {
    batcher: { passed: true, seed: 1 },
    pages: { passed: true, seed: 3 },
  });
});

test("records that can't be read are refused by name and the rest goes in", () => {
  const to = openStore(memoryStorage());
  const good = { v: 1, kind: "complete", id: "a", at: 1, data: {} };
  const file = { course: "course", export: 1, aside: [], records: [good, { ...good, v: 9, id: "b" }, { kind: "spam", id: "x" }, 7] };
  assert.deepEqual(to.importAll(file), report({ added: ["complete/a"], refused: ["complete/b", "spam/x", "an item without a name"] }));
});

test("a file of another make takes nothing down: odd names, boxes in boxes, one item twice", () => {
  const to = openStore(memoryStorage());
  const note = (id, text, more) => ({ v: 1, kind: "note", id, at: 1, data: { text }, ...more });
  const deep = JSON.parse(`${"[".repeat(9999)}${"]".repeat(9999)}`);
  const records = [
    { kind: { toString: 1 }, id: "a" }, { kind: "note", id: {} }, note("", "x"), note("d", "x", { data: { text: "x", deep } }),
    JSON.parse('{"v":1,"kind":"lab","id":"l","at":1,"data":{"tasks":{"__proto__":{"passed":true,"everywhere":1}}}}'),
    note("a", "newer", { at: 9 }), note("a", "older"),
  ];
  to.put("lab", "l", { tasks: {} });
  const told = to.importAll({ course: "course", export: 1, records });
  const nameless = "an item without a name";
  assert.deepEqual(told, report({ added: ["note/a"], kept: ["lab/l", "note/a"], refused: [nameless, nameless, "note/", "note/d"] }));
  assert.deepEqual(to.get("note", "a").was, [{ at: 1, data: { text: "older" } }]);
  assert.equal(to.get("note", "a").data.text, "newer");
  assert.equal({}.everywhere, undefined);
});

test("what can't be read is named, not listed to its end", () => {
  const words = importWords(report({ refused: Array.from({ length: 1000 }, (_, i) => `note/${i}${"x".repeat(1000)}`) }));
  assert.match(words, /1000 could not be read: note\/0x+…, .*, and 995 more\./);
  assert.ok(words.length < 600);
});

test("another file is refused in words", () => {
  const to = openStore(memoryStorage());
  for (const wrong of [null, 7, [], { course: "other", export: 1, records: [] }, { course: "course", export: 1 }]) {
    assert.throws(() => to.importAll(wrong), /isn't work saved from this course/);
  }
  assert.throws(() => to.importAll({ course: "course", export: 2, records: [] }), /newer version of the course/);
});

test("what there is no room for is reported", () => {
  const storage = memoryStorage();
  const from = openStore(memoryStorage());
  from.put("note", "a", { text: "x".repeat(100) });
  storage.limit.bytes = 50;
  const to = openStore(storage);
  assert.deepEqual(to.importAll(travel(from.exportAll())), report({ added: ["note/a"], unwritten: ["note/a"] }));
});

test("attempts at a check, made here and there, all stay", () => {
  const one = (at) => ({ at, hash: "h", answer: "a", correct: false, seconds: 1 });
  const answered = (...tries) => ({ hash: "h", answer: "a", correct: false, attempts: tries.length, tries });
  const from = openStore(memoryStorage(), { now: 3000 });
  from.put("check", "a", answered(one(1), one(3)));
  const to = openStore(memoryStorage(), { now: 2000 });
  to.put("check", "a", answered(one(1), one(2)));
  assert.deepEqual(to.importAll(travel(from.exportAll())), report({ updated: ["check/a"] }));
  assert.deepEqual(to.get("check", "a").data.tries.map(({ at }) => at), [1, 2, 3]);
});

test("one damaged record of a file is refused, and the others are taken in", () => {
  const to = openStore(memoryStorage());
  to.put("check", "a", { hash: "h", answer: "a", correct: true, attempts: 1, tries: [{ at: 5 }] });
  const damaged = { v: 1, kind: "check", id: "a", at: 1, data: { hash: "h", answer: "b", correct: true, attempts: 1, tries: "x" } };
  const records = [damaged, { ...damaged, kind: "__proto__" }, null, { v: 1, kind: "note", id: "n", at: 1, data: { text: "words" } }];
  const told = to.importAll({ course: "course", export: 1, records });
  assert.deepEqual(told, report({ added: ["note/n"], refused: ["check/a", "__proto__/a", "an item without a name"] }));
});
