/**
 * The timeline's picture on a canvas: only the rows that are seen, so that ten thousand cost as little as ten.
 *
 * A kind of span is told by its shape and its letter, the pencil tells the request: waiting is a thin dotted line, a
 * chunk of a prompt a full bar, decoding a lower one, lost blocks a hatched frame, what is computed again a striped bar.
 */
import { END } from "./codes.js";
import { number } from "./language.js";
import { SPAN_KINDS } from "./spans.js";
import { RULER, tickWords, ticks } from "./timeline-frame.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./timeline-frame.js").Frame} Frame */
/** @typedef {{ moment: import("./clock.js").Moment, chosen: number | null, cursor: number, hover: number, focused: boolean, lit: Set<number> | null }} Looks */

const [QUEUE, PREFILL, DECODE, PREEMPTED, RECOMPUTE] = SPAN_KINDS.keys();
const LETTERS = ["", "P", "D", "", "R"];
const LETTER_ROOM = 15;
/** How a request ended, at its end. @type {Record<number, string>} */
const ENDS = { [END.finished]: "", [END.timed_out]: "T", [END.rejected]: "✕", [END.cancelled]: "C" };
const FONT = '"Hanken Grotesk", "Segoe UI", system-ui, sans-serif';

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

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {number[]} marks */
function grid(pen, frame, palette, marks) {
  pen.fillStyle = palette.rule;
  for (const value of marks) pen.fillRect(Math.round(frame.x(value)), RULER, 1, frame.height);
}

/** The moment: its step as a band, or its time as a line. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {import("./clock.js").Moment} moment */
function now(pen, frame, palette, moment) {
  const [from, to] = nowAt(frame, moment);
  pen.globalAlpha = 0.3;
  pen.fillStyle = palette.marker;
  pen.fillRect(frame.x(from), RULER, Math.max(2, frame.x(to) - frame.x(from)), frame.height);
  pen.globalAlpha = 1;
}

/** @param {Frame} frame @param {import("./clock.js").Moment} moment @returns {[number, number]} */
export function nowAt({ model, bySteps }, { step, at }) {
  if (step < 0) return bySteps ? [0, 0] : [at, at];
  return bySteps ? [step, step + 1] : [at, at + model.steps.duration[step]];
}

/** What a live link lost. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette */
function lost(pen, frame, palette) {
  if (frame.bySteps) return;
  for (const { from, to } of frame.model.gaps) {
    const x = frame.x(from);
    const width = Math.max(3, frame.x(to) - x);
    pen.fillStyle = palette.sunk;
    pen.fillRect(x, RULER, width, frame.height);
    hatch(pen, palette.edge, x, RULER, width, frame.height, 8);
    if (width > 40) text(pen, "lost", x + width / 2, RULER + 12, palette.ink, "center", 11);
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
      const x = frame.x(from);
      const width = Math.max(frame.x(to) - x, 1.5);
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
  const full = height - 6;
  if (kind === QUEUE) return dots(pen, palette.soft, x, y + height / 2, width);
  if (kind === PREEMPTED) {
    hatch(pen, palette.bad, x, y + 6, width, full - 6, 6);
    pen.strokeStyle = palette.bad;
    pen.lineWidth = 1;
    pen.strokeRect(x + 0.5, y + 6.5, Math.max(width - 1, 0.5), full - 7);
    if (width > LETTER_ROOM) badge(pen, palette, x + width / 2, y + height / 2);
    return;
  }
  const low = kind === DECODE ? full * 0.62 : full;
  const top = y + (height - low) / 2;
  const inset = width > 3 ? 0.5 : 0;
  pen.fillStyle = pencil.fill;
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

/** @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} x @param {number} y @param {number} width */
function dots(pen, colour, x, y, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.setLineDash([2, 3]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + width, y);
  pen.stroke();
  pen.setLineDash([]);
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

/** Slanting lines that stand still while the picture is panned. @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} x @param {number} y @param {number} width @param {number} height @param {number} gap @param {number} [thick] */
function hatch(pen, colour, x, y, width, height, gap, thick = 1) {
  // What lies outside the canvas needs no lines, and a stretch may be a million pixels long.
  const left = Math.max(x, 0);
  const right = Math.min(x + width, pen.canvas.width);
  if (right <= left) return;
  pen.save();
  pen.beginPath();
  pen.rect(left, y, right - left, height);
  pen.clip();
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.beginPath();
  for (let at = left - height - ((left - x) % gap); at < right; at += gap) {
    pen.moveTo(at, y + height);
    pen.lineTo(at + height, y);
  }
  pen.stroke();
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

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {number[]} marks @param {import("./clock.js").Moment} moment */
function ruler(pen, frame, palette, marks, moment) {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, frame.width, RULER);
  pen.fillStyle = palette.edge;
  pen.fillRect(0, RULER - 1, frame.width, 1);
  const unit = frame.bySteps ? "step" : frame.model.header.unit;
  text(pen, unit === "step" ? "step" : "time", 10, RULER / 2, palette.soft, "left", 12);
  for (const value of marks) {
    const x = frame.x(value);
    const label = unit === "step" ? number(frame.bySteps ? (frame.model.steps.index[value] ?? value) : value) : tickWords(value, marks[1] - marks[0]);
    if (x > frame.width - 20) continue;
    pen.fillStyle = palette.edge;
    pen.fillRect(Math.round(x), RULER - 6, 1, 6);
    text(pen, label, x + 3, RULER / 2 - 1, palette.soft, "left", 12);
  }
  const [from, to] = nowAt(frame, moment);
  const middle = frame.x((from + to) / 2);
  if (middle < frame.gutter - 1 || middle > frame.width) return;
  pen.fillStyle = palette.ink;
  pen.beginPath();
  pen.moveTo(middle - 6, RULER - 9);
  pen.lineTo(middle + 6, RULER - 9);
  pen.lineTo(middle, RULER);
  pen.fill();
}

/** @param {CanvasRenderingContext2D} pen @param {string} words @param {number} x @param {number} y @param {string} colour @param {CanvasTextAlign} align @param {number} size @param {boolean} [bold] */
function text(pen, words, x, y, colour, align, size, bold = false) {
  pen.font = `${bold ? 700 : 500} ${size}px ${FONT}`;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(words, x, y);
}
