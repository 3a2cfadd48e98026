/** Which span or row is meant: under a pointer, at a moment, beside another. */
import { lastUpTo } from "./model.js";
import { nowAt } from "./timeline-axis.js";
import { RULER } from "./timeline-frame.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./clock.js").Moment} Moment */
/** @typedef {import("./timeline-frame.js").Frame} Frame */

/** A pointer this near to a span, in pixels, is on it: a short one couldn't be hit else. */
const NEAR = 4;

/** @param {Frame} frame @param {number} x @param {number} y @returns {number} the place of the span there, or -1 */
export function spanUnder(frame, x, y) {
  const { requests, spans } = frame.model;
  const request = frame.row(y);
  if (request < 0 || x < frame.gutter) return -1;
  let nearest = -1;
  let least = NEAR;
  for (let place = requests.firstSpan[request]; place >= 0; place = spans.next[place]) {
    const [from, to] = frame.extent(place);
    const away = Math.max(frame.x(from) - x, x - frame.x(to), 0);
    if (away < least) [least, nearest] = [away, place];
    if (away === 0) break;
  }
  return nearest;
}

/** The span of a request that a moment falls into, or the last before it, else its first. @param {Frame} frame @param {Moment} moment @param {number} request */
export function spanAtMoment(frame, moment, request) {
  const { requests, spans } = frame.model;
  const [from] = nowAt(frame, moment);
  let found = requests.firstSpan[request];
  for (let place = found; place >= 0; place = spans.next[place]) if (frame.extent(place)[0] <= from) found = place;
  return found;
}

/** The span after or before one of the same request, or -1. @param {TraceModel} model @param {number} place @param {1 | -1} way */
export function neighbour({ requests, spans }, place, way) {
  if (way > 0) return spans.next[place];
  let before = requests.firstSpan[spans.request[place]];
  if (before === place) return -1;
  while (spans.next[before] !== place) before = spans.next[before];
  return before;
}

/** How many rows there is room for. @param {Frame} frame */
export const seenRows = ({ height, rowHeight }) => (height - RULER) / rowHeight;

/** Who runs in a moment, in the order of their rows. @param {TraceModel} model @param {Moment} moment */
export function runningRows({ steps, rows }, { step }) {
  return step < 0 ? new Int32Array() : rows.request.slice(steps.rowStart[step], steps.rowStart[step + 1]).sort();
}

/** Whether those who run are in sight: all of them where they fit, else half as many as could be. @param {Frame} frame @param {Int32Array} running */
export function isInSight(frame, running) {
  const top = frame.top / frame.rowHeight;
  const seen = seenRows(frame);
  if (fit(frame, running)) return running[0] >= top && running[running.length - 1] + 1 <= top + seen;
  const before = (/** @type {number} */ row) => lastUpTo(running, running.length, Math.ceil(row) - 1);
  const some = before(top + seen - 1) - before(top);
  return some * 2 >= fullest(frame, running).some;
}

/** Whether there is room for all of them. @param {Frame} frame @param {Int32Array} running */
function fit(frame, running) {
  return running[running.length - 1] - running[0] < seenRows(frame) - 2;
}

/** The stretch of rows that fits and has the most of them: its first row, and how many. @param {Frame} frame @param {Int32Array} running */
export function fullest(frame, running) {
  const room = seenRows(frame) - 2;
  let found = { first: running[0], some: 0 };
  for (let from = 0, to = 0; from < running.length; from += 1) {
    while (to < running.length && running[to] - running[from] < room) to += 1;
    if (to - from > found.some) found = { first: running[from], some: to - from };
  }
  return found;
}
