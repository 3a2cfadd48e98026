/** A trace as a notebook of its own, for *Open in the lab*: packed, so that it fits into what a tab keeps. */
import { keepInTab, keptInTab } from "../../session.js";

const NAME = "lab-trace";

/** @typedef {{ name: string, about: string, packed: string }} Packed */

/** @param {string} text @returns {Promise<string>} gzip in base64 */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(/** @type {any} */ (new CompressionStream("gzip")));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const chunks = [];
  for (let start = 0; start < bytes.length; start += 0x8000) chunks.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)));
  return btoa(chunks.join(""));
}

/** Put it where the lab's page finds it. @param {{ name: string, about: string, text: string }} run @returns {Promise<boolean>} false where it is too large */
export async function giveToLab({ name, about, text }) {
  return keepInTab(NAME, { name, about, packed: await pack(text) });
}

/** The notebook for what was put there, or null. @returns {import("../lab-frame.js").Placed | null} */
export function takenTrace() {
  const kept = /** @type {Packed | null} */ (keptInTab(NAME));
  return typeof kept?.packed === "string" ? traceNotebook(kept) : null;
}

const ABOUT = (/** @type {Packed} */ { name, about }) => `# ${name}\n\n${about}\n\nThe next cell holds the trace, packed. Everything of \`engine\` works on it: try \`trace.steps()\` or \`report(trace)\`.`;
const UNPACK = "import base64, zlib\nfrom engine.trace import Trace\nfrom engine.metrics.report import report\n\ntrace = Trace.from_jsonl(zlib.decompress(base64.b64decode(PACKED), 31).decode())\nreport(trace)";
const AGAIN = "# With the Live page connected in this tab, a run can be made from here:\n# import engine.live\n# from engine.simulate.traffic import Traffic\n# trace = await engine.live.run(Traffic(rate=4, num_requests=20, prompt_tokens=64, output_tokens=32).workload(\"mine\"))";

/** @param {Packed} kept @returns {import("../lab-frame.js").Placed} */
export function traceNotebook(kept) {
  const mark = `${kept.name} ${kept.packed.length} ${kept.packed.slice(-24)}`;
  const file = kept.name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "run";
  const code = (/** @type {string} */ id, /** @type {string} */ source, metadata = {}) => ({ cell_type: "code", id, metadata, execution_count: null, outputs: [], source });
  return {
    name: `trace-${file}.ipynb`,
    notebook: {
      cells: [
        { cell_type: "markdown", id: "about", metadata: {}, source: ABOUT(kept) },
        code("packed", `PACKED = "${kept.packed}"`, { jupyter: { source_hidden: true } }),
        code("trace", UNPACK),
        code("again", AGAIN),
      ],
      metadata: {
        course: { snippet: `trace-${file}`, text: mark },
        kernelspec: { name: "python", display_name: "Python", language: "python" },
        language_info: { name: "python" },
      },
      nbformat: 4,
      nbformat_minor: 5,
    },
  };
}
