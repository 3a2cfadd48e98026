/** The prefix tree in words. */
import { count, listing, number } from "./language.js";
import { replica } from "./marks.js";
import { forestAt, walk } from "./prefix-facts.js";
import { standingAt } from "./standing.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./prefix-facts.js").Forest} Forest */
/** @typedef {import("./prefix-facts.js").Segment} Segment */
/** @typedef {import("./language.js").Words} Words */

const MOST_TOLD = 4;
const MOST_ROWS = 200;
export const NOTHING = "Nobody holds a block, and the cache keeps none.";
export const OFF = "Prefix caching is off in this trace: every request computes its whole prompt and shares nothing.";
export const NO_BLOCKS = "This trace knows nothing of blocks, so it doesn't tell who shares which.";

/** What the requests of a group have in common: a salt, and whose they are. @param {TraceModel} model @param {import("./prefix-facts.js").Group} group @returns {string} */
export function groupWords({ requests }, { salt, segments }) {
  const tenants = new Set(segments.flatMap(({ holders }) => holders.map((request) => requests.tenant[request])).filter(Boolean));
  const whose = tenants.size ? `, ${tenants.size === 1 ? "tenant" : "tenants"} ${listing([...tenants], 4)}` : "";
  return `${salt === null ? "No salt" : `Salt ${salt}`}${whose}`;
}

/** What stands instead of a tree, if anything. @param {TraceModel} model */
export function instead({ header, numBlocks }) {
  if (!numBlocks) return NO_BLOCKS;
  return header.settings.enable_prefix_caching === false ? OFF : "";
}

/** @param {TraceModel} model @param {Segment} segment @returns {string} */
export function segmentWords(model, { blocks, depth, holders, salt }) {
  const { requests, blockSize } = model;
  const tokens = blockSize ? ` of ${count(blockSize, "token")}` : "";
  const who = holders.length === 0 ? "kept by the cache, held by nobody" : holders.length === 1 ? `held by ${requests.ids[holders[0]]} alone` : `shared by ${number(holders.length)}: ${listing(holders.map((request) => requests.ids[request]))}`;
  const under = salt === null ? "" : `, salt ${salt}`;
  return `${count(blocks.length, "block")}${tokens} after ${count(depth, "block")}${under}: ${who}.`;
}

/** @param {TraceModel} model @param {number} step @param {Forest} forest @returns {string} */
export function forestWords(model, step, { groups, sharedBlocks, savedBlocks, cachedBlocks, lostBlocks, restBlocks }) {
  const all = groups.flatMap(({ segments }) => walk(segments));
  const where = replica(model, step);
  if (!all.length) return `${where}${NOTHING}`;
  const shared = all.filter(({ holders }) => holders.length > 1);
  const tokens = model.blockSize ? ` (${count(savedBlocks * model.blockSize, "token")})` : "";
  const told = [`${where}${sharedBlocks ? `${count(sharedBlocks, "block")} ${sharedBlocks === 1 ? "is" : "are"} shared, which saves ${count(savedBlocks, "block")}${tokens}.` : "No block is shared."}`];
  for (const segment of shared.slice(0, MOST_TOLD)) told.push(`${listing(segment.holders.map((request) => model.requests.ids[request]))} share ${count(segment.blocks.length, "block")}${segment.depth ? ` after ${number(segment.depth)} others` : " from the start"}${segment.salt === null ? "" : ` under the salt ${segment.salt}`}.`);
  if (shared.length > MOST_TOLD) told.push(`${count(shared.length - MOST_TOLD, "more shared stretch", "more shared stretches")} ${shared.length - MOST_TOLD === 1 ? "stands" : "stand"} in the table.`);
  if (cachedBlocks) {
    const lost = restBlocks ? `; ${number(restBlocks)} of them aren't drawn here` : lostBlocks ? `; ${number(lostBlocks)} of them can't be hit any more, as what came before is gone` : "";
    told.push(`The cache keeps ${count(cachedBlocks, "block")} that nobody holds${lost}.`);
  }
  if (groups.length > 1) told.push(`There are ${number(groups.length)} groups by salt, and nothing is shared between two.`);
  return told.join(" ");
}

/** @param {TraceModel} model @param {{ step: number }} moment @returns {Words} */
export function words(model, { step }) {
  const without = instead(model);
  if (without) return { sentence: without, tables: [] };
  const forest = forestAt(model, standingAt(model, step));
  const all = forest.groups.flatMap(({ segments }) => numbered(segments, ""));
  const rows = all.slice(0, MOST_ROWS).map(([name, segment]) => [
    name,
    segment.salt ?? "none",
    number(segment.depth),
    number(segment.blocks.length),
    segment.holders.length ? listing(segment.holders.map((request) => model.requests.ids[request]), 30) : "nobody: cached",
    listing(segment.blocks.map(String), 24),
  ]);
  if (all.length > MOST_ROWS) rows.push([`${number(all.length - MOST_ROWS)} more`, "", "", "", "", "not listed here"]);
  return { sentence: forestWords(model, step, forest), tables: [{ caption: "Stretches of blocks that the same requests hold; 1.2 goes on from 1", heads: ["stretch", "salt", "blocks before it", "blocks", "held by", "which blocks"], rows }] };
}

/** @param {readonly Segment[]} list @param {string} before @returns {[string, Segment][]} */
function numbered(list, before) {
  return list.flatMap((segment, place) => {
    const name = `${before}${place + 1}`;
    return [/** @type {[string, Segment]} */ ([name, segment]), ...numbered(segment.children, `${name}.`)];
  });
}
