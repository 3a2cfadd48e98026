/** Save soon: after each run, and a moment after the last change. */
import { notice, withdraw } from "./notice.js";
import { current, tell } from "./state.js";

const AFTER_RUN_MS = 300;
const AFTER_CHANGE_MS = 800;

const TEXT = {
  failed:
    "This notebook could not be saved: the browser's storage for this site is full or switched off. " +
    "Download it to keep your work.",
  download: "Download",
  again: "Try to save again",
  saved: "Saved.",
};

/**
 * JupyterLab lays a dialog with the browser's own word for the fault over the page. To a name like this it says
 * nothing: what failed is told above the notebook.
 * @param {any} contents JupyterLab's contents manager
 */
function keepQuiet(contents) {
  const save = contents.save.bind(contents);
  /** @param {unknown[]} wanted */
  contents.save = (...wanted) =>
    save(...wanted).catch((/** @type {Error} */ error) => {
      throw Object.assign(new Error(error.message), { name: "ModalCancelError" });
    });
}

/**
 * @param {any} app JupyterLab @param {any} panel the notebook @param {any} NotebookActions
 * @returns {() => Promise<void>} saves now, if anything changed
 */
export function keepSaved(app, panel, NotebookActions) {
  const { context } = panel;
  let due = 0;
  keepQuiet(app.serviceManager.contents);

  const save = async () => {
    clearTimeout(due);
    due = 0;
    if (!context.model.dirty || current().away) return;
    try {
      await context.save();
      withdraw("saving");
      tell({ unsaved: "no", ...(current().word === TEXT.failed ? { word: TEXT.saved } : {}) });
    } catch {
      tell({ unsaved: "failed", word: TEXT.failed });
      notice("saving", TEXT.failed, {
        [TEXT.download]: () => app.commands.execute("docmanager:download"),
        [TEXT.again]: save,
      });
    }
  };
  /** @param {number} wait */
  const soon = (wait) => {
    if (current().unsaved === "failed") return;
    clearTimeout(due);
    due = setTimeout(save, wait);
  };

  const changed = () => {
    if (!context.model.dirty) return;
    if (current().unsaved === "no") tell({ unsaved: "yes" });
    soon(AFTER_CHANGE_MS);
  };
  context.model.contentChanged.connect(changed);
  // The first change is told before the notebook counts as changed: where it stays the only one, this is what tells.
  context.model.stateChanged.connect(changed);
  NotebookActions.executed.connect(() => {
    tell({ used: true });
    soon(AFTER_RUN_MS);
  });
  document.addEventListener("visibilitychange", () => document.hidden && void save());
  window.addEventListener("pagehide", () => void save());
  // A save needs a moment that a closing page doesn't have: the browser asks, and while it asks, the save is done.
  window.addEventListener("beforeunload", (event) => {
    if (!context.model.dirty || current().away) return;
    void save();
    event.preventDefault();
  });
  return save;
}
