/** Count what arrives while Python starts, and remember what didn't. */

/** A file of the course's Python isn't there, or didn't arrive. */
export class MissingFile extends Error {
  /** @param {string} url */
  constructor(url) {
    super(`${new URL(url).pathname.split("/").pop()} did not arrive`);
    this.name = "MissingFile";
    this.reason = "missing";
  }
}

/**
 * Any error as one with a `reason`. Browsers say in words of their own that a module didn't arrive.
 * @param {unknown} error @returns {Error & { reason: "missing" | "failed" }}
 */
export function withReason(error) {
  const fault = error instanceof Error ? error : new Error(String(error));
  const missing = fault instanceof MissingFile || (fault instanceof TypeError && /module/i.test(fault.message));
  return Object.assign(fault, { reason: /** @type {"missing" | "failed"} */ (missing ? "missing" : "failed") });
}

/**
 * Pass a response on and count its bytes as they come. A WebAssembly response is passed on untouched, because
 * browsers cache compiled code with the original only; it counts when it is complete.
 * @param {Response} response @param {boolean} untouched @param {(bytes: number) => void} count
 */
function counted(response, untouched, count) {
  if (untouched || !response.body) return response;
  const counter = new TransformStream({
    transform(chunk, controller) {
      count(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { headers: response.headers });
}

/**
 * Watch `self.fetch` until `finish()`.
 * @param {Record<string, { bytes: number, wire: number }>} files what will be fetched: raw and sent sizes
 * @param {(progress: { loaded: number, total: number }) => void} tell in bytes as sent
 */
export function watchFetches(files, tell) {
  const original = self.fetch;
  const total = Object.values(files).reduce((sum, { wire }) => sum + wire, 0);
  /** @type {Record<string, number>} */
  const arrived = {};
  /** @type {(error: MissingFile) => void} */
  let miss = () => {};
  /** @type {Promise<never>} */
  const missing = new Promise((_, reject) => (miss = reject));
  missing.catch(() => {});

  const report = () => {
    const shares = Object.entries(arrived).map(([name, bytes]) => {
      const file = files[name];
      return file ? file.wire * Math.min(1, bytes / file.bytes) : 0;
    });
    tell({ loaded: Math.round(shares.reduce((sum, share) => sum + share, 0)), total });
  };
  /** @param {string} name @param {number} bytes */
  const add = (name, bytes) => {
    arrived[name] = (arrived[name] ?? 0) + bytes;
    report();
  };

  self.fetch = async (input, options) => {
    const url = new URL(input instanceof Request ? input.url : String(input), self.location.href).href;
    const name = url.split("/").pop() ?? "";
    const response = await original(input, options).catch((error) => {
      miss(new MissingFile(url));
      throw error;
    });
    if (!response.ok) miss(new MissingFile(url));
    return counted(response, name.endsWith(".wasm"), (bytes) => add(name, bytes));
  };
  report();
  return {
    /** Files that came another way, or whose bytes weren't counted. @param {string[]} names */
    done(...names) {
      for (const name of names) add(name, files[name]?.bytes ?? 0);
    },
    /** Rejects with the first file that didn't arrive; Pyodide itself waits for ever for some of them. */
    missing,
    finish() {
      self.fetch = original;
    },
  };
}
