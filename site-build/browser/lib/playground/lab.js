/** The playground's run as code for the lab: the same scenario, and where to go on from it. Pure but for its store. */
import { courseMap } from "../course-map.js";
import { courseUrl } from "../page.js";
import { CARRIED_UP_TO, TEXT } from "./words.js";

/** The id under which the code is kept, as a snippet's is. */
export const SNIPPET = "playground";

/** A JSON value as Python source, with line breaks where a reader wants them. @param {any} value @returns {string} */
function source(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(source).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${source(one)}`).join(", ")}}`;
  return JSON.stringify(value);
}

/** @param {Record<string, any>} scenario with all of its requests @returns {string} */
export function labCode(scenario) {
  const parts = Object.entries(scenario).map(([key, value]) =>
    key === "arrivals"
      ? `    "arrivals": [\n${value.map((/** @type {object} */ one) => `        ${source(one)},\n`).join("")}    ],`
      : `    ${JSON.stringify(key)}: ${source(value)},`,
  );
  return [
    "from engine.cli.tables import report_tables",
    "from engine.simulate.scenario import Scenario",
    "",
    "scenario = Scenario.from_mapping({",
    ...parts,
    "})",
    'print(report_tables({"name": scenario.workload.name, "source": "simulated"} | scenario.run().report()))',
    "",
    "trace = scenario.trace()",
    "trace",
  ].join("\n");
}

/**
 * Keep the code where the lab finds it, and tell the way there.
 * @param {Record<string, any>} scenario @param {typeof import("../../store.js").store} store
 * @returns {Promise<{ url: string } | { wrong: string }>}
 */
export async function carry(scenario, store) {
  const number = scenario.arrivals?.length ?? 0;
  if (number > CARRIED_UP_TO) return { wrong: TEXT.heavy(number) };
  const lab = (await courseMap().catch(() => null))?.labs[0];
  if (!lab) return { wrong: TEXT.noLab };
  const kept = store.put("snippet", SNIPPET, { hash: "", code: labCode(scenario) });
  return kept.ok ? { url: courseUrl(`${lab.url}?snippet=${SNIPPET}`) } : { wrong: TEXT.unsaved };
}
