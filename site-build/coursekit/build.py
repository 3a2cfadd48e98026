"""The whole build: small steps, each kept until what it reads changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from coursekit.assemble import browser_files, lay_out, tree, with_compressed, write_site
from coursekit.compress import compressed_copies
from coursekit.pages import build_pages
from coursekit.project import Project
from coursekit.runtime import COURSE, runtime_module, wire_bytes
from coursekit.steps import Say, Step, perform
from coursekit.vendor import build_vendor
from coursekit.wheels import build_browser_wheel


def build_site(project: Project, say: Say) -> Path:
    """Build everything that changed and leave the finished site in `build/site`; its path comes back."""
    for step in steps(project):
        perform(step, root=project.root, stamps=project.stamps, say=say)
    write_generated(project, project.pages)
    say("site: putting the parts together, with compressed copies (slow the first time)")
    plan = with_compressed(site_plan(project), project.compressed)
    written = write_site(plan, project.site)
    say(f"site: {len(plan)} files in {project.site.relative_to(project.root)}, {written} of them new")
    return project.site


def steps(project: Project) -> list[Step]:
    """What is built, in an order in which each step finds what it reads."""
    kit, packages = project.coursekit, project.site_build / "package-lock.json"
    pins = project.site_build / "requirements.lock"
    lite_code = (kit / "lite", project.lite_config, packages, pins)
    wheel = Step(
        name="wheel",
        inputs=(project.engine, project.labs, kit / "wheels.py", project.root / "pyproject.toml"),
        output=project.wheels,
        run=partial(build_browser_wheel, project.root, project.wheels),
    )
    pyodide = Step(
        name="pyodide",
        inputs=(project.wheels, *lite_code),
        output=project.pyodide,
        run=lambda: lite_module().build_pyodide(project.pyodide, only_child(project.wheels)),
    )
    lite = Step(
        name="lite",
        inputs=(project.pyodide, project.labs, *lite_code),
        output=project.lite,
        run=lambda: lite_module().build_lite(project.lite, only_child(project.pyodide)),
    )
    vendor = Step(
        name="vendor",
        inputs=(
            *(project.browser / "vendor-src", project.site_build / "bundle.mjs"),
            *(kit / "vendor.py", kit / "fonts.py", packages),
        ),
        output=project.vendor,
        run=lambda: build_vendor(project, project.vendor),
    )
    pages = Step(
        name="pages",
        inputs=(
            *(project.docs, project.overrides, project.root / "mkdocs.yml"),
            *(project.engine, project.labs, kit, pins),
        ),
        output=project.pages,
        run=lambda: build_pages(project.root, project.pages),
    )
    if not find_spec("coursekit.lite"):
        return [wheel, vendor, pages]
    return [wheel, pyodide, lite, vendor, pages]


def lite_module() -> Any:
    return import_module("coursekit.lite")


def only_child(folder: Path) -> Path:
    """The one file or folder that a step leaves in its output folder."""
    [child] = folder.iterdir()
    return child


def site_plan(project: Project) -> dict[str, Path]:
    """Which file stands at which address of the finished site."""
    parts = [
        tree(project.pages, ""),
        browser_plan(project),
        tree(project.vendor, "assets/course/vendor"),
        tree(project.generated, "assets/course"),
        tree(project.lite, "lab"),
        tree(project.pyodide, "py"),
    ]
    return lay_out(parts)


def browser_plan(project: Project) -> dict[str, Path]:
    """The modules and styles of `site-build/browser`, at the addresses that pages load them from."""
    base = project.browser
    return {f"assets/course/{file.relative_to(base).as_posix()}": file for file in browser_files(base)}


def write_generated(project: Project, pages: Path) -> None:
    """Write what modules read of the build: `runtime.js` and `course-map.json`."""
    project.generated.mkdir(parents=True, exist_ok=True)
    write_if_new(project.generated / "runtime.js", runtime_module(runtime_facts(project)))
    if find_spec("coursekit.course_map"):
        course_map = import_module("coursekit.course_map").collect(project.root, pages)
        text = json.dumps(course_map, ensure_ascii=False, indent=1)
        write_if_new(project.generated / "course-map.json", text)


def write_if_new(path: Path, text: str) -> None:
    """Write a text unless the file says just that already, so that its date means something."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def runtime_facts(project: Project) -> dict[str, Any]:
    """What `runtime.js` exports; the shape is a seam that DESIGN.md describes."""
    if not project.pyodide.is_dir():
        return {
            "course": COURSE,
            "pyodide": "py/",
            "engineVersion": project.version(),
            "bytes": {},
            "labs": {},
        }
    pyodide = only_child(project.pyodide)
    core = [
        *pyodide.glob("pyodide*"),
        *pyodide.glob("python_stdlib.zip"),
        *pyodide.glob("inside_the_batch-*.whl"),
    ]
    return {
        "course": COURSE,
        "pyodide": f"py/{pyodide.name}/",
        "engineVersion": project.version(),
        "bytes": {"snippet": _sent(project, core), "lab": _sent(project, tree(pyodide, "").values())},
        "labs": import_module("coursekit.lite").lab_facts(),
    }


def _sent(project: Project, files: Iterable[Path]) -> int:
    wanted = list(files)
    copies: Mapping[Path, Mapping[str, Path]] = compressed_copies(wanted, project.compressed)
    return wire_bytes(wanted, copies)
