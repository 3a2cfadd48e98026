/** The incidents' files, as the site serves them; each is fetched once. */
import { courseUrl } from "../page.js";

/** @typedef {Record<string, any>} Incident a scenario, as `engine.simulate.scenario` reads it */

/** @type {Map<string, Promise<Incident>>} */
const fetched = new Map();

/** @param {string} id @returns {Promise<Incident>} rejects with an `Error` whose `reason` is "missing" */
export function incident(id) {
  const known = fetched.get(id) ?? load(id);
  fetched.set(id, known);
  known.catch(() => fetched.delete(id));
  return known;
}

/** @param {string} id @returns {Promise<Incident>} */
async function load(id) {
  const answer = await fetch(courseUrl(`incidents/${id}.json`)).catch(() => null);
  if (!answer?.ok) throw Object.assign(new Error(`incidents/${id}.json did not arrive`), { reason: "missing" });
  return answer.json();
}
