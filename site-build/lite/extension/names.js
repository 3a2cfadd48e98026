/**
 * Names for what JupyterLab leaves without: its editors, its buttons that fold a section, its main part. Its list
 * of cells is a feed, and the parts of a feed are articles.
 */

/** @type {Record<string, Record<string, string>>} what to give to each part that hasn't got it */
const GIVEN = {
  ".jp-CodeCell .cm-content": { "aria-label": "Code of this cell" },
  ".jp-MarkdownCell .cm-content": { "aria-label": "Text of this cell" },
  ".jp-collapseHeadingButton": { "aria-label": "Fold or unfold this section" },
  ".jp-Notebook-cell": { role: "article" },
  "[role=main]": { "aria-label": "Notebook" },
};

/** @param {ParentNode} place */
function giveNames(place) {
  for (const [part, attributes] of Object.entries(GIVEN)) {
    for (const [name, value] of Object.entries(attributes)) {
      for (const node of place.querySelectorAll(`${part}:not([${name}])`)) node.setAttribute(name, value);
    }
  }
}

/** Name what is there, and what comes as cells are shown, added and edited. @param {HTMLElement} notebook */
export function keepNamed(notebook) {
  giveNames(document);
  new MutationObserver(() => giveNames(notebook)).observe(notebook, { childList: true, subtree: true });
}
