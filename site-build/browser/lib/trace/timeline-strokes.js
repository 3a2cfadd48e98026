/** Strokes that the timeline's picture is made of: words, dots, slanting lines. */

/** The player's face, as a canvas names it. */
export const FACE = '"Hanken Grotesk", "Segoe UI", system-ui, sans-serif';

/** @param {CanvasRenderingContext2D} pen @param {string} words @param {number} x @param {number} y @param {string} colour @param {CanvasTextAlign} align @param {number} size @param {boolean} [bold] */
export function text(pen, words, x, y, colour, align, size, bold = false) {
  pen.font = `${bold ? 700 : 500} ${size}px ${FACE}`;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(words, x, y);
}

/** @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} x @param {number} y @param {number} width */
export function dots(pen, colour, x, y, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.setLineDash([2, 3]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + width, y);
  pen.stroke();
  pen.setLineDash([]);
}

/** Slanting lines that stand still while the picture is panned. @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} x @param {number} y @param {number} width @param {number} height @param {number} gap @param {number} [thick] */
export function hatch(pen, colour, x, y, width, height, gap, thick = 1) {
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
