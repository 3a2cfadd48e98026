import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../../site-build/browser/store.js";
import { memoryStorage, openStore, raw } from "./memory.mjs";

test("a record is written under course, kind and id, and read back", () => {
  const storage = memoryStorage();
  const store = openStore(storage);
  const result = store.put("note", "founding", { text: "slots" });
  assert.deepEqual(result, {
    ok: true,
    record: { v: 1, kind: "note", id: "founding", at: 1000, data: { text: "slots" }, over: 0 },
    replaced: null,
  });
  assert.deepEqual(raw(storage, "course/note/founding"), result.record);
  assert.deepEqual(openStore(storage).get("note", "founding"), result.record);
});

test("an id may hold a slash or a hash", () => {
  const store = openStore(memoryStorage());
  store.put("bookmark", "founding#pages/waste", { label: "Waste" });
  assert.deepEqual(store.list("bookmark").map((record) => record.id), ["founding#pages/waste"]);
});

test("a list holds one kind, by id", () => {
  const store = openStore(memoryStorage({ "other-app/note/x": "{}", "course/unknown/x": "{}" }));
  store.put("note", "b", { text: "2" });
  store.put("note", "a", { text: "1" });
  store.put("complete", "a", {});
  assert.deepEqual(store.list("note").map((record) => record.id), ["a", "b"]);
});

test("data of the wrong shape are a programmer's mistake and say so", () => {
  const store = openStore(memoryStorage());
  assert.throws(() => store.put("note", "a", { words: "x" }), /store\.put: these aren't the data of a note/);
});

test("time never goes back within an item, even where the clock does", () => {
  const clock = { now: 5000 };
  const store = openStore(memoryStorage(), clock);
  store.put("note", "a", { text: "1" });
  clock.now = 10;
  assert.equal(store.put("note", "a", { text: "2" }).record.at, 5001);
});

test("another tab hears of a write and of a removal; the writer hears it as its own", () => {
  const storage = memoryStorage();
  const [here, there] = [openStore(storage), openStore(storage)];
  const heard = [];
  here.subscribe((change) => heard.push(["here", change.origin, change.id, change.record?.data.text ?? null]));
  const end = there.subscribe((change) => heard.push(["there", change.origin, change.id, change.record?.data.text ?? null]));
  here.put("note", "a", { text: "1" });
  here.remove("note", "a");
  end();
  here.put("note", "a", { text: "2" });
  assert.deepEqual(heard, [
    ["there", "elsewhere", "a", "1"],
    ["here", "here", "a", "1"],
    ["there", "elsewhere", "a", null],
    ["here", "here", "a", null],
    ["here", "here", "a", "2"],
  ]);
});

test("two tabs that write different items lose nothing", () => {
  const storage = memoryStorage();
  const [one, two] = [openStore(storage), openStore(storage)];
  one.put("note", "a", { text: "one" });
  two.put("note", "b", { text: "two" });
  one.put("check", "c", { hash: "h", answer: "a", correct: true, attempts: 1 });
  assert.deepEqual(two.list("note").map((record) => record.data.text), ["one", "two"]);
  assert.equal(two.get("check", "c").data.correct, true);
});

test("the last write of one item wins, and the words that its writer hadn't seen are kept until settled", () => {
  const storage = memoryStorage();
  const [one, two] = [openStore(storage), openStore(storage)];
  const first = one.put("note", "a", { text: "first" }).record;
  two.put("note", "a", { text: "theirs" }, { seen: first.at });
  const mine = one.put("note", "a", { text: "mine" }, { seen: first.at });
  assert.deepEqual(mine.replaced, { text: "theirs" });
  assert.equal(two.get("note", "a").data.text, "mine");
  const more = one.put("note", "a", { text: "mine, more" }, { seen: mine.record.at }).record;
  assert.deepEqual(more.was.map((one) => one.data.text), ["theirs"]);
  assert.equal(one.put("note", "a", { text: "mine" }, { seen: more.at, settled: true }).record.was, undefined);
});

test("of words that tabs write at the same moment, unseen by each other, none are lost", () => {
  const storage = memoryStorage();
  const [one, two, three] = [openStore(storage), openStore(storage), openStore(storage)];
  const { tab, backend } = storage.openTab();
  // A tab whose browser shows it what stood there a moment ago.
  const old = one.put("note", "a", { text: "first" }).record;
  const late = new Store({ course: "course", backend: () => ({ ...backend, length: 1, getItem: () => JSON.stringify(old) }), now: () => 1000, listen: (hear) => (tab.hear = hear) });
  two.put("note", "a", { text: "second" }, { seen: 0 });
  late.put("note", "a", { text: "third" }, { seen: 0 });
  const { data, was } = three.get("note", "a");
  assert.deepEqual([data, ...was.map((other) => other.data)].map(({ text }) => text).sort(), ["first", "second", "third"]);
});

test("words that were deleted elsewhere don't come back beside others", () => {
  const storage = memoryStorage();
  const [one, two] = [openStore(storage), openStore(storage)];
  one.put("note", "a", { text: "deleted" });
  two.remove("note", "a");
  two.put("note", "a", { text: "new" });
  assert.equal(one.get("note", "a").was, undefined);
});

test("what was removed comes back whole, the other tab's words included", () => {
  const storage = memoryStorage();
  const store = openStore(storage);
  const first = store.put("note", "a", { text: "first" }).record;
  store.put("note", "a", { text: "theirs" });
  const { record } = store.put("note", "a", { text: "mine" }, { seen: first.at });
  store.remove("note", "a");
  assert.equal(store.get("note", "a"), null);
  assert.equal(store.restore(record).ok, true);
  assert.deepEqual(raw(storage, "course/note/a"), { ...record, at: record.at + 1, over: 0 });
});

test("what is brought back goes beside the words that were written in its place", () => {
  const storage = memoryStorage();
  const [one, two] = [openStore(storage), openStore(storage)];
  const { record } = one.put("note", "a", { text: "deleted" });
  one.remove("note", "a");
  two.put("note", "a", { text: "theirs" });
  one.restore(record);
  assert.equal(two.get("note", "a").data.text, "deleted");
  assert.deepEqual(two.get("note", "a").was.map(({ data }) => data.text), ["theirs"]);
});

test("a change in one turn sees what another tab wrote", () => {
  const storage = memoryStorage();
  const [one, two] = [openStore(storage), openStore(storage)];
  one.update("lab", "founding", () => ({ tasks: { batcher: { passed: true } } }));
  two.update("lab", "founding", (data) => ({ tasks: { ...data.tasks, pages: { passed: true } } }));
  assert.deepEqual(Object.keys(one.get("lab", "founding").data.tasks), ["batcher", "pages"]);
});
