/** What Python does, told to the page; and a way out where it can't be stopped. */
import { ask } from "./dialog.js";
import { notice, withdraw } from "./notice.js";
import { current, tell } from "./state.js";
import { onProgress } from "./workers.js";

/** After this long a cell that was told to stop is taken to be in one long call. */
const STUCK_AFTER_MS = 1500;

const TEXT = {
  stopping: "Stopping…",
  stopped: "Stopped. Your variables are still there.",
  idle: "Nothing runs.",
  stuck: "Python is inside one long call that can't be stopped. Restart it, or wait: your text stays either way.",
  broken: "Python itself broke down, and this cell will never end. Restart it: what you wrote stays, its variables are lost.",
  restart: "Restart Python",
  restarted: "Python was restarted.",
  missing: "The lab could not be loaded: a file is missing or didn't arrive. Check the connection, then try again.",
  failed: (/** @type {string} */ why) => `The lab could not be started: ${why}`,
  again: "Try again",
  sure: {
    title: "Restart Python?",
    text: "Its variables are lost: run the cells again, from the top. What you wrote stays.",
    yes: "Restart",
  },
};

/** @typedef {any} Session JupyterLab's ISessionContext */

/** Follow one notebook's Python. @param {Session} session */
export function watchKernel(session) {
  const follow = () => {
    const kernel = session.session?.kernel?.status ?? session.kernelDisplayStatus;
    if (["starting", "restarting"].includes(kernel)) brokenDown = false;
    if (kernel !== "busy" && !brokenDown) settle();
    if (kernel === "idle" && current().phase !== "ready") tell({ kernel, phase: "ready" });
    else tell({ kernel });
  };
  session.statusChanged.connect(follow);
  session.kernelChanged.connect(follow);
  follow();
}

/** Follow Python's start, which goes on beside the notebook's, and hear of it when it breaks down later. */
export function watchStart() {
  onProgress((progress) => {
    if ("failed" in progress) fail(progress.failed, progress.message);
    else if ("broken" in progress) breakDown();
    else if ("total" in progress) tell({ progress });
  });
}

/** Say that the lab can't start, and offer to try again. @param {string} reason @param {string} why */
export function fail(reason, why) {
  const fault = reason === "missing" ? TEXT.missing : TEXT.failed(why);
  tell({ phase: "failed", fault });
  notice("start", fault, { [TEXT.again]: () => location.reload() });
}

/** Python itself broke down: whatever its kernel says now, nothing runs in it any more. */
let brokenDown = false;

function breakDown() {
  brokenDown = true;
  offerRestart(TEXT.broken);
}

/** When a cell that was told to stop is taken to be stuck. */
let patience = 0;

/** A cell was told to stop: see whether it does. */
export function expectStop() {
  if (current().kernel !== "busy" || brokenDown) return;
  tell({ word: TEXT.stopping });
  clearTimeout(patience);
  patience = setTimeout(() => offerRestart(TEXT.stuck), STUCK_AFTER_MS);
}

/** Nothing else gets Python going again. @param {string} why */
function offerRestart(why) {
  clearTimeout(patience);
  tell({ stuck: true, word: why });
  notice("stuck", why, { [TEXT.restart]: () => restartNow() });
}

/** Python is idle, so what was told to stop did: a cell that runs from now on is another. */
function settle() {
  clearTimeout(patience);
  if (current().stuck) withdraw("stuck");
  if ([TEXT.stopping, TEXT.stuck].includes(current().word)) tell({ word: TEXT.stopped });
  if (current().stuck) tell({ stuck: false });
}

/** @type {(header: { msg_id: string }) => void} */
let answerPrompt = () => {};

/** An `input()` that is open is answered when it is stopped; Python never hands the answer on. @param {string[]} ids */
export function answerPrompts(ids) {
  for (const id of ids) answerPrompt({ msg_id: id });
}

/** @type {() => Promise<void>} */
let restartNow = async () => {};

/**
 * The two deeds of the page's buttons.
 * @param {Session} session
 */
export function kernelDeeds(session) {
  answerPrompt = (header) => session.session?.kernel?.sendInputReply({ status: "ok", value: "" }, header);
  restartNow = async () => {
    tell({ word: "" });
    await session.session?.kernel?.restart();
    tell({ used: false, word: TEXT.restarted });
  };
  return {
    /** Stop the cells that run, and those that wait. */
    async stop() {
      if (current().kernel === "busy") await session.session?.kernel?.interrupt();
      else tell({ word: TEXT.idle });
    },
    /** Start Python anew; asks where variables would be lost. @param {Document} host */
    async restart(host) {
      if (!current().used || (await ask(TEXT.sure, host))) await restartNow();
    },
  };
}
