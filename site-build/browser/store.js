/**
 * What a student leaves behind, kept in this browser: the one module that touches local storage.
 *
 * One record per item under `<course>/<kind>/<id>`. Every write is read back. What can't be written stays
 * in memory until the page goes, and is told. What can't be read is moved aside and kept. A record of a
 * newer schema is left alone. Other tabs hear of a write through the browser's `storage` event.
 */
import { KINDS, SCHEMA, isData, readKey, readRecord, same } from "./lib/records.js";
import { pack, planImport } from "./lib/transfer.js";

/** @typedef {import("./lib/records.js").Kind} Kind */
/** @typedef {import("./lib/records.js").Data} Data */
/** @typedef {import("./lib/records.js").StoredRecord} StoredRecord */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} Backend */
/** @typedef {"off" | "full" | "unverified"} Fault */
/** @typedef {Fault | "newer"} Reason */
/** @typedef {{ ok: true, record: StoredRecord, replaced: Data | null } | { ok: false, reason: Reason, record: StoredRecord | null }} PutResult */
/** `kind` and `id` are null where everything may have changed. */
/** @typedef {{ kind: Kind | null, id: string | null, record: StoredRecord | null, origin: "here" | "elsewhere" }} Change */
/** @typedef {{ key: string, text: string }} Aside */
/** @typedef {{ state: "ok" | Fault, unsaved: number, aside: Aside[], newer: string[] }} Health */
/** @typedef {(event: { key: string | null, newValue: string | null }) => void} Hear */
/**
 * @typedef {object} Setting
 * @property {string} course the first part of every key
 * @property {() => Backend} backend may throw, on every call, where storage is switched off
 * @property {() => number} now milliseconds
 * @property {(hear: Hear) => void} listen tells of writes by other tabs
 */

/** How many earlier texts a record keeps for its student to deal with. */
const KEPT = 5;

/** @param {unknown} error @returns {Fault} */
function faultOf(error) {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  return /quota/i.test(name) ? "full" : "off";
}

export class Store {
  /** What couldn't be written, by key; it goes before what is stored. @type {Map<string, StoredRecord>} */
  #unsaved = new Map();
  /** @type {Set<(change: Change) => void>} */
  #listeners = new Set();
  /** @type {Health["state"]} */
  #state = "ok";
  /** @type {Setting} */
  #setting;

  /** @param {Setting} setting */
  constructor(setting) {
    this.#setting = setting;
    setting.listen((event) => this.#hear(event));
  }

  /** The item's record, or null where there is none that can be read. @param {Kind} kind @param {string} id @returns {StoredRecord | null} */
  get(kind, id) {
    const stored = this.#stored(kind, id);
    const unsaved = this.#unsaved.get(this.#key(kind, id));
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
    const at = Math.max(this.#setting.now(), (before?.at ?? 0) + 1);
    /** @type {StoredRecord} */
    const record = { v: SCHEMA, kind, id, at, data, ...(was.length ? { was: was.slice(0, KEPT) } : {}) };
    const reason = this.#write(record);
    if (reason === "newer") return { ok: false, reason, record: null };
    this.#tell({ kind, id, record, origin: "here" });
    return reason ? { ok: false, reason, record } : { ok: true, record, replaced: unseen ? before.data : null };
  }

  /** Read, change and write in one turn. @param {Kind} kind @param {string} id @param {(data: Data | null) => Data} change */
  update(kind, id, change) {
    return this.put(kind, id, change(this.get(kind, id)?.data ?? null));
  }

  /** @param {Kind} kind @param {string} id @returns {boolean} whether it is gone */
  remove(kind, id) {
    const key = this.#key(kind, id);
    this.#stored(kind, id);
    this.#unsaved.delete(key);
    try {
      const backend = this.#setting.backend();
      if (this.#isNewer(kind, id, backend.getItem(key))) return false;
      backend.removeItem(key);
    } catch (error) {
      this.#fault(error);
    }
    this.#tell({ kind, id, record: null, origin: "here" });
    this.retry();
    return true;
  }

  /** Every readable record of a kind, by id. @param {Kind} kind @returns {StoredRecord[]} */
  list(kind) {
    const ids = new Set([...this.#items(), ...this.#unsaved.values()].filter((item) => item.kind === kind).map((item) => item.id));
    return [...ids].sort().flatMap((id) => this.get(kind, id) ?? []);
  }

  /** @param {(change: Change) => void} listener @returns {() => void} ends it */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How things stand with the storage, and what was put aside. @returns {Health} */
  health() {
    for (const kind of KINDS) this.list(kind);
    try {
      const backend = this.#setting.backend();
      return {
        state: this.#state,
        unsaved: this.#unsaved.size,
        aside: this.#keys(`${this.#setting.course}/aside/`).map((key) => ({ key, text: backend.getItem(key) ?? "" })),
        newer: this.#items().filter((item) => this.#isNewer(item.kind, item.id, backend.getItem(item.key))).map((item) => item.key),
      };
    } catch (error) {
      this.#fault(error);
      return { state: this.#state, unsaved: this.#unsaved.size, aside: [], newer: [] };
    }
  }

  /** Try once more to write what is only in memory. @returns {boolean} whether all of it is written now */
  retry() {
    for (const record of this.#unsaved.values()) if (this.#write(record)) return false;
    return true;
  }

  /** Forget what was put aside; the student was asked. */
  dropAside() {
    for (const { key } of this.health().aside) this.#setting.backend().removeItem(key);
    this.#tell({ kind: null, id: null, record: null, origin: "here" });
  }

  /** Everything of this student, for a file. @returns {import("./lib/transfer.js").Export} */
  exportAll() {
    return pack(this.#setting.course, KINDS.flatMap((kind) => this.list(kind)), this.health().aside);
  }

  /**
   * Take in what `exportAll` gave. What is newer here stays, and what it replaces is kept in `was`.
   * @param {unknown} parsed a parsed export
   * @returns {import("./lib/transfer.js").ImportReport}
   */
  importAll(parsed) {
    const { writes, report } = planImport(this.#setting.course, parsed, (kind, id) => this.get(kind, id));
    for (const record of writes) {
      const reason = this.#write(record);
      if (reason) report.unwritten.push(`${record.kind}/${record.id}`);
    }
    this.#tell({ kind: null, id: null, record: null, origin: "here" });
    return report;
  }

  /** @param {Kind} kind @param {string} id */
  #key(kind, id) {
    return `${this.#setting.course}/${kind}/${id}`;
  }

  /** @param {string} prefix @returns {string[]} the stored keys that start so; none where storage is off */
  #keys(prefix) {
    try {
      const backend = this.#setting.backend();
      const keys = Array.from({ length: backend.length }, (_, i) => backend.key(i) ?? "");
      return keys.filter((key) => key.startsWith(prefix)).sort();
    } catch (error) {
      this.#fault(error);
      return [];
    }
  }

  /** @returns {{ kind: Kind, id: string, key: string }[]} */
  #items() {
    return this.#keys(this.#setting.course + "/").flatMap((key) => {
      const item = readKey(this.#setting.course, key);
      return item ? [{ ...item, key }] : [];
    });
  }

  /** @param {Kind} kind @param {string} id @returns {StoredRecord | null} */
  #stored(kind, id) {
    const key = this.#key(kind, id);
    try {
      const backend = this.#setting.backend();
      const text = backend.getItem(key);
      if (text === null) return null;
      const reading = readRecord(kind, id, text);
      if ("record" in reading) return reading.record;
      if ("broken" in reading) this.#moveAside(backend, key, text);
    } catch (error) {
      this.#fault(error);
    }
    return null;
  }

  /** Nothing is thrown away: where it can't be copied, it stays. @param {Backend} backend @param {string} key @param {string} text */
  #moveAside(backend, key, text) {
    const base = `${this.#setting.course}/aside/${key.slice(this.#setting.course.length + 1)}`;
    let place = base;
    for (let i = 2; backend.getItem(place) !== null && backend.getItem(place) !== text; i += 1) place = `${base}/${i}`;
    backend.setItem(place, text);
    if (backend.getItem(place) === text) backend.removeItem(key);
  }

  /** @param {Kind} kind @param {string} id @param {string | null} text */
  #isNewer(kind, id, text) {
    return text !== null && "newer" in readRecord(kind, id, text);
  }

  /** Write and read back; what fails is kept in memory. @param {StoredRecord} record @returns {Reason | null} why it isn't stored */
  #write(record) {
    const key = this.#key(record.kind, record.id);
    const text = JSON.stringify(record);
    try {
      const backend = this.#setting.backend();
      const there = backend.getItem(key);
      const reading = there === null ? null : readRecord(record.kind, record.id, there);
      if (reading && "newer" in reading) return "newer";
      if (there !== null && reading && "broken" in reading) this.#moveAside(backend, key, there);
      backend.setItem(key, text);
      if (backend.getItem(key) !== text) return this.#hold(key, record, "unverified");
    } catch (error) {
      return this.#hold(key, record, faultOf(error));
    }
    this.#unsaved.delete(key);
    if (this.#unsaved.size === 0) this.#state = "ok";
    return null;
  }

  /** @template {Fault} F @param {string} key @param {StoredRecord} record @param {F} fault @returns {F} */
  #hold(key, record, fault) {
    this.#unsaved.set(key, record);
    this.#state = fault;
    return fault;
  }

  /** @param {unknown} error */
  #fault(error) {
    this.#state = faultOf(error);
  }

  /** @param {Parameters<Hear>[0]} event */
  #hear({ key, newValue }) {
    if (key === null) return this.#tell({ kind: null, id: null, record: null, origin: "elsewhere" });
    const item = readKey(this.#setting.course, key);
    if (!item) return;
    const reading = newValue === null ? null : readRecord(item.kind, item.id, newValue);
    this.#tell({ kind: item.kind, id: item.id, record: reading && "record" in reading ? reading.record : null, origin: "elsewhere" });
  }

  /** @param {Change} change */
  #tell(change) {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

/** The student's own store, in this browser. */
export const store = new Store({
  course: "inside-the-batch",
  backend: () => globalThis.localStorage,
  now: () => Date.now(),
  listen: (hear) => {
    globalThis.addEventListener?.("storage", (event) => {
      if (event.storageArea === null || event.storageArea === globalThis.localStorage) hear(event);
    });
  },
});
