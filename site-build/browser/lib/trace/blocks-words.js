/** The block map in words: any block exactly, the pool in a sentence, and tables of who holds what. */
import { PoolView } from "./blocks-facts.js";
import { count, fromTo, listing, number, ranges, rowsOf, share } from "./language.js";
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
  return `Blocks ${number(from)} to ${number(to - 1)}: ${kindsWords(pool.kinds(from, to))}.${held}`;
}

/** @param {number} each how many blocks a square stands for @returns {string} */
export const eachWords = (each) => `Each square stands for ${number(each)} blocks`;

/** @param {import("./blocks-facts.js").Kinds} kinds */
function kindsWords({ held, shared, cached, free, evicted }) {
  const parts = [`${number(held + shared)} held${shared ? ` (${number(shared)} of them shared)` : ""}`, `${number(cached)} free but cached`, `${number(free)} free and empty`];
  if (evicted) parts.push(`${number(evicted)} just evicted`);
  return parts.join(", ");
}

/** The pool in a sentence or two. @param {PoolView} pool @returns {string} */
export function poolWords(pool) {
  const where = replica(pool.model, pool.state.step);
  const { counts } = pool;
  const { held, shared, lendable, emptySlots } = counts;
  const { blockSize } = pool.model;
  const waste = blockSize && held + shared ? ` ${count(emptySlots, "slot")} in held blocks ${emptySlots === 1 ? "is" : "are"} empty: ${share(emptySlots / ((held + shared) * blockSize))} internal waste.` : "";
  return `${where}${where ? "of" : "Of"} ${count(lendable, "lendable block")}, ${kindsWords(counts)}: ${share(lendable ? (held + shared) / lendable : 0)} in use.${waste}`;
}

/**
 * @param {TraceModel} model @param {{ step: number }} moment @param {unknown} [_choice] @param {unknown} [_other]
 * @param {{ each?: number }} [map] the map that is shown: where its squares stand for several blocks, rows do so too
 * @returns {Words}
 */
export function words(model, { step }, _choice, _other, { each = 1 } = {}) {
  if (!model.numBlocks) return { sentence: NO_BLOCKS, tables: [] };
  const pool = new PoolView(model, standingAt(model, step));
  if (each === 1) return { sentence: poolWords(pool), tables: [holdersTable(pool), blocksTable(pool)] };
  return { sentence: `${poolWords(pool)} ${eachWords(each)}.`, tables: [holdersTable(pool), squaresTable(pool, each)] };
}

/** @param {PoolView} pool */
function holdersTable(pool) {
  const { model, state } = pool;
  const rows = rowsOf([...state.tables], ([request, blocks]) => {
    const tokens = state.tokens.get(request) ?? 0;
    const shared = blocks.filter((block) => state.books.holders(block) > 1).length;
    const empty = model.blockSize ? number(Math.max(0, blocks.length * model.blockSize - tokens)) : "not known";
    return [model.requests.ids[request], number(blocks.length), number(shared), number(tokens), empty, ranges(blocks)];
  });
  return { caption: "Who holds blocks", heads: ["request", "blocks", "of them shared", "tokens in them", "empty slots", "block table"], rows };
}

/** @param {PoolView} pool */
function blocksTable(pool) {
  const { runs, more } = runsOf(pool.size - 1, (place) => rowWords(pool, place + 1));
  const rows = runs.map(({ from, to, said }) => [fromTo(from + 1, to + 1), said]);
  if (more) rows.push([`${number(more)} more`, "not listed here: walk them in the map"]);
  return { caption: "Every block", heads: ["block", "what it is"], rows };
}

/** @param {PoolView} pool @param {number} each */
function squaresTable(pool, each) {
  const cells = pool.cells(each);
  const { runs, more } = runsOf(cells.length, (place) => kindsWords(cells[place]));
  const rows = runs.map(({ from, to, said }) => [fromTo(from * each + 1, Math.min((to + 1) * each, pool.size - 1)), number(to - from + 1), `${to > from ? "each: " : ""}${said}`]);
  if (more) rows.push([`${count(more, "square")} more`, "", "not listed here: walk them in the map"]);
  return { caption: `Every square of the map: ${number(each)} blocks each`, heads: ["blocks", "squares", "what is in them"], rows };
}

/** Neighbours of whom the same is said, together. @param {number} count @param {(place: number) => string} say */
function runsOf(count, say) {
  /** @type {{ from: number, to: number, said: string }[]} */
  const runs = [];
  for (let place = 0; place < count; place += 1) {
    const said = say(place);
    const last = runs.at(-1);
    if (last?.said === said) last.to = place;
    else if (runs.length < MOST_ROWS) runs.push({ from: place, to: place, said });
    else return { runs, more: count - place };
  }
  return { runs, more: 0 };
}

/** @param {PoolView} pool @param {number} block */
function rowWords(pool, block) {
  return blockWords(pool, block).replace(/^Block [\d,]+: /, "").replace(/\.$/, "");
}
