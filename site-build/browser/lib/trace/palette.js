/** The look's colours as a canvas needs them: resolved, in the theme that stands, with fallbacks for a notebook. */
import { onScheme } from "../scheme.js";

/** `thin`: of what is too narrow for an outline. @typedef {{ fill: string, ink: string, line: string, thin: string }} Pencil */
/** @typedef {{ pencils: Pencil[], paper: string, sunk: string, grid: string, rule: string, edge: string, ink: string, soft: string, pen: string, penSoft: string, marker: string, bad: string }} Palette */

const PENCILS = [
  ["light-dark(#2f55a8,#5d7fe1)", "light-dark(#ffffff,#0d1512)", "light-dark(#1f3d80,#9bb6f7)"],
  ["light-dark(#f0b845,#f5cd4a)", "#16201b", "light-dark(#8a6209,#f8d985)"],
  ["light-dark(#27a89c,#29c4ac)", "#0d1512", "light-dark(#0d6a62,#8fe2d3)"],
  ["light-dark(#5e1048,#a1457f)", "#ffffff", "light-dark(#430a33,#d38bbd)"],
  ["light-dark(#9cd4ec,#c3f0fc)", "#16201b", "light-dark(#3b7793,#e2f6fe)"],
  ["light-dark(#e2611f,#e56527)", "#0d1512", "light-dark(#9c3c0c,#f3a07a)"],
];

const NAMES = /** @type {const} */ ({
  paper: ["raised", "light-dark(#fffffc,#1a221e)"],
  sunk: ["sunk", "light-dark(#eeefe4,#0c110f)"],
  grid: ["grid", "light-dark(#e7e9dc,#232d28)"],
  rule: ["rule", "light-dark(#d5d9c8,#303b35)"],
  edge: ["edge", "light-dark(#7d8570,#74827a)"],
  ink: ["ink", "light-dark(#16201b,#e9ece2)"],
  soft: ["ink-soft", "light-dark(#4b564f,#b0bab1)"],
  pen: ["pen", "light-dark(#1d4397,#a3beff)"],
  penSoft: ["pen-soft", "light-dark(#e3e9f4,#1e2a41)"],
  marker: ["marker", "light-dark(#f0b845,#f2bf3c)"],
  bad: ["bad", "light-dark(#a0330a,#ff9f72)"],
});

/** Where the reader's system gives all colours, those are used: shapes and letters tell the rest. @type {Palette} */
const FORCED = {
  pencils: Array.from({ length: 6 }, () => ({ fill: "Canvas", ink: "CanvasText", line: "CanvasText", thin: "CanvasText" })),
  ...{ paper: "Canvas", sunk: "Canvas", grid: "Canvas", rule: "GrayText", edge: "CanvasText", ink: "CanvasText" },
  ...{ soft: "CanvasText", pen: "Highlight", penSoft: "Canvas", marker: "Highlight", bad: "CanvasText" },
};

const forced = matchMedia("(forced-colors: active)");
export const printed = matchMedia("print");

/** @param {HTMLElement} probe an element of the player, out of sight @returns {Palette} */
export function paletteAt(probe) {
  probe.style.cssText = `forced-color-adjust: none; ${printed.matches ? "color-scheme: light" : ""}`;
  const style = getComputedStyle(probe);
  const colour = (/** @type {string} */ value) => {
    probe.style.color = value;
    return style.color;
  };
  if (forced.matches) return resolved(FORCED, colour);
  const named = Object.entries(NAMES).map(([name, [token, fallback]]) => [name, `var(--course-${token}, ${fallback})`]);
  const pencils = PENCILS.map(([fill, ink, line], place) => {
    const token = `--course-request-${place + 1}`;
    return { fill: `var(${token}, ${fill})`, ink: `var(${token}-ink, ${ink})`, line: `var(${token}-line, ${line})`, thin: `var(${token}, ${fill})` };
  });
  return resolved({ ...Object.fromEntries(named), pencils }, colour);
}

/** @param {Palette} palette @param {(value: string) => string} colour @returns {Palette} */
function resolved({ pencils, ...named }, colour) {
  const plain = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, colour(value)]));
  const all = pencils.map(({ fill, ink, line, thin }) => ({ fill: colour(fill), ink: colour(ink), line: colour(line), thin: colour(thin) }));
  return /** @type {Palette} */ ({ ...plain, pencils: all });
}

/** Call when colours may have changed: another theme, forced colours, a printer. @param {() => void} changed @param {AbortSignal} signal */
export function onPalette(changed, signal) {
  onScheme(changed, signal);
  for (const query of [forced, printed]) query.addEventListener("change", changed, { signal });
}
