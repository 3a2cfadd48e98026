// Prints, as JSON, what the pure parts of the views say of traces: tests hold it against the engine's own words.
// usage: node tell.mjs WHAT FILE...     (a file is a trace, or else JSON for the question)

import { readFile } from "node:fs/promises";
import { readTrace } from "../../../site-build/browser/lib/trace/read.js";
import { TELLERS } from "./tellers.mjs";

const [what, ...files] = process.argv.slice(2);
const given = await Promise.all(files.map(async (file) => {
  const text = await readFile(file, "utf8");
  return file.endsWith(".jsonl") ? readTrace(text, { name: file }) : JSON.parse(text);
}));
process.stdout.write(JSON.stringify(TELLERS[what](...given), (_, value) => (Number.isNaN(value) ? null : value)));
