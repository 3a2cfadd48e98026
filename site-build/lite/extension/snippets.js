/**
 * *Open in the lab*: a snippet's code becomes a notebook of its own, before JupyterLab opens it. The page around the
 * lab gives the notebook as the frame's `data-snippet`, and its name is in the address already.
 */

/** @typedef {import("./files.js").Files} Files */

/**
 * Write the snippet's notebook, unless it is there with the same code. One with other code is the student's work:
 * then the new one gets a name of its own, and the address follows.
 * @param {Files} files
 */
export async function placeSnippet(files) {
  const given = /** @type {HTMLElement | null} */ (window.frameElement)?.dataset.snippet;
  const here = new URL(location.href);
  const name = here.searchParams.get("path");
  if (!given || !name) return;
  const notebook = JSON.parse(given);
  const present = (await files.names()).includes(name) ? await files.read(name) : null;
  if (present?.metadata.course?.text === notebook.metadata.course.text) return;
  if (!present) {
    await files.write(name, notebook);
    return;
  }
  here.searchParams.set("path", await files.writeBeside(name.replace(/\.ipynb$/, ""), notebook));
  history.replaceState(null, "", here);
}
