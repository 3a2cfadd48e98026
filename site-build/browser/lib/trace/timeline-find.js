/** Which span or row is meant: under a pointer, at a moment, beside another. */
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

/** Who runs in a moment, from the first row to the last; null where nobody does. @param {TraceModel} model @param {Moment} moment */
export function runningRows({ steps, rows }, { step }) {
  if (step < 0 || steps.rowStart[step] === steps.rowStart[step + 1]) return null;
  let [first, last] = [Infinity, -1];
  for (let row = steps.rowStart[step]; row < steps.rowStart[step + 1]; row += 1) {
    first = Math.min(first, rows.request[row]);
    last = Math.max(last, rows.request[row]);
  }
  return { first, last };
}

/** Whether those who run are in sight: all of them where they fit, else one. @param {Frame} frame @param {Moment} moment @param {{ first: number, last: number }} running */
export function isInSight(frame, { step }, { first, last }) {
  const { steps, rows } = frame.model;
  const top = frame.top / frame.rowHeight;
  const seen = seenRows(frame);
  if (last - first < seen - 2) return first >= top && last + 1 <= top + seen;
  return rows.request.subarray(steps.rowStart[step], steps.rowStart[step + 1]).some((request) => request >= top && request < top + seen - 1);
}
