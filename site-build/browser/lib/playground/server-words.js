/** What the page *Your server* says. */

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0);

export const TEXT = {
  label: "The command that starts your server, or the log of its start",
  privacy: "It is read in this page and goes nowhere else. Ctrl+Enter reads it.",
  read: "Read it",
  example: "Show an example",
  open: "Open a log…",
  clear: "Clear",
  drop: "Drop the log: it stays in this page",
  empty: "Paste a command or a log first.",
  reading: "Reading…",
  progress: (/** @type {{ loaded: number, total: number }} */ { loaded, total }) =>
    loaded >= total ? "Starting Python…" : `Starting Python… ${megabytes(loaded)} of ${megabytes(total)} MB`,
  missing: "Python could not be loaded: a file is missing or didn't arrive. Check the connection, then press Read it again.",
  failed: (/** @type {string} */ why) => `Python could not be started in this browser. ${why}`,
  broken: "The reader failed on this text, which it shouldn't. Try the line that starts the server alone.",
  refused: (/** @type {string} */ words) => `This can't be read. ${words}`,
  done: (/** @type {number} */ settings, /** @type {number} */ unknown) =>
    `${settings} settings were read${unknown ? `; ${unknown} ${unknown === 1 ? "is" : "are"} still unknown` : ", and none that is needed is missing"}.`,
  about: (/** @type {Record<string, any>} */ { kind, version, model }) =>
    `${kind === "log" ? "The log of a start" : "A command line"}${version ? ` of vLLM ${version}` : ""}${model ? `, model ${model}` : ""}.`,
  settings: "Settings",
  heads: ["setting", "value", "where it comes from"],
  unknown: "Still unknown",
  unknownAbout: "Fill in what you know; the rest goes to the playground as it starts there.",
  machine: "The machine",
  machineNone: "not said",
  concurrency: (/** @type {number} */ number) => `Requests of full length that fit at once: ${number.toLocaleString("en")}.`,
  tokens: (/** @type {number} */ number) => `The KV cache holds ${number.toLocaleString("en")} tokens.`,
  problem: (/** @type {string} */ words) => `vLLM wouldn't start like this: ${words}`,
  lacks: "What the engine doesn't do as your server does",
  noLacks: "Nothing that was read asks for anything that the engine doesn't reproduce.",
  unrecognised: "No option of vLLM 0.32.0",
  noEffect: "Options that change nothing that the scheduler decides",
  notes: "Notes",
  playground: "Open in the playground",
};

/** As `engine.readers.serve.MACHINES` has them. @type {readonly [string, string][]} */
export const MACHINES = [
  ["gpu", "a GPU of less than 70 GiB, or an A100"],
  ["gpu-70", "a GPU of 70 GiB or more, as an H100 or H200"],
  ["gpu-160", "a GPU of 160 GiB or more, as a B200"],
  ["cpu", "a CPU"],
];

/** No log of a start is longer. */
export const MOST_BYTES = 8_000_000;

export const EXAMPLE = `vllm serve Qwen/Qwen3-8B \\
  --max-model-len 16k --max-num-seqs 64 \\
  --num-gpu-blocks-override 12001 \\
  --no-enable-prefix-caching --port 8000 \\
  --speculative-config '{"method": "ngram", "num_speculative_tokens": 4}'`;
