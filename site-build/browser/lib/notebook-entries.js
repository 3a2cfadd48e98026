/**
 * What *My notebook* holds, in the course's order. Pure: records and the course map go in, a list comes out.
 */

/** @typedef {import("./records.js").StoredRecord} StoredRecord */
/** @typedef {import("./course-map.js").CourseMap} CourseMap */
/** @typedef {import("./course-map.js").Lesson} Lesson */
/** `url` is null where the course no longer has the place. */
/** @typedef {{ record: StoredRecord, title: string, url: string | null }} Item */
/** @typedef {{ title: string | null, url: string | null, notes: Item[], pauses: Item[], bookmarks: Item[], snippets: Item[] }} Chapter */

/** @param {StoredRecord} record */
const hasWords = (record) => String(record.data.text ?? "").trim() !== "" || record.was !== undefined;

/** @param {string} id of a bookmark @returns {[string, string]} the lesson and the heading, which may be "" */
function splitBookmark(id) {
  const hash = id.indexOf("#");
  return hash < 0 ? [id, ""] : [id.slice(0, hash), id.slice(hash + 1)];
}

/** @param {Lesson} lesson @param {StoredRecord} record @returns {Item | null} null for another lesson's */
function bookmarkIn(lesson, record) {
  const [id, heading] = splitBookmark(record.id);
  if (id !== lesson.id) return null;
  const known = lesson.headings.find((one) => one.id === heading);
  const title = known?.text ?? (heading ? String(record.data.label) : lesson.title);
  return { record, title, url: known ? `${lesson.url}#${heading}` : lesson.url };
}

/** @param {Lesson} lesson @param {Item} a @param {Item} b the order of the headings, the lesson itself first */
function inOrder(lesson, a, b) {
  const place = (/** @type {Item} */ item) => lesson.headings.findIndex((one) => one.id === splitBookmark(item.record.id)[1]);
  return place(a) - place(b);
}

/** The records of a lesson's items, in its order. @param {Lesson} lesson @param {"pause" | "snippet"} kind @param {import("./course-map.js").Titled[]} items @param {StoredRecord[]} records */
function itemsIn(lesson, kind, items, records) {
  return items.flatMap(({ id, title }) => {
    const record = records.find((one) => one.id === id);
    return record ? [{ record, title, url: `${lesson.url}#${kind}-${id}` }] : [];
  });
}

/** @param {Lesson} lesson @param {Records} records @returns {Chapter} */
function chapterOf(lesson, { notes, bookmarks, pauses, snippets }) {
  return {
    title: lesson.title,
    url: lesson.url,
    notes: notes.filter((one) => one.id === lesson.id).map((record) => ({ record, title: lesson.title, url: lesson.url })),
    bookmarks: bookmarks.flatMap((one) => bookmarkIn(lesson, one) ?? []).sort((a, b) => inOrder(lesson, a, b)),
    pauses: itemsIn(lesson, "pause", lesson.pauses, pauses),
    snippets: itemsIn(lesson, "snippet", lesson.snippets, snippets),
  };
}

/** @param {Chapter} chapter */
const itemsOf = ({ notes, pauses, bookmarks, snippets }) => [...notes, ...pauses, ...bookmarks, ...snippets];

/** @typedef {{ notes: StoredRecord[], bookmarks: StoredRecord[], pauses: StoredRecord[], snippets: StoredRecord[] }} Records */

/** @param {CourseMap} map @param {Records} records @returns {Chapter[]} only those that hold something; what has no place in the course comes last */
export function chapters(map, records) {
  const kept = { ...records, notes: records.notes.filter(hasWords), pauses: records.pauses.filter(hasWords) };
  const placed = map.lessons.map((lesson) => chapterOf(lesson, kept));
  const known = new Set(placed.flatMap(itemsOf).map((item) => item.record));
  const lost = (/** @type {StoredRecord[]} */ list) =>
    list.filter((record) => !known.has(record)).map((record) => ({ record, title: String(record.data.label ?? record.id), url: null }));
  const rest = {
    title: null,
    url: null,
    notes: lost(kept.notes),
    pauses: lost(kept.pauses),
    bookmarks: lost(kept.bookmarks),
    snippets: lost(kept.snippets),
  };
  return [...placed, rest].filter((chapter) => itemsOf(chapter).length > 0);
}
