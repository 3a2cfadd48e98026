/** What the timeline's axis draws: its ruler and lines, the moment, and stretches that a live link lost. */
import { number } from "./language.js";
import { RULER, tickWords } from "./timeline-frame.js";
import { hatch, text } from "./timeline-strokes.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./timeline-frame.js").Frame} Frame */

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {number[]} marks */
export function grid(pen, frame, palette, marks) {
  pen.fillStyle = palette.rule;
  for (const value of marks) pen.fillRect(Math.round(frame.x(value)), RULER, 1, frame.height);
}

/** The moment: its step as a band, or its time as a line. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {import("./clock.js").Moment} moment */
export function now(pen, frame, palette, moment) {
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
export function lost(pen, frame, palette) {
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

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette @param {number[]} marks @param {import("./clock.js").Moment} moment */
export function ruler(pen, frame, palette, marks, moment) {
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
