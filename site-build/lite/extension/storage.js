/** Whether the browser lets this site keep anything. */
import { COURSE } from "./course.js";
import { notice } from "./notice.js";

const TEXT = {
  off:
    "This browser's storage is switched off for this site. The lab works, but what you write is lost when you close " +
    "this page: download the notebook to keep it.",
};

/** @returns {Promise<boolean>} */
export function canStore() {
  return new Promise((resolve) => {
    try {
      const opening = indexedDB.open(`${COURSE}/can-store`);
      opening.onerror = () => resolve(false);
      opening.onsuccess = () => {
        opening.result.close();
        resolve(true);
      };
    } catch {
      resolve(false);
    }
  });
}

/** Have JupyterLite keep files in memory, and say so. @param {Record<string, any>} settings JupyterLite's */
export function useMemory(settings) {
  settings.enableMemoryStorage = true;
  for (const what of ["contents", "settings", "workspaces"]) settings[`${what}StorageDrivers`] = ["memoryStorageDriver"];
  notice("storage", TEXT.off);
}
