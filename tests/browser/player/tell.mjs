// Prints, as JSON, what the pure parts of the views say of a trace: tests hold it against the engine's own words.
// usage: node tell.mjs WHAT TRACE_FILE...

import { readFile } from "node:fs/promises";
import { readTrace } from "../../../site-build/browser/lib/trace/read.js";
import { TELLERS } from "./tellers.mjs";

const [what, ...files] = process.argv.slice(2);
const models = await Promise.all(files.map(async (file) => readTrace(await readFile(file, "utf8"), { name: file })));
process.stdout.write(JSON.stringify(TELLERS[what](...models), (_, value) => (Number.isNaN(value) ? null : value)));
