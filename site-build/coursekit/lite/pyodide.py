"""Python for the browser: Pyodide from npm, precompiled and trimmed, with what the notebook's kernel needs."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from coursekit.compress import compressed_copies
from coursekit.digest import content_hash
from coursekit.lite.archives import read_archive, write_stored
from coursekit.lite.downloads import pinned_wheels
from coursekit.lite.trimming import NOTEBOOK_UNUSED, STDLIB_KEPT, STDLIB_UNUSED, kept
from coursekit.steps import empty_folder
from coursekit.waiting import Watch

RunNode = Callable[[Sequence[str | Path]], object]

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB = "python_stdlib.zip"
NOTEBOOK = "notebook.zip"
MANIFEST = "manifest.mjs"
SNIPPET_FILES = (*CORE, STDLIB)

# Where Pyodide puts the standard library, and where `python.mjs` puts the notebook's packages.
_STDLIB_PREFIX = "/lib/python314.zip/"
_NOTEBOOK_PREFIX = f"/lib/{NOTEBOOK}/"


def build_pyodide(
    out: Path,
    *,
    npm: Path,
    labextension: Path,
    lite: Path,
    downloads: Path,
    compressed: Path,
    node: RunNode,
    watch: Watch,
) -> None:
    """Leave `out/<hash>/`, the runtime that snippets and labs share.

    `npm` is the unpacked npm package `pyodide`, `labextension` the folder of JupyterLite's Pyodide kernel, `lite`
    the project's `site-build/lite`, `downloads` and `compressed` are caches, `node` runs Node on arguments, and
    `watch` is told how far it is.
    """
    empty_folder(out)
    draft = empty_folder(out / "draft")
    for name in CORE:
        shutil.copyfile(npm / name, draft / name)
    for module in sorted((lite / "runtime").glob("*.mjs")):
        shutil.copyfile(module, draft / module.name)

    def compiled(files: Mapping[str, bytes], prefix: str) -> dict[str, bytes]:
        def compile_folder(folder: Path) -> None:
            watch.how_far = partial(_num_compiled, folder)
            node([lite / "precompile.mjs", npm, folder, prefix])

        return _precompiled(files, compile_folder)

    runtime = lite / "runtime"
    course = {f"course_runtime/{path.name}": path.read_bytes() for path in runtime.glob("course_runtime/*.py")}
    stdlib = kept(read_archive(npm / STDLIB), STDLIB_UNUSED, STDLIB_KEPT)
    write_stored(draft / STDLIB, compiled(stdlib | course, _STDLIB_PREFIX))
    wheels = [*pinned_wheels(lite / "wheels.lock", downloads), *kernel_wheels(labextension)]
    packages = notebook_packages(wheels, runtime / "overlay")
    write_stored(draft / NOTEBOOK, compiled(packages, _NOTEBOOK_PREFIX))
    (draft / MANIFEST).write_text(_manifest(draft, npm, compressed, watch), encoding="utf-8")
    draft.rename(out / content_hash([draft], draft)[:12])


def kernel_wheels(labextension: Path) -> list[Path]:
    """The kernel's own wheels, which come inside JupyterLite's extension."""
    return [next((labextension / "static/pypi").glob(f"{name}-*.whl")) for name in ("pyodide_kernel", "ipykernel")]


def notebook_packages(wheels: Sequence[Path], overlay: Path) -> dict[str, bytes]:
    """The modules of all `wheels`, trimmed, with those of `overlay` in the place of their namesakes."""
    modules: dict[str, bytes] = {}
    for wheel in wheels:
        modules |= kept(read_archive(wheel), NOTEBOOK_UNUSED)
    return modules | {path.relative_to(overlay).as_posix(): path.read_bytes() for path in overlay.rglob("*.py")}


def _precompiled(files: Mapping[str, bytes], compile_folder: Callable[[Path], object]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        compile_folder(root)
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def _num_compiled(folder: Path) -> str:
    names = [name for _, _, files in os.walk(folder) for name in files]
    done, left = (sum(name.endswith(ending) for name in names) for ending in (".pyc", ".py"))
    return f"{done:,} of {done + left:,} modules compiled"


def _manifest(folder: Path, npm: Path, compressed: Path, watch: Watch) -> str:
    """What `python.mjs` must know: sizes, raw and as sent with brotli, and a lock file without packages."""
    names = [*CORE[1:], STDLIB, NOTEBOOK]
    copies = compressed_copies([folder / name for name in names], compressed, watch)
    lock = json.loads((npm / "pyodide-lock.json").read_text(encoding="utf-8"))
    facts = {
        "files": {
            name: {
                "bytes": (folder / name).stat().st_size,
                "wire": copies.get(folder / name, {}).get(".br", folder / name).stat().st_size,
            }
            for name in names
        },
        "lock": {"info": lock["info"], "packages": {}},
    }
    return f"// Generated by the build.\nexport const MANIFEST = {json.dumps(facts, indent=1)};\n"


def read_runtime(out: Path) -> Path:
    """The runtime folder that `build_pyodide` left in `out`. Its name is a hash of its content."""
    [folder] = out.iterdir()
    return folder
