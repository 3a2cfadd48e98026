/**
 * A moment of a player as a part of the address: `#moment=<player>~step:7~r3`. A fragment that holds something else
 * besides (a page's own `name=value` pairs) keeps it.
 */

/** @typedef {{ moment: string, choice: string }} Place as the element's attributes have them: `step:7`, `at:1000`; `r3`, `block:5` */

const KEY = "moment";

/** @param {string} hash with its # or without @returns {URLSearchParams} */
function pairs(hash) {
  const text = hash.replace(/^#/, "");
  return new URLSearchParams(text.includes("=") ? text : "");
}

/** @param {string} hash the fragment as it is @param {string} player @param {Place} place @returns {string} with its # */
export function fragment(hash, player, { moment, choice }) {
  const kept = pairs(hash);
  kept.set(KEY, [player, moment, choice].map(encoded).join("~"));
  return `#${kept.toString().replaceAll("%7E", "~").replaceAll("%3A", ":")}`;
}

/** @param {string} hash @param {string} player @returns {Place | null} null where the fragment speaks of none, or of another player */
export function placeIn(hash, player) {
  const [name, moment, choice = ""] = (pairs(hash).get(KEY) ?? "").split("~").map(decoded);
  return moment && name === player ? { moment, choice } : null;
}

/** @param {string} text */
const encoded = (text) => text.replaceAll("%", "%25").replaceAll("~", "%7E");

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./panels.js").Choice} Choice */

/** @param {TraceModel} model @param {import("./clock.js").Moment} moment @param {Choice} choice @returns {Place} */
export function written({ steps, requests }, { step, at }, { request, block }) {
  return {
    moment: step >= 0 ? `step:${steps.index[step]}` : `at:${at}`,
    choice: block !== null ? `block:${block}` : request !== null ? requests.ids[request] : "",
  };
}

/** @param {TraceModel} model @param {string} moment `step:7` or `at:1000` @returns {Partial<import("./clock.js").Moment> | null} */
export function momentIn(model, moment) {
  const [, kind, value] = /^(step|at):(\d+)$/.exec(moment) ?? [];
  if (!kind) return null;
  return kind === "step" ? { step: model.stepOfIndex(Number(value)) } : { at: Number(value) };
}

/** @param {TraceModel} model @param {string} choice a request's id, or `block:5` @returns {Choice | null} */
export function choiceIn({ requests }, choice) {
  const request = requests.index.get(choice) ?? null;
  if (request !== null) return { request, block: null };
  const block = /^block:(\d+)$/.exec(choice)?.[1];
  return block ? { request: null, block: Number(block) } : null;
}
