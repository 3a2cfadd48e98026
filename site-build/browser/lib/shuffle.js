/** An order that looks random and is the same on every visit of the same student. Pure. */

/** FNV-1a over UTF-16 units. @param {string} text @returns {number} 32 bits */
function hash(text) {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state >>> 0;
}

/** Mulberry32, a small generator by Tommy Ettinger. @param {number} state @returns {() => number} from 0 up to 1 */
function generator(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @template T @param {T[]} items @param {number} seed the student's @param {string} name the item's @returns {T[]} a new list */
export function shuffled(items, seed, name) {
  const draw = generator(hash(`${seed}/${name}`));
  const order = [...items];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = Math.floor(draw() * (i + 1));
    [order[i], order[j]] = [/** @type {T} */ (order[j]), /** @type {T} */ (order[i])];
  }
  return order;
}
