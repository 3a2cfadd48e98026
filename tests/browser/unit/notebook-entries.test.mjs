import assert from "node:assert/strict";
import { test } from "node:test";
import { chapters } from "../../../site-build/browser/lib/notebook-entries.js";

const lesson = (id, parts = {}) => ({
  id,
  title: `The ${id} lesson`,
  url: `lessons/${id}/`,
  headings: [
    { id: "first", text: "First things" },
    { id: "second", text: "Second things" },
  ],
  checks: [],
  pauses: [{ id: "why", title: "Why so?" }],
  snippets: [{ id: "batcher", title: "A batcher" }],
  labs: [],
  ...parts,
});
const map = { course: "course", lessons: [lesson("founding"), lesson("paging", { pauses: [], snippets: [] })], labs: [] };
const record = (kind, id, data, more = {}) => ({ v: 1, kind, id, at: 1, data, ...more });
const shown = (list) => list.map(({ title, url }) => [title, url]);

test("nothing stored gives no chapters", () => {
  assert.deepEqual(chapters(map, { notes: [], bookmarks: [], pauses: [], snippets: [] }), []);
});

test("items stand under their lesson, in the course's order, with links back", () => {
  const [founding, paging, ...rest] = chapters(map, {
    notes: [record("note", "paging", { text: "blocks" }), record("note", "founding", { text: "slots" })],
    bookmarks: [
      record("bookmark", "founding#second", { label: "old words" }),
      record("bookmark", "founding#first", { label: "First" }),
      record("bookmark", "founding", { label: "x" }),
    ],
    pauses: [record("pause", "why", { hash: "h", text: "because", opened: true })],
    snippets: [record("snippet", "batcher", { hash: "h", code: "x" })],
  });
  assert.deepEqual(rest, []);
  assert.deepEqual(shown(founding.notes), [["The founding lesson", "lessons/founding/"]]);
  assert.deepEqual(shown(founding.pauses), [["Why so?", "lessons/founding/#pause-why"]]);
  assert.deepEqual(shown(founding.snippets), [["A batcher", "lessons/founding/#snippet-batcher"]]);
  assert.deepEqual(shown(founding.bookmarks), [
    ["The founding lesson", "lessons/founding/"],
    ["First things", "lessons/founding/#first"],
    ["Second things", "lessons/founding/#second"],
  ]);
  assert.equal(paging.notes[0].record.data.text, "blocks");
});

test("an empty note isn't listed, unless other words wait beside it", () => {
  const was = [{ at: 1, data: { text: "theirs" } }];
  const none = { bookmarks: [], pauses: [], snippets: [] };
  assert.deepEqual(chapters(map, { ...none, notes: [record("note", "founding", { text: " \n" })] }), []);
  assert.equal(chapters(map, { ...none, notes: [record("note", "founding", { text: "" }, { was })] }).length, 1);
});

test("what the course no longer has a place for is still shown, last", () => {
  const found = chapters(map, {
    notes: [record("note", "gone", { text: "kept" })],
    bookmarks: [record("bookmark", "gone#x", { label: "Old heading" }), record("bookmark", "founding#removed", { label: "Removed" })],
    pauses: [record("pause", "old", { hash: "h", text: "kept too", opened: false })],
    snippets: [record("snippet", "former", { hash: "h", code: "x" })],
  });
  assert.deepEqual(shown(found[0].bookmarks), [["Removed", "lessons/founding/"]]);
  assert.equal(found[1].title, null);
  assert.deepEqual(shown([...found[1].notes, ...found[1].pauses, ...found[1].bookmarks, ...found[1].snippets]), [
    ["gone", null],
    ["old", null],
    ["Old heading", null],
    ["former", null],
  ]);
});
