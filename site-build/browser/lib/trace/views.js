/** The views of a trace, in the order in which they are offered: a new one is a line here. */
import * as blocks from "./blocks.js";
import * as blocksWords from "./blocks-words.js";
import * as compare from "./compare.js";
import * as compareWords from "./compare-words.js";
import * as meters from "./meters.js";
import * as metersWords from "./meters-words.js";
import * as prefix from "./prefix.js";
import * as prefixWords from "./prefix-words.js";
import * as queue from "./queue.js";
import * as queueWords from "./queue-words.js";
import * as timeline from "./timeline.js";
import * as timelineWords from "./timeline-words.js";
import * as why from "./why.js";
import * as whyWords from "./why-words.js";

/**
 * @typedef {{
 *   title: string,
 *   create: (context: import("./panels.js").Context) => import("./panels.js").View,
 *   words: (model: import("./model.js").TraceModel, moment: import("./clock.js").Moment, choice: import("./panels.js").Choice,
 *     other: import("./model.js").TraceModel | null, view: { each?: number }) => import("./language.js").Words,
 *   pairs?: boolean,
 * }} ViewKind `pairs`: offered only where two traces are open
 */

/** @type {Readonly<Record<string, ViewKind>>} */
export const VIEWS = Object.freeze({
  compare: { title: "Compare", create: compare.create, words: compareWords.words, pairs: true },
  timeline: { title: "Timeline", create: timeline.create, words: timelineWords.words },
  blocks: { title: "Blocks", create: blocks.create, words: blocksWords.words },
  prefix: { title: "Shared prefixes", create: prefix.create, words: prefixWords.words },
  queue: { title: "Queue and batch", create: queue.create, words: queueWords.words },
  meters: { title: "Meters", create: meters.create, words: metersWords.words },
  why: { title: "Why?", create: why.create, words: whyWords.words },
});
