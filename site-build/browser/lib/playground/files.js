/** Files that a student opens, by the button or by dropping them: their bytes, and the `meta.json` beside a recording. */
import { MOST_BYTES, TEXT } from "./words.js";

/** @typedef {{ name: string, bytes: Uint8Array, beside: object | null, isCut: boolean }} Opened */

/** @param {File} file @param {number} most @returns {Promise<Uint8Array>} */
const read = async (file, most) => new Uint8Array(await file.slice(0, most).arrayBuffer());

/** @param {Uint8Array} bytes */
const isPacked = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** What is there up to its last whole line. @param {Uint8Array} bytes */
function wholeLines(bytes) {
  const end = bytes.lastIndexOf(10);
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

/** @param {string} message */
const unreadable = (message) => Object.assign(new Error(message), { reason: "file" });

/** @param {readonly File[]} files one, or a recording's two @returns {Promise<Opened>} rejects with an `Error` whose `reason` is "file" */
export async function openFiles(files) {
  const meta = files.length > 1 ? files.find(({ name }) => name === "meta.json") : undefined;
  const file = files.find((one) => one !== meta);
  if (!file?.size) throw unreadable(`${file?.name ?? "meta.json"}: is empty; expected a workload or a trace`);
  const bytes = await read(file, MOST_BYTES);
  const isCut = bytes.length < file.size;
  if (isCut && isPacked(bytes)) throw unreadable(TEXT.tooLarge(file.name, file.size));
  return { name: file.name, bytes: isCut ? wholeLines(bytes) : bytes, beside: meta ? parsed(meta.name, await meta.text()) : null, isCut };
}

/** @param {string} name @param {string} text @returns {object} */
function parsed(name, text) {
  try {
    const value = JSON.parse(text);
    if (value && typeof value === "object" && !Array.isArray(value)) return value;
  } catch (error) {
    throw unreadable(`${name}: no JSON: ${/** @type {Error} */ (error).message}`);
  }
  throw unreadable(`${name}: expected an object, { … }`);
}

/**
 * Take files that are dropped on `place`, which is marked while they are over it.
 * @param {HTMLElement} place @param {(files: File[]) => void} take @param {AbortSignal} signal
 */
export function onDrop(place, take, signal) {
  let depth = 0;
  const mark = (/** @type {number} */ change) => {
    depth = Math.max(0, depth + change);
    place.toggleAttribute("data-over", depth > 0);
  };
  const holdsFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") === true;
  place.addEventListener("dragenter", (event) => holdsFiles(event) && mark(1), { signal });
  place.addEventListener("dragleave", (event) => holdsFiles(event) && mark(-1), { signal });
  place.addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault(), { signal });
  place.addEventListener(
    "drop",
    (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      mark(-depth);
      take([...(event.dataTransfer?.files ?? [])]);
    },
    { signal },
  );
}
