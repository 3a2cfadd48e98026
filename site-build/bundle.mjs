// Bundles npm packages for the browser, one file an entry, with the licences of what went in.
// usage: node bundle.mjs OUT ENTRY...

import { build } from "esbuild";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const [out, ...entryPoints] = process.argv.slice(2);

const { metafile } = await build({
  entryPoints,
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  metafile: true,
});

/** @param {string} input @returns {string[]} the folder of the package that a bundled file came from */
function packageFolder(input) {
  const found = input.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//);
  return found ? [found[1]] : [];
}

/** @param {string} folder @returns {Promise<string>} */
async function licence(folder) {
  const name = folder.replace(/^.*node_modules\//, "");
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} is bundled and has no licence file`);
  return `${name}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
}

const folders = [...new Set(Object.keys(metafile.inputs).flatMap(packageFolder))].sort();
const texts = await Promise.all(folders.map(licence));
await writeFile(join(out, "LICENSES.txt"), texts.join("\n----\n\n"));
