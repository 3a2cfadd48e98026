import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStorage, openStore, raw } from "./memory.mjs";

test("with storage off everything works in memory, and says so", () => {
  const store = openStore(memoryStorage(), undefined, () => () => {
    throw new DOMException("denied", "SecurityError");
  });
  const result = store.put("note", "a", { text: "kept while open" });
  assert.equal(result.ok, false);
  assert.equal(result.reason, "off");
  assert.equal(store.get("note", "a").data.text, "kept while open");
  assert.deepEqual(store.list("note").map((record) => record.id), ["a"]);
  assert.deepEqual(store.health(), { state: "off", unsaved: 1, aside: [], newer: [] });
  assert.equal(store.remove("note", "a"), true);
  assert.equal(store.get("note", "a"), null);
});

test("a missing local storage is storage that is off", () => {
  const store = openStore(memoryStorage(), undefined, () => () => undefined);
  assert.equal(store.put("note", "a", { text: "x" }).reason, "off");
});

test("with storage full the newest words stay in memory and are written once there is room", () => {
  const storage = memoryStorage();
  const store = openStore(storage);
  store.put("note", "a", { text: "short" });
  store.put("note", "b", { text: "x".repeat(200) });
  storage.limit.bytes = 400;
  const result = store.put("note", "a", { text: "y".repeat(200) });
  assert.equal(result.reason, "full");
  assert.equal(store.get("note", "a").data.text, "y".repeat(200));
  assert.equal(raw(storage, "course/note/a").data.text, "short");
  assert.equal(store.health().state, "full");
  store.remove("note", "b");
  assert.equal(raw(storage, "course/note/a").data.text, "y".repeat(200));
  assert.deepEqual(store.health(), { state: "ok", unsaved: 0, aside: [], newer: [] });
});

test("a large import into full storage tries what is shorter, and no more", () => {
  const storage = memoryStorage({ filling: "x".repeat(1000) });
  storage.limit.bytes = 1300;
  let tries = 0;
  const store = openStore(storage, undefined, (backend) => ({
    getItem: (key) => backend.getItem(key),
    removeItem: (key) => backend.removeItem(key),
    key: (i) => backend.key(i),
    get length() {
      return backend.length;
    },
    setItem: (key, value) => {
      tries += 1;
      backend.setItem(key, value);
    },
  }));
  store.put("bookmark", "old", { label: "y".repeat(150) });
  const note = (id, text) => ({ v: 1, kind: "note", id, at: 5000, data: { text } });
  const many = Array.from({ length: 6000 }, (_, i) => note(`n${i + 1000}`, "z".repeat(100)));
  tries = 0;
  const shorter = { v: 1, kind: "bookmark", id: "old", at: 5000, data: { label: "short" } };
  const records = [...many, note("small", "ok"), shorter, note("late", "z".repeat(90))];
  const { unwritten } = store.importAll({ course: "course", export: 1, records, aside: [] });
  assert.equal(unwritten.length, 6000);
  assert.ok(tries < 10, `${tries} tries`);
  for (const id of ["small", "late"]) assert.ok(raw(storage, `course/note/${id}`), id);
  assert.equal(raw(storage, "course/bookmark/old").data.label, "short");
  assert.equal(store.get("note", "n1000").data.text, "z".repeat(100));
  assert.deepEqual([store.health().state, store.health().unsaved], ["full", 6000]);
});

for (const heard of [true, false]) {
  test(`words that found no room and another tab's, written since, both stay (${heard ? "heard at once" : "heard late"})`, () => {
    const storage = memoryStorage();
    const [one, two] = [openStore(storage), openStore(storage)];
    storage.limit.bytes = 0;
    assert.equal(one.put("note", "a", { text: "no room" }).reason, "full");
    storage.limit.bytes = Infinity;
    const clock = { now: 2000 };
    if (heard) openStore(storage, clock).put("note", "a", { text: "theirs" });
    else storage.map.set("course/note/a", JSON.stringify({ v: 1, kind: "note", id: "a", at: 2000, data: { text: "theirs" } }));
    assert.equal(one.retry(), true);
    const { data, was } = two.get("note", "a");
    assert.deepEqual([data.text, ...was.map((other) => other.data.text)], ["theirs", "no room"]);
    assert.equal(one.get("note", "a").was.length, 1);
  });
}

test("one item that fits doesn't hide that another didn't", () => {
  const storage = memoryStorage();
  storage.limit.bytes = 200;
  const store = openStore(storage);
  store.put("note", "a", { text: "x".repeat(300) });
  assert.equal(store.put("note", "b", { text: "short" }).ok, true);
  assert.deepEqual([store.health().state, store.health().unsaved], ["full", 1]);
  store.remove("note", "a");
  assert.deepEqual([store.health().state, store.health().unsaved], ["ok", 0]);
});

test("a write that doesn't read back is reported and kept in memory", () => {
  const store = openStore(memoryStorage(), undefined, (backend) => ({
    ...backend,
    length: 0,
    setItem: () => {},
  }));
  assert.equal(store.put("note", "a", { text: "x" }).reason, "unverified");
  assert.equal(store.get("note", "a").data.text, "x");
  assert.equal(store.health().state, "unverified");
});

for (const [what, text] of Object.entries({
  "no JSON": "{half",
  "no record": "7",
  "no version": '{"kind":"note","id":"a","at":1,"data":{"text":"x"}}',
  "another item's": '{"v":1,"kind":"note","id":"b","at":1,"data":{"text":"x"}}',
  "without a time": '{"v":1,"kind":"note","id":"a","at":null,"data":{"text":"x"}}',
  "of the wrong shape": '{"v":1,"kind":"note","id":"a","at":1,"data":{"text":7}}',
  "from beyond the end of time": '{"v":1,"kind":"note","id":"a","at":1e300,"data":{"text":"x"}}',
  "with endless boxes in boxes": `{"v":1,"kind":"note","id":"a","at":1,"data":{"text":"x","more":${"[".repeat(9999)}${"]".repeat(9999)}}}`,
  "with a broken history": '{"v":1,"kind":"note","id":"a","at":1,"data":{"text":"x"},"was":[7]}',
})) {
  test(`a damaged record (${what}) is moved aside, kept and reported, and the item works on`, () => {
    const storage = memoryStorage({ "course/note/a": text });
    const store = openStore(storage);
    assert.equal(store.get("note", "a"), null);
    assert.equal(storage.map.has("course/note/a"), false);
    assert.deepEqual(store.health().aside, [{ key: "course/aside/note/a", text }]);
    assert.equal(store.put("note", "a", { text: "new" }).ok, true);
    assert.deepEqual(store.health().aside, [{ key: "course/aside/note/a", text }]);
    store.dropAside();
    assert.deepEqual(store.health().aside, []);
  });
}

for (const [field, value] of Object.entries({
  tries: "x",
  "tries ": [{ answer: "a" }],
  review: [],
  "review ": { step: 0, due: -9e15 },
  shown: {},
  confidence: 3,
  variant: null,
  earlier: "x",
})) {
  test(`a check whose ${field.trim()} can't be read (${JSON.stringify(value)}) is put aside, not half shown`, () => {
    const data = { hash: "h", answer: "a", correct: true, attempts: 1, [field.trim()]: value };
    const text = JSON.stringify({ v: 1, kind: "check", id: "a", at: 1, data });
    const store = openStore(memoryStorage({ "course/check/a": text }));
    assert.equal(store.get("check", "a"), null);
    assert.deepEqual(store.health().aside, [{ key: "course/aside/check/a", text }]);
  });
}

test("a record from the last moment of time can still be written over", () => {
  const store = openStore(memoryStorage({ "course/note/a": '{"v":1,"kind":"note","id":"a","at":8.64e15,"data":{"text":"x"}}' }));
  store.put("note", "a", { text: "new" });
  store.restore(store.get("note", "a"));
  assert.equal(store.get("note", "a").data.text, "new");
});

test("a second damaged record doesn't write over the first that was put aside", () => {
  const storage = memoryStorage({ "course/note/a": "{one" });
  const store = openStore(storage);
  store.get("note", "a");
  storage.map.set("course/note/a", "{two");
  store.get("note", "a");
  assert.deepEqual(store.health().aside.map((one) => one.text), ["{one", "{two"]);
});

test("a damaged record that there is no room to copy stays where it is and isn't written over", () => {
  const storage = memoryStorage({ "course/note/a": "{half" + "x".repeat(100) });
  storage.limit.bytes = 150;
  const store = openStore(storage);
  assert.equal(store.put("note", "a", { text: "new" }).reason, "full");
  assert.equal(storage.map.get("course/note/a"), "{half" + "x".repeat(100));
  assert.equal(store.get("note", "a").data.text, "new");
});

test("a record of a newer schema is left alone, and that is said", () => {
  const text = '{"v":2,"kind":"note","id":"a","new":true}';
  const storage = memoryStorage({ "course/note/a": text });
  const store = openStore(storage);
  assert.equal(store.get("note", "a"), null);
  assert.deepEqual(store.put("note", "a", { text: "x" }), { ok: false, reason: "newer", record: null });
  assert.equal(store.remove("note", "a"), false);
  assert.equal(storage.map.get("course/note/a"), text);
  assert.deepEqual(store.health().newer, ["course/note/a"]);
});

test("where another tab clears everything, the page is told that all may have changed", () => {
  const storage = memoryStorage();
  const { tab } = storage.openTab();
  const heard = [];
  const store = openStore({ ...storage, openTab: () => ({ ...storage.openTab(), tab }) });
  store.subscribe((change) => heard.push(change));
  tab.hear({ key: null, newValue: null });
  tab.hear({ key: "elsewhere/x", newValue: "1" });
  assert.deepEqual(heard, [{ kind: null, id: null, record: null, origin: "elsewhere" }]);
});
