/** The signs on buttons: small drawings that take the text's colour. */
import { svg } from "./parts.js";

/** Paths in a square of 16. */
const PATHS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  step: "M3 2.5v11l6.5-5.5zM10.5 2.5h2.5v11h-2.5z",
  back: "M13 2.5v11L6.5 8zM3 2.5h2.5v11H3z",
  next: "M2 3v10l6-5zM8 3v10l6-5z",
  previous: "M14 3v10L8 8zM8 3v10L2 8z",
  plus: "M7 3h2v4h4v2H9v4H7V9H3V7h4z",
  minus: "M3 7h10v2H3z",
  link: "M6.6 11.9 5.2 13.3a2.2 2.2 0 0 1-3.1-3.1l2.6-2.6a2.2 2.2 0 0 1 3.1 0l-1 1a.8.8 0 0 0-1.1 0l-2.6 2.6a.8.8 0 0 0 1.1 1.1l1.4-1.4zm2.8-7.8 1.4-1.4a2.2 2.2 0 0 1 3.1 3.1l-2.6 2.6a2.2 2.2 0 0 1-3.1 0l1-1a.8.8 0 0 0 1.1 0l2.6-2.6a.8.8 0 0 0-1.1-1.1l-1.4 1.4zM6 9l3-3 1 1-3 3z",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
