/** What the course does for the notebook that is open; `window.courseLab` is what the page around it may ask for. */
import { Files } from "./files.js";
import { fail, kernelDeeds, watchKernel, watchStart } from "./kernel.js";
import { hideChrome } from "./looks.js";
import { keepNamed } from "./names.js";
import { Presence } from "./presence.js";
import { keepSaved } from "./saving.js";
import { placeSnippet } from "./snippets.js";
import { current, tell } from "./state.js";
import { setTheme, wantsDark } from "./theme.js";
import { Versions, open } from "./versions.js";

const TEXT = {
  unopened: "the notebook could not be opened.",
};

/** @param {any} app @param {any} panel @param {any} NotebookActions @param {Files} files */
async function attend(app, panel, NotebookActions, files) {
  const { context, sessionContext } = panel;
  if (current().phase === "loading") tell({ phase: "opening", notebook: context.path });
  context.disposed.connect(() => context.isReady || fail("failed", TEXT.unopened));
  await context.ready;
  const save = keepSaved(app, panel, NotebookActions);
  const kernel = kernelDeeds(sessionContext);
  const versions = new Versions(context, files, () => sessionContext.session?.kernel?.restart());
  Object.assign(window, {
    courseLab: {
      ...kernel,
      runAll: () => app.commands.execute("runmenu:run-all"),
      startOver: versions.startOver.bind(versions),
      undo: versions.undo.bind(versions),
      setTheme: (/** @type {boolean} */ dark) => setTheme(app, dark),
      names: files.names.bind(files),
      open,
      save,
    },
  });
  watchKernel(sessionContext);
  new Presence(panel, files, save);
  keepNamed(panel.node);
  await versions.compare();
}

/** @param {unknown} INotebookTracker @param {any} NotebookActions @returns {object} a JupyterLab plugin */
export const attending = (INotebookTracker, NotebookActions) => ({
  id: "course-lab:attending",
  autoStart: true,
  requires: [INotebookTracker],
  /** JupyterLab waits for this before it opens the notebook. @param {any} app @param {any} tracker */
  async activate(app, tracker) {
    const files = new Files(app.serviceManager.contents, app.serviceManager.serverSettings.baseUrl);
    tracker.widgetAdded.connect((/** @type {unknown} */ _, /** @type {any} */ panel) => {
      void attend(app, panel, NotebookActions, files);
    });
    // What happened before is past: the page says again what Python does.
    NotebookActions.executionScheduled.connect(() => current().away || tell({ word: "" }));
    watchStart();
    void app.restored.then(() => {
      hideChrome(app.shell);
      return setTheme(app, wantsDark());
    });
    await placeSnippet(files);
  },
});
