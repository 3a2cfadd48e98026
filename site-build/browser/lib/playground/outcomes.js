/** What a student takes from the playground: the trace and the scenario as files, the command, a notebook. */
import { store } from "../../store.js";
import { download } from "../download.js";
import { carry } from "./lab.js";
import { TEXT } from "./words.js";

/**
 * @typedef {object} Playground what of the element is needed here
 * @property {import("./state.js").State} state
 * @property {import("./desk.js").Desk} desk
 * @property {import("./panel.js").Panel} panel
 * @property {import("./player.js").Player} player
 * @property {boolean} isCut
 * @property {() => Promise<Record<string, any>>} scenario
 * @property {() => Promise<string>} command
 */

/** The scenario with every request in it, where it can't say them in numbers. @param {Playground} playground */
async function whole(playground) {
  const scenario = await playground.scenario();
  return playground.state.file ? playground.desk.spelledOut(scenario) : scenario;
}

/** @param {Playground} playground */
export async function saveScenario(playground) {
  const scenario = await whole(playground);
  if (scenario) download("playground.scenario.json", `${JSON.stringify(scenario, null, 1)}\n`);
}

/** Before the first run, Python has to start for it, and that is said. @param {Playground} playground */
export async function saveTrace(playground) {
  const text = playground.player.text || (await written(playground));
  if (!text) return;
  download(`${playground.state.incident || "playground"}.trace.jsonl`, text);
  playground.panel.say(TEXT.traceSaved);
}

/** @param {Playground} playground */
async function written(playground) {
  const { desk, panel } = playground;
  panel.say(TEXT.starting);
  await desk.start((progress) => panel.loading(progress));
  panel.say(TEXT.writing);
  return desk.trace(await playground.scenario());
}

/** @param {Playground} playground */
export async function openLab(playground) {
  const scenario = await whole(playground);
  if (!scenario) return;
  const way = await carry(scenario, store);
  if ("url" in way) location.assign(way.url);
  else playground.panel.say(way.wrong);
}

/** @param {Playground} playground */
export async function copyCommand(playground) {
  const { panel, state } = playground;
  panel.command = await playground.command();
  const hint = playground.isCut && state.file ? ` ${TEXT.savedFirst}` : "";
  try {
    await navigator.clipboard.writeText(panel.command);
    panel.say(TEXT.copied + hint);
  } catch {
    panel.openCommand();
    panel.say(TEXT.notCopied + hint);
  }
}
