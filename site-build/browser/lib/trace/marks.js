/** The sign of a request: its pencil, and a few letters that fit where its name doesn't. */
import { listing } from "./language.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */

const PENCILS = 6;
const FITS = 4;

/** Which pencil, from 1: by the order of arrival, as in every picture of the course. @param {number} request */
export function pencil(request) {
  return (request % PENCILS) + 1;
}

/** Its name where that is short, else the name's end, where names mostly differ. @param {TraceModel} model @param {number} request */
export function letters({ requests }, request) {
  const id = [...(requests.ids[request] ?? "")];
  return id.length <= FITS ? id.join("") : `…${id.slice(1 - FITS).join("")}`;
}

/** Let a node be painted with a request's pencil. @param {HTMLElement | SVGElement} node @param {number} request -1 for nobody's */
export function paint(node, request) {
  const wanted = request < 0 ? "" : String(pencil(request));
  if (node.dataset.pencil !== wanted) node.dataset.pencil = wanted;
}

/** Which replica a step is of, where there are several. @param {TraceModel} model @param {number} step @returns {string} `Replica a: `, or "" */
export function replica({ lanes, steps }, step) {
  return lanes.length > 1 && step >= 0 ? `Replica ${lanes[steps.lane[step]]}: ` : "";
}

/**
 * Who lights up: the chosen request, or everybody who holds the chosen block now.
 * @param {{ ownersOf: (block: number) => number[] } | null} state null in a trace without steps
 * @param {import("./panels.js").Choice} choice @returns {Set<number>}
 */
export function lit(state, { request, block }) {
  if (block !== null && state) return new Set(state.ownersOf(block));
  return new Set(request === null ? [] : [request]);
}

/** Say who lights up, once something was chosen by hand. @param {import("./panels.js").Context} context @param {{ ownersOf: (block: number) => number[] } | null} state */
export function sayLit({ model, choice, say }, state) {
  const names = [...lit(state, choice)].map((request) => model.requests.ids[request]);
  const nothing = choice.request === null && choice.block === null ? "Nothing is chosen." : "Nobody holds it now.";
  say(names.length ? `Lit up: ${listing(names)}.` : nothing);
}

/** Choose a request, or nobody where it was chosen. @param {import("./panels.js").Context} context @param {number} request */
export function chooseRequest({ choice, choose }, request) {
  choose({ request: choice.request === request && choice.block === null ? null : request, block: null });
}

/**
 * Let whatever stands for a request (`data-request`) choose it. One listener for all, as what they stand on comes and goes with every step.
 * @param {HTMLElement} holder @param {import("./panels.js").Context} context
 */
export function chooseByClick(holder, context) {
  holder.addEventListener("click", (event) => {
    const sign = /** @type {Element} */ (event.target).closest("[data-request]");
    if (sign instanceof HTMLElement) chooseRequest(context, Number(sign.dataset.request));
  }, { signal: context.signal });
}
