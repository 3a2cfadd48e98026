/**
 * Records on a storage that may fail: written and read back, the damaged put aside, the newer left alone.
 * The storage is given; this module reaches for none.
 */
import { readKey, readRecord } from "./records.js";

/** @typedef {import("./records.js").Kind} Kind */
/** @typedef {import("./records.js").StoredRecord} StoredRecord */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} Backend */
/** @typedef {"off" | "full" | "unverified"} Fault */
/** @typedef {Fault | "newer"} Reason */
/** @typedef {{ key: string, text: string }} Aside */

/** @param {unknown} error @returns {Fault} */
function faultOf(error) {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  return /quota/i.test(name) ? "full" : "off";
}

export class Shelf {
  #course;
  #open;
  /** How the storage did when it was last needed. @type {"ok" | Fault} */
  state = "ok";

  /** @param {string} course the first part of every key @param {() => Backend} open may throw, on every call */
  constructor(course, open) {
    this.#course = course;
    this.#open = open;
  }

  /** @param {{ kind: Kind, id: string }} item */
  key({ kind, id }) {
    return `${this.#course}/${kind}/${id}`;
  }

  /** What a key of ours names. @param {string} key */
  item(key) {
    return readKey(this.#course, key);
  }

  /** @returns {{ kind: Kind, id: string, key: string }[]} everything stored, readable or not */
  items() {
    return this.#keys(`${this.#course}/`).flatMap((key) => {
      const item = this.item(key);
      return item ? [{ ...item, key }] : [];
    });
  }

  /** The item's record; one that is damaged is put aside. @param {Kind} kind @param {string} id @returns {StoredRecord | null} */
  read(kind, id) {
    return this.#try((backend) => {
      const reading = this.#look(backend, kind, id);
      return reading && "record" in reading ? reading.record : null;
    }, null);
  }

  /** @param {Kind} kind @param {string} id */
  isNewer(kind, id) {
    return this.#try((backend) => this.#holdsNewer(backend, kind, id), false);
  }

  /** Write and read back. @param {StoredRecord} record @returns {Reason | null} why it isn't stored */
  write(record) {
    const text = JSON.stringify(record);
    try {
      const backend = this.#open();
      if (this.#holdsNewer(backend, record.kind, record.id)) return "newer";
      backend.setItem(this.key(record), text);
      this.state = backend.getItem(this.key(record)) === text ? "ok" : "unverified";
    } catch (error) {
      this.state = faultOf(error);
    }
    return this.state === "ok" ? null : this.state;
  }

  /** @param {Kind} kind @param {string} id */
  remove(kind, id) {
    this.#try((backend) => {
      backend.removeItem(this.key({ kind, id }));
      this.state = "ok";
    }, undefined);
  }

  /** What was put aside, now or earlier. @returns {Aside[]} */
  aside() {
    const keys = this.#keys(`${this.#course}/aside/`);
    return this.#try((backend) => keys.map((key) => ({ key, text: backend.getItem(key) ?? "" })), []);
  }

  dropAside() {
    for (const { key } of this.aside()) this.#try((backend) => backend.removeItem(key), undefined);
  }

  /** @template T @param {(backend: Backend) => T} deed @param {T} otherwise @returns {T} */
  #try(deed, otherwise) {
    try {
      return deed(this.#open());
    } catch (error) {
      this.state = faultOf(error);
      return otherwise;
    }
  }

  /** @param {string} prefix */
  #keys(prefix) {
    return this.#try((backend) => {
      const keys = Array.from({ length: backend.length }, (_, i) => backend.key(i) ?? "");
      return keys.filter((key) => key.startsWith(prefix)).sort();
    }, /** @type {string[]} */ ([]));
  }

  /** @param {Backend} backend @param {Kind} kind @param {string} id */
  #holdsNewer(backend, kind, id) {
    const reading = this.#look(backend, kind, id);
    return reading !== null && "newer" in reading;
  }

  /** @param {Backend} backend @param {Kind} kind @param {string} id */
  #look(backend, kind, id) {
    const key = this.key({ kind, id });
    const text = backend.getItem(key);
    if (text === null) return null;
    const reading = readRecord(kind, id, text);
    if ("broken" in reading) this.#moveAside(backend, key, text);
    return reading;
  }

  /** Nothing is thrown away: what can't be copied stays, and the storage's complaint is passed on. @param {Backend} backend @param {string} key @param {string} text */
  #moveAside(backend, key, text) {
    const base = `${this.#course}/aside/${key.slice(this.#course.length + 1)}`;
    let place = base;
    for (let i = 2; backend.getItem(place) !== null && backend.getItem(place) !== text; i += 1) place = `${base}/${i}`;
    backend.setItem(place, text);
    if (backend.getItem(place) === text) backend.removeItem(key);
  }
}
