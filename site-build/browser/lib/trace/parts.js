/** Pieces that several views are made of: tables, rows of chips that the arrow keys walk, small lines over time. */
import { make } from "../dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Record<string, string | number>} [attributes] @param {...(Node | string)} children */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** A number and its unit stay in one line. */
const APART = /(\d) (?=(?:%|[mµn]?s)(?![\w]))/g;

/** Set text only where it changed, so that nothing is read out or laid out again for nothing. @param {Node} node @param {string} text */
export function say(node, text) {
  const whole = text.replace(APART, "$1\u00a0");
  if (node.textContent !== whole) node.textContent = whole;
}

/** @param {import("./language.js").Table} table @returns {HTMLElement} a table that scrolls sideways by itself */
export function tableNode({ caption, heads, rows }) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map(([first = "", ...rest]) =>
    make("tr", {}, make("th", { scope: "row" }, first), ...rest.map((text) => make("td", {}, text))));
  const table = make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body));
  return make("div", { class: "table", role: "group", tabindex: 0, "aria-label": caption }, table);
}

/**
 * One tab stop for many buttons: the arrow keys, Home and End walk among them.
 * @param {HTMLElement} holder @param {AbortSignal} signal
 */
export function roving(holder, signal) {
  const all = () => /** @type {HTMLElement[]} */ ([...holder.querySelectorAll("button")]);
  holder.addEventListener("keydown", (event) => {
    const buttons = all();
    const here = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    const there = here < 0 ? -1 : walk(event.key, here, buttons.length);
    if (there < 0) return;
    event.preventDefault();
    event.stopPropagation();
    one(buttons, there);
    buttons[there]?.focus();
  }, { signal });
  holder.addEventListener("focusin", (event) => {
    const here = all().indexOf(/** @type {HTMLElement} */ (event.target));
    if (here >= 0) one(all(), here);
  }, { signal });
}

/** See that just one of the buttons is a tab stop, after they were changed. @param {HTMLElement} holder */
export function oneStop(holder) {
  const buttons = /** @type {HTMLElement[]} */ ([...holder.querySelectorAll("button")]);
  one(buttons, Math.max(0, buttons.findIndex((each) => each.tabIndex === 0)));
}

/** @param {HTMLElement[]} buttons @param {number} stop */
function one(buttons, stop) {
  buttons.forEach((each, place) => {
    const wanted = place === stop ? 0 : -1;
    if (each.getAttribute("tabindex") !== String(wanted)) each.tabIndex = wanted;
  });
}

/** @param {string} key @param {number} here @param {number} count @returns {number} -1 for a key that isn't for us */
function walk(key, here, count) {
  if (key === "ArrowRight" || key === "ArrowDown") return Math.min(count - 1, here + 1);
  if (key === "ArrowLeft" || key === "ArrowUp") return Math.max(0, here - 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : -1;
}

/**
 * Put `wanted` in place with as few moves as it takes, so that the focus stays where it was.
 * @param {HTMLElement} holder @param {readonly Node[]} wanted
 */
export function arrange(holder, wanted) {
  const keep = new Set(wanted);
  for (const node of [...holder.childNodes]) if (!keep.has(/** @type {Node} */ (node))) node.remove();
  wanted.forEach((node, place) => {
    const there = holder.childNodes[place] ?? null;
    if (there !== node) holder.insertBefore(node, there);
  });
}
