/**
 * Shows a trace, and a report of the lab that has one, in the trace player: the very module that lessons load.
 *
 * A cell's output brings the same thing in several forms (`engine/views/notebook.py`). What every Jupyter can show of it
 * stands inside the player until that is there, and is all there is if it never comes.
 */

const MIME = "application/vnd.inside-the-batch.trace+json";
const HTML = "text/html";
/** Before every form that JupyterLab knows by itself. */
const RANK = -10;
const PLAYER = new URL("../../../assets/course/trace-player.js", import.meta.url).href;

/** @typedef {{ trace: string, compare?: string, moment?: string, choice?: string, views?: string, beside?: string }} Shown the attributes of a player; `beside`: words between the plain form, which stays, and the player */
/** @typedef {HTMLElement & { open(text: string): Promise<void>, openPair(one: string, other: string): Promise<void> }} Player */
/** @typedef {{ data: Record<string, any> }} Output what a cell put out, by form */

/**
 * @param {unknown} IRenderMimeRegistry @param {any} Widget the class of all that JupyterLab shows
 * @returns {object} a JupyterLab plugin
 */
export const traces = (IRenderMimeRegistry, Widget) => ({
  id: "course-lab:traces",
  autoStart: true,
  requires: [IRenderMimeRegistry],
  /** @param {unknown} _app @param {any} registry */
  activate: (_app, registry) => {
    const rendered = renderer(Widget, registry);
    registry.addFactory({ safe: true, mimeTypes: [MIME], createRenderer: () => new rendered() }, RANK);
  },
});

/** @param {any} Widget @param {any} registry */
const renderer = (Widget, registry) =>
  class extends Widget {
    /** @type {any} what draws the plain form */
    html = null;

    /** @param {Output} output */
    async renderModel(output) {
      const shown = /** @type {Shown} */ (output.data[MIME]);
      const plain = await this.plain(output);
      const player = /** @type {Player} */ (document.createElement("trace-player"));
      for (const name of /** @type {const} */ (["moment", "choice", "views"])) {
        const value = shown[name];
        if (value) player.setAttribute(name, value);
      }
      const node = /** @type {HTMLElement} */ (this.node);
      if (shown.beside) node.replaceChildren(plain, paragraph(shown.beside), player);
      else {
        player.append(plain);
        node.replaceChildren(player);
      }
      await opened(player, shown);
    }

    /** What any Jupyter would show. @param {Output} output @returns {Promise<HTMLElement>} */
    async plain(output) {
      this.html?.dispose();
      this.html = registry.createRenderer(HTML);
      await this.html.renderModel(output);
      return this.html.node;
    }

    dispose() {
      this.html?.dispose();
      super.dispose();
    }
  };

/** @param {string} words */
function paragraph(words) {
  const made = document.createElement("p");
  made.textContent = words;
  return made;
}

/** @param {Player} player @param {Shown} shown */
async function opened(player, { trace, compare }) {
  try {
    await import(PLAYER);
    await (compare ? player.openPair(trace, compare) : player.open(trace));
  } catch (error) {
    // The plain form stands there already, and a trace that can't be read was told by the player.
    console.warn("the trace player isn't there", error);
  }
}
