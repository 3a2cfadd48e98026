/** What is this student's own, without saying who they are. */
import { store } from "../store.js";

/** A number drawn once, by which options are put in an order that stays. @returns {number} */
export function studentSeed() {
  const known = store.get("student", "seed");
  if (known) return Number(known.data.seed);
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  store.put("student", "seed", { seed });
  return seed;
}
