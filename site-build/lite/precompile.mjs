/**
 * Compile Python sources to .pyc with the very Pyodide that will run them. Compiling, not reading, is what makes
 * a kernel slow to start.
 *
 *     node precompile.mjs PYODIDE FOLDER PREFIX
 *
 * Every .py under FOLDER becomes a .pyc of the same name, and its code says that it came from PREFIX.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, folder, prefix] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const py = await loadPyodide({ indexURL: pyodide + path.sep });
py.FS.mkdirTree("/sources");
py.FS.mount(py.FS.filesystems.NODEFS, { root: folder }, "/sources");
py.globals.set("prefix", prefix);
py.runPython(`
import importlib.util
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

for file in sorted(Path("/sources").rglob("*.py")):
    source = file.read_bytes()
    name = prefix + str(file.relative_to("/sources"))
    code = compile(source, name, "exec", dont_inherit=True, optimize=0)
    file.with_suffix(".pyc").write_bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))
    file.unlink()
`);
