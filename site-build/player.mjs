// Bundles the trace player for the browser: one module with its style sheet inside, so that a lesson and a notebook
// load it by one address.
// usage: node player.mjs ENTRY OUT

import { build } from "esbuild";

const [entry, out] = process.argv.slice(2);
const target = "es2022";

/** A style sheet that a module imports becomes its text, with what it imports in turn. @type {import("esbuild").Plugin} */
const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], bundle: true, minify: true, write: false, target: ["es2022", "chrome123", "firefox120", "safari17.5"] });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};

await build({ entryPoints: [entry], outfile: out, bundle: true, minify: true, format: "esm", target, legalComments: "none", plugins: [styles] });
