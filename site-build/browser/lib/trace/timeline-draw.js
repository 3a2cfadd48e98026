/**
 * The timeline's picture on a canvas: only the rows that are seen, so that ten thousand cost as little as ten.
 *
 * A kind of span is told by its shape and its letter, the pencil tells the request: waiting is a thin dotted line, a
 * chunk of a prompt a full bar, decoding a lower one, lost blocks a hatched frame, what is computed again a striped bar.
 */
import { END } from "./codes.js";
import { SPAN_KINDS } from "./spans.js";
import { grid, lost, now, ruler } from "./timeline-axis.js";
import { RULER, ticks } from "./timeline-frame.js";
import { dots, hatch, text } from "./timeline-strokes.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./timeline-frame.js").Frame} Frame */
/** @typedef {{ moment: import("./clock.js").Moment, chosen: number | null, cursor: number, hover: number, focused: boolean, lit: Set<number> | null }} Looks */

const [QUEUE, , DECODE, PREEMPTED, RECOMPUTE] = SPAN_KINDS.keys();
const LETTERS = ["", "P", "D", "", "R"];
const LETTER_ROOM = 15;
const BEYOND = 4;
/** How a request ended, at its end. @type {Record<number, string>} */
const ENDS = { [END.finished]: "", [END.timed_out]: "T", [END.rejected]: "✕", [END.cancelled]: "C" };

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {Looks} looks */
export function draw(pen, frame, palette, looks) {
  pen.clearRect(0, 0, frame.width, frame.height);
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, frame.width, frame.height);
  pen.textBaseline = "middle";
  pen.lineJoin = "miter";
  const marks = ticks(frame, 64);
  const first = Math.max(0, frame.row(RULER));
  const last = Math.min(frame.model.requests.count, Math.ceil((frame.height - RULER + frame.top) / frame.rowHeight));
  bands(pen, frame, palette, looks, first, last);
  plot(pen, frame, () => {
    grid(pen, frame, palette, marks);
    now(pen, frame, palette, looks.moment);
    lost(pen, frame, palette);
  });
  for (let request = first; request < last; request += 1) row(pen, frame, palette, looks, request);
  ruler(pen, frame, palette, marks, looks.moment);
}

/** Draw nothing outside the plot. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {() => void} inside */
function plot(pen, frame, inside) {
  pen.save();
  pen.beginPath();
  pen.rect(frame.gutter, RULER, frame.width - frame.gutter, frame.height - RULER);
  pen.clip();
  inside();
  pen.restore();
}

/** The ground of every other row, and of the chosen one. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {Looks} looks @param {number} first @param {number} last */
function bands(pen, frame, palette, { chosen, lit }, first, last) {
  for (let request = first; request < last; request += 1) {
    const isLit = request === chosen || lit?.has(request);
    if (!isLit && request % 2 === 0) continue;
    pen.globalAlpha = isLit ? 1 : 0.35;
    pen.fillStyle = isLit ? palette.penSoft : palette.grid;
    pen.fillRect(0, frame.y(request), frame.width, frame.rowHeight);
    pen.globalAlpha = 1;
    if (!isLit) continue;
    pen.fillStyle = palette.pen;
    pen.fillRect(0, frame.y(request), 3, frame.rowHeight);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {Looks} looks @param {number} request */
function row(pen, frame, palette, looks, request) {
  const { model } = frame;
  const y = frame.y(request);
  const pencil = palette.pencils[request % palette.pencils.length];
  name(pen, frame, palette, pencil, request, y);
  plot(pen, frame, () => {
    let drawn = -Infinity;
    for (let place = model.requests.firstSpan[request]; place >= 0; place = model.spans.next[place]) {
      const [from, to] = frame.extent(place);
      if (to < frame.from) continue;
      if (from > frame.to) break;
      // Cut to what is seen and a little more, so that a letter stands in the middle of that.
      const x = Math.max(frame.x(from), frame.gutter - BEYOND);
      const width = Math.max(Math.min(frame.x(to), frame.width + BEYOND) - x, 1.5);
      // Thousands of chunks may share a pixel.
      if (x + width <= drawn + 0.5) continue;
      drawn = x + width;
      span(pen, palette, pencil, model.spans.kind[place], x, y, width, frame.rowHeight);
      if (place === looks.cursor || place === looks.hover) outline(pen, palette, x, y, width, frame.rowHeight, place === looks.cursor && looks.focused);
    }
    ending(pen, frame, palette, request, y);
  });
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {import("./palette.js").Pencil} pencil @param {number} request @param {number} y */
function name(pen, frame, palette, pencil, request, y) {
  const middle = y + frame.rowHeight / 2;
  pen.fillStyle = pencil.fill;
  pen.fillRect(10, middle - 5, 10, 10);
  pen.strokeStyle = pencil.line;
  pen.lineWidth = 1;
  pen.strokeRect(10.5, middle - 4.5, 9, 9);
  pen.save();
  pen.beginPath();
  pen.rect(26, y, frame.gutter - 30, frame.rowHeight);
  pen.clip();
  text(pen, fitting(frame.model.requests.ids[request], frame.gutter - 30), 26, middle + 1, palette.ink, "left", 13);
  pen.restore();
}

/** A name, or its end, where names mostly differ. @param {string} id @param {number} width */
function fitting(id, width) {
  const most = Math.floor(width / 7.5);
  return id.length <= most ? id : `…${id.slice(1 - most)}`;
}

/** @param {CanvasRenderingContext2D} pen @param {Palette} palette @param {import("./palette.js").Pencil} pencil @param {number} kind @param {number} x @param {number} y @param {number} width @param {number} height of the row */
function span(pen, palette, pencil, kind, x, y, width, height) {
  const full = Math.max(height - 6, height / 2);
  if (kind === QUEUE) return dots(pen, palette.soft, x, y + height / 2, width);
  if (kind === PREEMPTED) {
    const flat = Math.max(full - 6, 1);
    hatch(pen, palette.bad, x, y + (height - flat) / 2, width, flat, 6);
    pen.strokeStyle = palette.bad;
    pen.lineWidth = 1;
    pen.strokeRect(x + 0.5, y + (height - flat) / 2 + 0.5, Math.max(width - 1, 0.5), Math.max(flat - 1, 0.5));
    if (width > LETTER_ROOM) badge(pen, palette, x + width / 2, y + height / 2);
    return;
  }
  const low = kind === DECODE ? full * 0.62 : full;
  const top = y + (height - low) / 2;
  const inset = width > 3 ? 0.5 : 0;
  // Stripes are seen without an outline.
  pen.fillStyle = width > 3 || kind === RECOMPUTE ? pencil.fill : pencil.thin;
  pen.fillRect(x + inset, top, width - 2 * inset, low);
  if (kind === RECOMPUTE) stripes(pen, pencil.ink, x + inset, top, width - 2 * inset, low);
  if (width > 3) {
    pen.strokeStyle = pencil.line;
    pen.lineWidth = 1;
    pen.strokeRect(x + 1, top + 0.5, width - 2, low - 1);
  }
  if (width < LETTER_ROOM) return;
  if (kind === RECOMPUTE) {
    pen.fillStyle = pencil.fill;
    pen.fillRect(x + width / 2 - 6, top + 1, 12, low - 2);
  }
  text(pen, LETTERS[kind], x + width / 2, y + height / 2 + 1, pencil.ink, "center", kind === DECODE ? 11 : 12, true);
}

/** The sign of lost blocks. @param {CanvasRenderingContext2D} pen @param {Palette} palette @param {number} x @param {number} y */
function badge(pen, palette, x, y) {
  pen.fillStyle = palette.paper;
  pen.fillRect(x - 6, y - 6, 12, 12);
  text(pen, "✕", x, y + 1, palette.bad, "center", 12, true);
}

/** @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} x @param {number} y @param {number} width @param {number} height */
function stripes(pen, colour, x, y, width, height) {
  pen.save();
  pen.globalAlpha = 0.75;
  hatch(pen, colour, x, y, width, height, 5, 1.5);
  pen.restore();
}

/** How a request ended. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {number} request @param {number} y */
function ending(pen, frame, palette, request, y) {
  const { requests } = frame.model;
  const how = requests.end[request];
  if (how === END.none) return;
  const at = frame.bySteps ? requests.endedStep[request] : requests.ended[request];
  if (at < frame.from || at > frame.to) return;
  const x = frame.x(at);
  const sign = ENDS[how];
  pen.fillStyle = sign ? palette.bad : palette.ink;
  pen.fillRect(x - 1.5, y + 2, 3, frame.rowHeight - 4);
  if (sign) text(pen, sign, x + 5, y + frame.rowHeight / 2 + 1, palette.bad, "left", 12, true);
}

/** @param {CanvasRenderingContext2D} pen @param {Palette} palette @param {number} x @param {number} y @param {number} width @param {number} height @param {boolean} strong */
function outline(pen, palette, x, y, width, height, strong) {
  pen.strokeStyle = strong ? palette.pen : palette.ink;
  pen.lineWidth = strong ? 3 : 1.5;
  pen.strokeRect(x - 1.5, y + 1.5, width + 3, height - 3);
}
