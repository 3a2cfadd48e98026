/**
 * What the lab tells the page around it, as `postMessage({ courseLab: state })`, whenever it changes.
 *
 * @typedef {object} LabState
 * @property {"loading" | "opening" | "ready" | "failed"} phase
 * @property {{ loaded: number, total: number }} progress of Python's start, in bytes as sent
 * @property {string} kernel JupyterLab's word: "starting", "idle", "busy", "restarting", "dead", …
 * @property {boolean} used whether a cell has run since Python started
 * @property {boolean} stuck only a restart helps: told to stop and still busy in one long call, or Python broke down
 * @property {"no" | "yes" | "failed"} unsaved
 * @property {string} notebook the open file's path
 * @property {string | null} lab the lab whose notebook it is; null for a copy or a snippet, which have no original
 * @property {boolean} away another tab works on this notebook
 * @property {boolean} undo whether the last *Start over* can be undone
 * @property {string} word what just happened, to be read out
 * @property {string} fault why the phase is "failed": "missing" or "failed", and the message
 */

/** @type {LabState} */
const state = {
  phase: "loading",
  progress: { loaded: 0, total: 0 },
  kernel: "starting",
  used: false,
  stuck: false,
  unsaved: "no",
  notebook: "",
  lab: null,
  away: false,
  undo: false,
  word: "",
  fault: "",
};

/** @type {Set<(state: Readonly<LabState>) => void>} */
const listeners = new Set();

/** @param {Partial<LabState>} change */
export function tell(change) {
  Object.assign(state, change);
  if (window.parent !== window) window.parent.postMessage({ courseLab: { ...state } }, location.origin);
  for (const listener of listeners) listener(state);
}

/** @returns {Readonly<LabState>} */
export const current = () => state;

/** @param {(state: Readonly<LabState>) => void} listener */
export const onState = (listener) => listeners.add(listener);
