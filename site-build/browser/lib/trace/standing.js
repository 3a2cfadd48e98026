/** How things stand at a step, made once for all views that show it. */
import { stateAt } from "./state.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./state.js").State} State */

/** @type {WeakMap<TraceModel, { version: number, state: State }>} */
const latest = new WeakMap();

/** @param {TraceModel} model @param {number} step @returns {State} to be read and not changed: others read it too */
export function standingAt(model, step) {
  const kept = latest.get(model);
  if (kept && kept.version === model.version && kept.state.step === step) return kept.state;
  const state = stateAt(model, step);
  latest.set(model, { version: model.version, state });
  return state;
}
