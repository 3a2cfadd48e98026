/** A trace from text, in slices that leave the page alive. */
import { wordsForForeign } from "./foreign.js";
import { TraceModel } from "./model.js";
import { TraceProblem, brief } from "./problem.js";

/** The largest file that is taken, in bytes: some ten million rows, which take about as much memory as the file. */
export const MOST_BYTES = 256 * 1024 * 1024;

/** How long a slice may keep the page, in milliseconds. */
const SLICE_MS = 12;
const CHUNK_BYTES = 1024 * 1024;

/** @typedef {{ name?: string, signal?: AbortSignal, progress?: (share: number) => void }} Reading */

/**
 * Read a whole trace. Rejects with a `TraceProblem` that names the file, the line, the field and what was expected.
 * @param {string | Blob} source @param {Reading} [reading] @returns {Promise<TraceModel>}
 */
export async function readTrace(source, { name, signal, progress } = {}) {
  const file = name || (source instanceof File && source.name) || "this trace";
  const size = typeof source === "string" ? source.length : source.size;
  if (size > MOST_BYTES) {
    const problem = new TraceProblem("", `${megabytes(size)} MB`, `at most ${megabytes(MOST_BYTES)} MB, which take as much memory again: cut the trace, or record fewer steps`);
    throw problem.at(file, 0);
  }
  const lines = new Lines(file);
  let done = 0;
  let until = performance.now() + SLICE_MS;
  for await (const text of typeof source === "string" ? pieces(source) : decoded(source, file)) {
    for (const line of lines.add(text)) {
      lines.take(line);
      if (performance.now() < until) continue;
      progress?.((done + 0.5 * text.length) / size);
      await breathe();
      signal?.throwIfAborted();
      until = performance.now() + SLICE_MS;
    }
    done += text.length;
  }
  signal?.throwIfAborted();
  return lines.finish();
}

/** @param {number} bytes */
const megabytes = (bytes) => Math.ceil(bytes / 1024 / 1024);

/** @param {string} text */
async function* pieces(text) {
  yield text;
}

/** @param {Blob} blob @param {string} file */
async function* decoded(blob, file) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let from = 0; from < blob.size; from += CHUNK_BYTES) {
    const to = from + CHUNK_BYTES;
    const bytes = await blob.slice(from, to).arrayBuffer();
    let text;
    try {
      text = decoder.decode(bytes, { stream: to < blob.size });
    } catch {
      throw new TraceProblem("", "bytes that are no text", "a trace, which is text in UTF-8: unpack or choose another file").at(file, 0);
    }
    yield text;
  }
}

/** Let the page do what it has to. */
function breathe() {
  const later = /** @type {any} */ (globalThis).scheduler;
  if (later?.yield) return later.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(0);
  });
}

/** The lines of a file as they come: the first is the header. */
class Lines {
  #rest = "";
  #line = 0;
  /** @type {TraceModel | undefined} */
  #model;

  /** @param {string} file */
  constructor(file) {
    this.file = file;
  }

  /** @param {string} text @returns {Generator<string>} the lines that are whole now */
  *add(text) {
    let from = 0;
    for (;;) {
      const end = text.indexOf("\n", from);
      if (end < 0) break;
      yield this.#rest + text.slice(from, end);
      this.#rest = "";
      from = end + 1;
    }
    this.#rest += text.slice(from);
  }

  /** @param {string} line */
  take(line) {
    this.#line += 1;
    try {
      if (this.#model) this.#model.append(parsed(line));
      else this.#model = begun(line);
    } catch (problem) {
      throw problem instanceof TraceProblem ? problem.at(this.file, this.#line) : problem;
    }
  }

  /** @returns {TraceModel} */
  finish() {
    if (this.#rest.trim()) this.take(this.#rest);
    if (!this.#model) throw new TraceProblem("", "an empty file", "a trace: a header and one record a line").at(this.file, 0);
    if (!this.#model.problem) this.#model.close(true);
    return this.#model;
  }
}

/** @param {string} line */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    throw new TraceProblem("", brief(line), "a JSON object on one line");
  }
}

/** @param {string} line the first one */
function begun(line) {
  const text = line.replace(/^\uFEFF/, "");
  const foreign = wordsForForeign(text);
  if (foreign) throw new TraceProblem("", foreign, "a trace: the first line says \"format\":\"inside-the-batch.trace\"");
  return new TraceModel(parsed(text));
}
