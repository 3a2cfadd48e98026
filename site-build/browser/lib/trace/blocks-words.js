/** The block map in words: any block exactly, the pool in a sentence, and tables of who holds what. */
import { PoolView } from "./blocks-facts.js";
import { count, listing, number, share } from "./language.js";
import { replica } from "./marks.js";
import { standingAt } from "./standing.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./language.js").Words} Words */

const MOST_ROWS = 200;
export const NO_BLOCKS = "This trace knows nothing of blocks.";

/** @param {PoolView} pool @param {number} block @returns {string} */
export function blockWords(pool, block) {
  const { kind, owner, holders, used, evicted } = pool.at(block);
  const { requests, blockSize } = pool.model;
  const filled = blockSize ? `, ${used} of ${count(blockSize, "slot")} used` : "";
  const lost = evicted ? "; just evicted: what was cached in it is gone" : "";
  const name = `Block ${number(block)}`;
  if (kind === "null") return `${name}: the null block, which is never lent.`;
  if (kind === "free") return `${name}: free${lost}.`;
  if (kind === "cached") return `${name}: free but cached: content of ${requests.ids[owner] ?? "a request that is gone"}.`;
  if (kind === "held") return `${name}: held by ${requests.ids[owner]}${filled}${lost}.`;
  const names = pool.state.ownersOf(block).map((request) => requests.ids[request]);
  return `${name}: shared by ${number(holders)}: ${listing(names)}${filled}${lost}.`;
}

/** Several blocks that stand in one cell. @param {PoolView} pool @param {number} from @param {number} to before this one @returns {string} */
export function rangeWords(pool, from, to) {
  const holders = pool.holders(from, to).map(([request, blocks]) => `${pool.model.requests.ids[request]} ${number(blocks)}`);
  const held = holders.length ? ` Held by ${listing(holders, 5)}.` : "";
  return `Blocks ${number(from)} to ${number(to - 1)}: ${kindsWords(pool, from, to)}.${held}`;
}

/** @param {PoolView} pool @param {number} [from] @param {number} [to] */
function kindsWords(pool, from, to) {
  const { held, shared, cached, free, evicted } = pool.counts(from, to);
  const parts = [`${number(held + shared)} held${shared ? ` (${number(shared)} of them shared)` : ""}`, `${number(cached)} free but cached`, `${number(free)} free and empty`];
  if (evicted) parts.push(`${number(evicted)} just evicted`);
  return parts.join(", ");
}

/** The pool in a sentence or two. @param {PoolView} pool @returns {string} */
export function poolWords(pool) {
  const where = replica(pool.model, pool.state.step);
  const { held, shared, lendable, emptySlots } = pool.counts();
  const { blockSize } = pool.model;
  const waste = blockSize && held + shared ? ` ${count(emptySlots, "slot")} in held blocks ${emptySlots === 1 ? "is" : "are"} empty: ${share(emptySlots / ((held + shared) * blockSize))} internal waste.` : "";
  return `${where}${where ? "of" : "Of"} ${count(lendable, "lendable block")}, ${kindsWords(pool)}: ${share(lendable ? (held + shared) / lendable : 0)} in use.${waste}`;
}

/** @param {TraceModel} model @param {{ step: number }} moment @returns {Words} */
export function words(model, { step }) {
  if (!model.numBlocks) return { sentence: NO_BLOCKS, tables: [] };
  const pool = new PoolView(model, standingAt(model, step));
  return { sentence: poolWords(pool), tables: [holdersTable(pool), blocksTable(pool)] };
}

/** @param {PoolView} pool */
function holdersTable(pool) {
  const { model, state } = pool;
  const rows = [...state.tables].map(([request, blocks]) => {
    const tokens = state.tokens.get(request) ?? 0;
    const shared = blocks.filter((block) => state.refs[block] > 1).length;
    const empty = model.blockSize ? number(Math.max(0, blocks.length * model.blockSize - tokens)) : "not known";
    return [model.requests.ids[request], number(blocks.length), number(shared), number(tokens), empty, listing(ranges(blocks), 20)];
  });
  return { caption: "Who holds blocks", heads: ["request", "blocks", "of them shared", "tokens in them", "empty slots", "block table"], rows };
}

/** Neighbours of one kind stand in one row. @param {PoolView} pool */
function blocksTable(pool) {
  /** @type {{ from: number, to: number, said: string }[]} */
  const runs = [];
  let more = 0;
  for (let block = 1; block < pool.size; block += 1) {
    const said = rowWords(pool, block);
    const last = runs.at(-1);
    if (last?.said === said && last.to === block - 1) last.to = block;
    else if (runs.length < MOST_ROWS) runs.push({ from: block, to: block, said });
    else {
      more = pool.size - block;
      break;
    }
  }
  const rows = runs.map(({ from, to, said }) => [from === to ? number(from) : `${number(from)} to ${number(to)}`, said]);
  if (more) rows.push([`${number(more)} more`, "not listed here: walk them in the map"]);
  return { caption: "Every block", heads: ["block", "what it is"], rows };
}

/** @param {PoolView} pool @param {number} block */
function rowWords(pool, block) {
  return blockWords(pool, block).replace(/^Block [\d,]+: /, "").replace(/\.$/, "");
}

/** `3 to 5` for what stands beside each other. @param {readonly number[]} blocks */
function ranges(blocks) {
  /** @type {[number, number][]} */
  const found = [];
  for (const block of blocks) {
    const last = found.at(-1);
    if (last?.[1] === block - 1) last[1] = block;
    else found.push([block, block]);
  }
  return found.map(([from, to]) => (from === to ? number(from) : `${number(from)} to ${number(to)}`));
}
