/**
 * Start Python: Pyodide, what the course adds to it, and the course's own wheel as readable source.
 * Snippets and the lab's kernel both start here, from the same addresses, so that they share what is cached.
 */
import { loadPyodide as load } from "./pyodide.mjs";
import { MANIFEST } from "./manifest.mjs";
import { MissingFile, watchFetches, withReason } from "./loading.mjs";
import { Batches } from "./output.mjs";
import { installStop } from "./stop.mjs";

const HERE = new URL("./", import.meta.url);
const NOTEBOOK_ARCHIVE = "notebook.zip";
const SOURCE_FOLDER = "/course";

/** @param {string | URL} url */
async function bytesOf(url) {
  const response = await fetch(url);
  if (!response.ok) throw new MissingFile(String(url));
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {any} py @param {Uint8Array} wheel the project's own, which stays source */
function unpackSource(py, wheel) {
  py.FS.writeFile("/tmp/course.whl", wheel);
  py.runPython(`
import sys, zipfile
with zipfile.ZipFile("/tmp/course.whl") as wheel:
    wheel.extractall("${SOURCE_FOLDER}")
sys.path.insert(0, "${SOURCE_FOLDER}")
`);
  py.FS.unlink("/tmp/course.whl");
}

/** @param {any} py @param {Uint8Array} archive precompiled modules, imported from the archive itself */
function addArchive(py, archive) {
  py.FS.writeFile(`/lib/${NOTEBOOK_ARCHIVE}`, archive);
  py.runPython(`import sys; sys.path.append("/lib/${NOTEBOOK_ARCHIVE}")`);
}

/**
 * @param {object} settings
 * @param {string} settings.wheel absolute address of the project's wheel
 * @param {boolean} [settings.notebook] whether the notebook's packages are wanted too
 * @param {(progress: { loaded: number, total: number }) => void} [settings.tell] bytes as sent
 * @param {object} [settings.options] for Pyodide
 * @returns {Promise<{ py: any, output: Batches }>} rejects with an error whose `reason` is "missing" or "failed"
 */
export async function startPython({ wheel, notebook = false, tell = () => {}, options = {} }) {
  const { [NOTEBOOK_ARCHIVE]: extra, ...core } = MANIFEST.files;
  const watch = watchFetches(notebook ? MANIFEST.files : core, tell);
  try {
    const own = bytesOf(wheel);
    const archive = notebook ? bytesOf(new URL(NOTEBOOK_ARCHIVE, HERE)) : null;
    const python = load({
      ...options,
      indexURL: HERE.href,
      packageBaseUrl: HERE.href,
      lockFileContents: MANIFEST.lock,
    });
    const all = Promise.all([python, own, archive]);
    const [py, source, packages] = await Promise.race([all, watch.missing]);
    watch.done("pyodide.asm.wasm", "pyodide.asm.mjs");
    unpackSource(py, source);
    if (packages) addArchive(py, packages);
    const output = new Batches();
    installStop(py, (now) => output.tick(now));
    return { py, output };
  } catch (error) {
    throw withReason(error);
  } finally {
    watch.finish();
  }
}
