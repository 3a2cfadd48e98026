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
/** Where the project's own modules seem to stand: `/course/engine/blocks.py`, in tracebacks and in `??`. */
const OWN_PLACE = "/course";
/** Where its wheel lies until it is unpacked: in Pyodide's file system, which is memory. */
const WHEEL_IN_MEMORY = "/own-wheel-in-memory.zip";

/** @param {string | URL} url */
async function bytesOf(url) {
  const response = await fetch(url);
  if (!response.ok) throw new MissingFile(String(url));
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * The project's own wheel as files, which a lab may read; they unpack while the notebook's page still loads.
 * @param {any} py @param {Uint8Array} wheel
 */
function unpackOwn(py, wheel) {
  py.FS.writeFile(WHEEL_IN_MEMORY, wheel);
  py.runPython(`
import sys, zipfile
zipfile.ZipFile("${WHEEL_IN_MEMORY}").extractall("${OWN_PLACE}")
sys.path.append("${OWN_PLACE}")
`);
  py.FS.unlink(WHEEL_IN_MEMORY);
}

/**
 * Have Python import from an archive itself: unpacking hundreds of files takes longer than reading what is wanted.
 * @param {any} py @param {string} place what its modules' files begin with @param {Uint8Array} archive
 */
function addArchive(py, place, archive) {
  py.FS.writeFile(place, archive);
  py.runPython(`import sys; sys.path.append("${place}")`);
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
    if (packages) {
      unpackOwn(py, source);
      addArchive(py, `/lib/${NOTEBOOK_ARCHIVE}`, packages);
    } else addArchive(py, OWN_PLACE, source);
    const output = new Batches();
    installStop(py, (now) => output.tick(now));
    return { py, output };
  } catch (error) {
    throw withReason(error);
  } finally {
    watch.finish();
  }
}
