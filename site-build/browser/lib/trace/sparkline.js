/** A small line over time, with the moment marked. */
import { svg } from "./parts.js";

const WIDTH = 160;
const HEIGHT = 32;
const POINTS = 160;

/** @typedef {{ x: (place: number) => number, y: (place: number) => number, count: number, top: number }} Line `x` and `y` of a place; x runs from 0 to 1 */

/** A line that steps from value to value. Of places that share a pixel the extremes are kept. */
export class Sparkline {
  #path = svg("path", { class: "line" });
  #area = svg("path", { class: "area" });
  #now = svg("path", { class: "now", d: "" });
  node = svg("svg", { viewBox: `0 -3 ${WIDTH} ${HEIGHT + 6}`, class: "spark", "aria-hidden": "true", preserveAspectRatio: "none" }, this.#area, this.#path, this.#now);

  /** @param {Line} line */
  draw({ x, y, count, top }) {
    const scale = (/** @type {number} */ value) => round(HEIGHT * (1 - (top ? value / top : 0)));
    let d = "";
    let [column, low, high, last] = [-1, 0, 0, 0];
    const flush = () => {
      if (column < 0) return;
      const at = round((column * WIDTH) / POINTS);
      d += `${d ? "H" : "M"}${at}${d ? "" : ` ${scale(low)}`}${d ? `V${scale(low)}` : ""}V${scale(high)}V${scale(last)}`;
    };
    for (let place = 0; place < count; place += 1) {
      const here = Math.min(POINTS - 1, Math.floor(x(place) * POINTS));
      const value = y(place);
      if (Number.isNaN(value)) continue;
      if (here !== column) {
        flush();
        [column, low, high] = [here, value, value];
      }
      low = Math.min(low, value);
      high = Math.max(high, value);
      last = value;
    }
    flush();
    if (d) d += `H${WIDTH}`;
    this.#path.setAttribute("d", d);
    this.#area.setAttribute("d", d ? `${d}V${HEIGHT}H${/^M([\d.]+)/.exec(d)?.[1] ?? 0}Z` : "");
  }

  /** @param {number} x from 0 to 1 */
  mark(x) {
    const at = round(Math.max(0, Math.min(1, x)) * WIDTH);
    this.#now.setAttribute("d", `M${at} -3V${HEIGHT + 3}`);
  }
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
