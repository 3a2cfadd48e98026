/** A local storage of one's own, shared by as many tabs as a test wants, with faults on demand. */
import { Store } from "../../../site-build/browser/store.js";

export function memoryStorage(entries = {}) {
  const map = new Map(Object.entries(entries));
  const tabs = new Set();
  const limit = { bytes: Infinity };
  const backendFor = (tab) => ({
    get length() {
      return map.size;
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem(key, value) {
      const others = [...map].reduce((sum, [k, v]) => sum + (k === key ? 0 : v.length), 0);
      if (others + value.length > limit.bytes) throw new DOMException("no room", "QuotaExceededError");
      map.set(key, value);
      tell(tab, key, value);
    },
    removeItem(key) {
      if (map.delete(key)) tell(tab, key, null);
    },
  });
  const tell = (from, key, newValue) => tabs.forEach((tab) => tab !== from && tab.hear({ key, newValue }));
  const openTab = () => {
    const tab = { hear: () => {} };
    tabs.add(tab);
    return { tab, backend: backendFor(tab) };
  };
  return { map, limit, openTab };
}

/** A tab's store on that storage. Its clock stands unless it is moved. */
export function openStore(storage, clock = { now: 1000 }, wrap = (backend) => backend) {
  const { tab, backend } = storage.openTab();
  const wrapped = wrap(backend);
  return new Store({
    course: "course",
    backend: typeof wrapped === "function" ? wrapped : () => wrapped,
    now: () => clock.now,
    listen: (hear) => {
      tab.hear = hear;
    },
  });
}

/** What stands under a key, parsed. */
export const raw = (storage, key) => JSON.parse(storage.map.get(key));
