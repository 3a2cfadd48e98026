/** The views of a trace, in the order in which they are offered: a new one is a line here. */
import * as timeline from "./timeline.js";
import * as timelineWords from "./timeline-words.js";

/**
 * @typedef {{
 *   title: string,
 *   create: (context: import("./panels.js").Context) => import("./panels.js").View,
 *   words: (model: import("./model.js").TraceModel, moment: import("./clock.js").Moment, choice: import("./panels.js").Choice,
 *     other: import("./model.js").TraceModel | null) => import("./language.js").Words,
 *   pairs?: boolean,
 * }} ViewKind `pairs`: offered only where two traces are open
 */

/** @type {Readonly<Record<string, ViewKind>>} */
export const VIEWS = Object.freeze({
  timeline: { title: "Timeline", create: timeline.create, words: timelineWords.words },
});
