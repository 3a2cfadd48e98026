/** A lesson's snippet as a notebook of its own, for *Open in the lab*. */

/** A short mark of a text: enough to see whether two are the same. @param {string} text */
function mark(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

/** @param {string} id of the snippet @param {string} title @param {string} code @returns {import("./lab-frame.js").Placed} */
export function snippetNotebook(id, title, code) {
  const words = { cell_type: "markdown", id: "about", metadata: {}, source: `# ${title}\n\nThis code comes from a lesson. Change it as you like; the lesson keeps its own.` };
  const cell = { cell_type: "code", id: "code", metadata: {}, execution_count: null, outputs: [], source: code };
  return {
    name: `snippet-${id}.ipynb`,
    notebook: {
      cells: [words, cell],
      metadata: {
        course: { snippet: id, text: mark(code) },
        kernelspec: { name: "python", display_name: "Python", language: "python" },
        language_info: { name: "python" },
      },
      nbformat: 4,
      nbformat_minor: 5,
    },
  };
}
