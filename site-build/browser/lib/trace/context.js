/** What the player hands to each of its views. */

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {{ step: number, at: number }} Moment a place in `model.steps` (-1 before the first, or without steps), and a time */
/** @typedef {{ request: number, block: number }} Choice places; -1 for none. A chosen block stands for all who hold it */
/**
 * @typedef {object} ViewContext
 * @property {TraceModel} model
 * @property {Choice} choice what is chosen now; `show` is called after it changed
 * @property {(choice: Choice) => void} choose
 * @property {(moment: Moment) => void} go
 * @property {AbortSignal} signal aborted when the view goes
 */
/** @typedef {{ node: HTMLElement, show: (moment: Moment) => void, resize?: () => void, destroy: () => void }} View */

export {};
