/** Where a trace comes from: text, a file, an address, or records as they come. */
import { TraceModel } from "./model.js";
import { readTrace } from "./read.js";

/** @typedef {string | Blob | TraceModel} Source */

const TEXT = {
  missing: (/** @type {string} */ url, /** @type {string} */ why) => `${url} could not be loaded (${why}).`,
};

/** @param {Source} source @param {import("./read.js").Reading} reading @returns {Promise<TraceModel>} */
export async function asModel(source, reading) {
  return source instanceof TraceModel ? source : readTrace(source, reading);
}

/** @param {string} address @param {AbortSignal} signal @returns {Promise<Blob>} */
export async function fetched(address, signal) {
  const answer = await fetch(new URL(address, document.baseURI), { signal }).catch((/** @type {Error} */ error) => {
    throw new Error(TEXT.missing(address, error.message));
  });
  if (!answer.ok) throw new Error(TEXT.missing(address, `status ${answer.status}`));
  return answer.blob();
}

/** What stands for an address in a problem. @param {string} address */
export const lastPart = (address) => address.split(/[?#]/)[0].split("/").pop() || address;

/** What takes a trace as it comes. It throws a `TraceProblem` for a record that can't be. @param {TraceModel} model @param {() => void} grown */
export function feed(model, grown) {
  return {
    model,
    /** @param {any[]} records */
    append(records) {
      try {
        for (const record of records) model.append(record);
      } finally {
        grown();
      }
    },
    /** @param {{ from: number, to: number, lost?: number }} gap */
    gap(gap) {
      model.append({ event: "gap", ...gap });
      grown();
    },
    /** @param {{ complete: boolean, why?: string | null }} end */
    end({ complete, why }) {
      model.close(complete, why ?? "");
      grown();
    },
  };
}
