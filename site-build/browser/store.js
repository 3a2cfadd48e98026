/**
 * What a student leaves behind, kept in this browser: the one module that touches local storage.
 *
 * One record per item under `<course>/<kind>/<id>`. What can't be written stays in memory until the page
 * goes, and is told. Other tabs hear of a write through the browser's `storage` event.
 */
import { COURSE } from "./lib/course.js";
import { KINDS, SCHEMA, isData, readRecord, same, timeAfter } from "./lib/records.js";
import { Shelf } from "./lib/shelf.js";
import { holdsWords, join, pack, planImport } from "./lib/transfer.js";

/** @typedef {import("./lib/records.js").Kind} Kind */
/** @typedef {import("./lib/records.js").Data} Data */
/** @typedef {import("./lib/records.js").StoredRecord} StoredRecord */
/** @typedef {import("./lib/shelf.js").Reason} Reason */
/** @typedef {import("./lib/shelf.js").Fault} Fault */
/** @typedef {import("./lib/shelf.js").Aside} Aside */
/** @typedef {{ ok: true, record: StoredRecord, replaced: Data | null } | { ok: false, reason: Reason, record: StoredRecord | null }} PutResult */
/** `kind` and `id` are null where everything may have changed. */
/** @typedef {{ kind: Kind | null, id: string | null, record: StoredRecord | null, origin: "here" | "elsewhere" }} Change */
/** @typedef {{ state: "ok" | Fault, unsaved: number, aside: Aside[], newer: string[] }} Health */
/** @typedef {(event: { key: string | null, newValue: string | null }) => void} Hear */
/**
 * @typedef {object} Setting
 * @property {string} course the first part of every key
 * @property {() => import("./lib/shelf.js").Backend} backend may throw, on every call, where storage is switched off
 * @property {() => number} now milliseconds
 * @property {(hear: Hear) => void} listen tells of writes by other tabs
 */

/** How many earlier texts a record keeps for its student to deal with. */
const KEPT = 5;

export class Store {
  #shelf;
  #course;
  #now;
  /** What couldn't be written, by key; it goes before what is stored. @type {Map<string, StoredRecord>} */
  #unsaved = new Map();
  /** What this tab wrote last, by key. @type {Map<string, StoredRecord>} */
  #mine = new Map();
  /** Why not. @type {Fault} */
  #fault = "off";
  /** @type {Set<(change: Change) => void>} */
  #listeners = new Set();

  /** @param {Setting} setting */
  constructor({ course, backend, now, listen }) {
    this.#course = course;
    this.#shelf = new Shelf(course, backend);
    this.#now = now;
    listen((event) => this.#hear(event));
  }

  /** The item's record, or null where there is none that can be read. @param {Kind} kind @param {string} id @returns {StoredRecord | null} */
  get(kind, id) {
    const stored = this.#shelf.read(kind, id);
    const unsaved = this.#unsaved.get(this.#shelf.key({ kind, id }));
    return unsaved && (!stored || unsaved.at > stored.at) ? unsaved : stored;
  }

  /**
   * Write an item. Where `seen` is given (the `at` of the record that the writer last saw, 0 for none)
   * and another tab has written something else since, the other's data are kept in `was`, until a write
   * says that they are `settled`.
   * @param {Kind} kind @param {string} id @param {Data} data @param {{ seen?: number, settled?: boolean }} [options]
   * @returns {PutResult}
   */
  put(kind, id, data, { seen, settled = false } = {}) {
    if (!isData(kind, data)) throw new TypeError(`store.put: these aren't the data of a ${kind}: ${JSON.stringify(data)}`);
    const before = this.get(kind, id);
    const unseen = before !== null && seen !== undefined && before.at !== seen && !same(before.data, data);
    const was = [
      ...(unseen ? [{ at: before.at, data: before.data }] : []),
      ...(settled ? [] : (before?.was ?? [])),
    ];
    const at = timeAfter(this.#now(), before?.at ?? 0);
    const kept = was.length ? { was: was.slice(0, KEPT) } : {};
    return this.#enter({ v: SCHEMA, kind, id, at, data, ...kept, over: before?.at ?? 0 }, unseen ? before.data : null);
  }

  /** Bring back what was removed, all of it; words written in its place meanwhile are kept beside. @param {StoredRecord} record @returns {PutResult} */
  restore(record) {
    const here = this.get(record.kind, record.id);
    const back = { ...record, at: timeAfter(this.#now(), Math.max(record.at, here?.at ?? 0)), over: here?.at ?? 0 };
    return this.#enter(here ? join(back, here) : back, null);
  }

  /** Read, change and write in one turn. @param {Kind} kind @param {string} id @param {(data: Data | null) => Data} change */
  update(kind, id, change) {
    return this.put(kind, id, change(this.get(kind, id)?.data ?? null));
  }

  /** @param {Kind} kind @param {string} id @returns {boolean} false for a record of a newer course, which stays */
  remove(kind, id) {
    if (this.#shelf.isNewer(kind, id)) return false;
    this.#unsaved.delete(this.#shelf.key({ kind, id }));
    this.#mine.delete(this.#shelf.key({ kind, id }));
    this.#shelf.remove(kind, id);
    this.#tell({ kind, id, record: null, origin: "here" });
    this.retry();
    return true;
  }

  /** Every readable record of a kind, by id. @param {Kind} kind @returns {StoredRecord[]} */
  list(kind) {
    const items = [...this.#shelf.items(), ...this.#unsaved.values()].filter((item) => item.kind === kind);
    const ids = new Set(items.map((item) => item.id));
    return [...ids].sort().flatMap((id) => this.get(kind, id) ?? []);
  }

  /** @param {(change: Change) => void} listener @returns {() => void} ends it */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How things stand with the storage, and what was put aside. Reads everything once. @returns {Health} */
  health() {
    for (const kind of KINDS) this.list(kind);
    const newer = this.#shelf.items().filter(({ kind, id }) => this.#shelf.isNewer(kind, id));
    const aside = this.#shelf.aside();
    const unsaved = this.#unsaved.size;
    return { state: unsaved ? this.#fault : this.#shelf.state, unsaved, aside, newer: newer.map(({ key }) => key) };
  }

  /** Try once more to write what is only in memory. @returns {boolean} whether all of it is written now */
  retry() {
    const due = [...this.#unsaved.values()].map((record) => {
      const stored = this.#shelf.read(record.kind, record.id);
      return stored && stored.at >= record.at ? this.#joined(record, stored) : record;
    });
    return due.every((record) => this.#write(record) === null);
  }

  /** Forget what was put aside; the student was asked. */
  dropAside() {
    this.#shelf.dropAside();
    this.#tell({ kind: null, id: null, record: null, origin: "here" });
  }

  /** Everything of this student, for a file. @returns {import("./lib/transfer.js").Export} */
  exportAll() {
    return pack(this.#course, KINDS.flatMap((kind) => this.list(kind)), this.#shelf.aside());
  }

  /**
   * Take in what `exportAll` gave. What is newer here stays, and words that are written over are kept in `was`.
   * @param {unknown} parsed a parsed export
   * @returns {import("./lib/transfer.js").ImportReport}
   */
  importAll(parsed) {
    const { writes, report } = planImport(this.#course, parsed, (kind, id) => this.get(kind, id));
    report.unwritten = this.#writeMany(writes);
    this.#tell({ kind: null, id: null, record: null, origin: "here" });
    return report;
  }

  /** What isn't written, and what another tab has written since. @param {StoredRecord} record @param {StoredRecord} stored @returns {StoredRecord} */
  #joined(record, stored) {
    return { ...join(stored, record), at: timeAfter(this.#now(), Math.max(stored.at, record.at)), over: stored.at };
  }

  /** Write a record and tell of it. @param {StoredRecord} record @param {Data | null} replaced @returns {PutResult} */
  #enter(record, replaced) {
    const reason = this.#write(record);
    if (reason === "newer") return { ok: false, reason, record: null };
    this.#tell({ kind: record.kind, id: record.id, record, origin: "here" });
    return reason ? { ok: false, reason, record } : { ok: true, record, replaced };
  }

  /**
   * Write records. Full storage is tried with shorter records only: some browsers take milliseconds to refuse, which
   * thousands of notes made half a minute. Who replaces something may make room, so that is always tried.
   * @param {StoredRecord[]} records @returns {string[]} what couldn't be written, by `kind/id`
   */
  #writeMany(records) {
    /** @type {string[]} */
    const unwritten = [];
    let tooLong = Infinity;
    for (const record of records) {
      const { length } = JSON.stringify(record);
      const replaces = this.#shelf.read(record.kind, record.id) !== null;
      const reason = length >= tooLong && !replaces ? this.#keep(record, "full") : this.#write(record);
      if (reason) unwritten.push(`${record.kind}/${record.id}`);
      if (reason === "full" && !replaces) tooLong = Math.min(tooLong, length);
      if (!reason && replaces) tooLong = Infinity;
    }
    return unwritten;
  }

  /** What can't be written is kept in memory. @param {StoredRecord} record @returns {Reason | null} why it isn't stored */
  #write(record) {
    const reason = this.#shelf.write(record);
    if (reason === null) {
      this.#unsaved.delete(this.#shelf.key(record));
      this.#mine.set(this.#shelf.key(record), record);
    }
    return reason === null || reason === "newer" ? reason : this.#keep(record, reason);
  }

  /** Only in memory. @param {StoredRecord} record @param {Fault} reason */
  #keep(record, reason) {
    this.#unsaved.set(this.#shelf.key(record), record);
    this.#fault = reason;
    return reason;
  }

  /** @param {Parameters<Hear>[0]} event */
  #hear({ key, newValue }) {
    if (newValue === null) this.#mine.delete(key ?? "");
    if (key === null) return this.#tell({ kind: null, id: null, record: null, origin: "elsewhere" });
    const item = this.#shelf.item(key);
    if (!item) return;
    const reading = newValue === null ? null : readRecord(item.kind, item.id, newValue);
    const theirs = reading && "record" in reading ? reading.record : null;
    const lost = this.#unsaved.get(key) ?? this.#unseen(key, theirs);
    if (lost && theirs) this.#write(this.#joined(lost, theirs));
    this.#tell({ ...item, record: lost ? this.get(item.kind, item.id) : theirs, origin: "elsewhere" });
  }

  /** What this tab wrote at the same moment, where the other didn't see it and wrote over it. @param {string} key @param {StoredRecord | null} theirs */
  #unseen(key, theirs) {
    const mine = this.#mine.get(key);
    return mine && theirs?.over !== undefined && theirs.over < mine.at && !holdsWords(theirs, mine) ? mine : null;
  }

  /** @param {Change} change */
  #tell(change) {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

/** The student's own store, in this browser. */
export const store = new Store({
  course: COURSE,
  backend: () => globalThis.localStorage,
  now: () => Date.now(),
  listen: (hear) => {
    globalThis.addEventListener?.("storage", (event) => {
      if (event.storageArea === null || event.storageArea === globalThis.localStorage) hear(event);
    });
    // A page that comes back as it was left was told nothing while it was away.
    globalThis.addEventListener?.("pageshow", (event) => event.persisted && hear({ key: null, newValue: null }));
  },
});
