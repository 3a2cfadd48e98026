"""The whole build: small steps, each kept until what it reads changes."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path

from coursekit.assemble import browser_files, lay_out, tree, with_compressed, write_site
from coursekit.course_map import lab_folders
from coursekit.generated import python_address, wheel_address, write_generated
from coursekit.labs import lab_notebook, lab_version
from coursekit.lite import APP, build_lab_pages, build_lite, build_pyodide
from coursekit.node import run_node
from coursekit.pages import build_pages
from coursekit.player import build_player
from coursekit.project import Project
from coursekit.runtime import course_id, course_title
from coursekit.steps import Step, perform
from coursekit.vendor import build_vendor
from coursekit.waiting import Say, waiting
from coursekit.wheels import build_browser_wheel


def build_site(project: Project, say: Say) -> Path:
    """Build everything that changed and leave the finished site in `build/site`; its path comes back."""
    for step in steps(project):
        perform(step, root=project.root, stamps=project.stamps, say=say)
    with waiting("site: telling pages what there is, and how large", say):
        write_generated(project, project.pages, project.generated)
    with waiting("site: compressing what shrinks, each file once", say) as watch:
        plan = with_compressed(site_plan(project), project.compressed, watch)
    with waiting("site: putting files in their places", say):
        written = write_site(plan, project.site)
    say(f"site: {len(plan)} files in {project.site.relative_to(project.root)}, {written} of them new")
    return project.site


def steps(project: Project) -> list[Step]:
    """What is built, in an order in which each step finds what it reads."""
    makers = (wheel_step, pyodide_step, lite_step, lab_pages_step, vendor_step, player_step, pages_step)
    return [make(project) for make in makers]


def wheel_step(project: Project) -> Step:
    """The engine and the labs' graders, for the browser."""
    kit = project.coursekit
    return Step(
        name="wheel",
        what="packing the engine and the labs for the browser",
        inputs=(
            project.engine,
            project.labs,
            kit / "wheels.py",
            kit / "labs",
            project.root / "pyproject.toml",
            project.root / "mkdocs.yml",
        ),
        output=project.wheels,
        run=lambda _: build_browser_wheel(project.root, project.wheels, lab_notes(project)),
    )


def lab_notes(project: Project) -> dict[str, str]:
    """What the wheel carries of each lab besides its sources: its version and its course."""
    course = course_id(project.root)
    notes = {folder.name: {"version": lab_version(folder), "course": course} for folder in lab_folders(project.labs)}
    return {name: json.dumps(note) for name, note in notes.items()}


def pyodide_step(project: Project) -> Step:
    """Python for the browser, which snippets and labs share."""
    return Step(
        name="pyodide",
        what="compiling Python's packages for the browser, which takes a while",
        inputs=(project.coursekit / "lite", project.lite_config, *_locks(project)),
        output=project.pyodide,
        run=lambda watch: build_pyodide(
            project.pyodide,
            npm=project.node_modules / "pyodide",
            labextension=labextension(),
            lite=project.lite_config,
            downloads=project.build / "downloads",
            compressed=project.compressed,
            node=partial(run_node, project),
            watch=watch,
        ),
    )


def lite_step(project: Project) -> Step:
    """JupyterLite with the Notebook app alone."""
    return Step(
        name="lite",
        what="building JupyterLite",
        inputs=(
            *(project.coursekit / "lite", project.lite_config / "settings.json"),
            *(project.lite_config / "first-visit.txt", *_locks(project)),
        ),
        output=project.lite,
        run=lambda _: build_lite(project.lite, lite=project.lite_config, labextension=labextension()),
    )


def lab_pages_step(project: Project) -> Step:
    """The lab's page, which names the current wheel, and the labs' notebooks."""
    return Step(
        name="lab-pages",
        what="writing the lab's page and notebooks",
        inputs=(
            *(project.lite / "settings.json", project.lite_config, project.pyodide),
            *(project.wheels, project.labs, project.coursekit / "labs", project.coursekit / "lite"),
            *(project.overrides / "assets/course/tokens.css", project.root / "mkdocs.yml"),
        ),
        output=project.lab_pages,
        run=lambda _: build_lab_pages(
            project.lab_pages,
            built=project.lite,
            lite=project.lite_config,
            tokens=project.overrides / "assets/course/tokens.css",
            notebooks={f"{folder.name}.ipynb": lab_notebook(folder) for folder in lab_folders(project.labs)},
            course=(course_id(project.root), course_title(project.root)),
            places={"python": f"../{python_address(project)}", "wheel": f"../{wheel_address(project)}"},
        ),
    )


def labextension() -> Path:
    """Where JupyterLite's Pyodide kernel is installed."""
    return Path(sys.prefix) / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension"


def vendor_step(project: Project) -> Step:
    """Bundles and faces from npm."""
    kit = project.coursekit
    return Step(
        name="vendor",
        what="bundling the editor and the faces",
        inputs=(
            *(project.browser / "vendor-src", project.browser / "lib" / "dom.js", project.site_build / "bundle.mjs"),
            *(kit / "vendor.py", kit / "fonts.py", *_locks(project)),
        ),
        output=project.vendor,
        run=lambda _: build_vendor(project, project.vendor),
    )


def player_step(project: Project) -> Step:
    """The trace player, as one module."""
    return Step(
        name="player",
        what="bundling the trace player",
        inputs=(
            *(project.browser / "trace-player.js", project.browser / "lib", project.site_build / "player.mjs"),
            *(project.coursekit / "player.py", project.site_build / "package-lock.json"),
        ),
        output=project.player,
        run=lambda _: build_player(project, project.player),
    )


def pages_step(project: Project) -> Step:
    """Every page, by MkDocs."""
    return Step(
        name="pages",
        what="making the pages from lessons",
        inputs=(
            *(project.docs, project.overrides, project.root / "mkdocs.yml"),
            *(project.engine, project.labs, project.coursekit, *_locks(project)),
        ),
        output=project.pages,
        run=lambda _: build_pages(project.root, project.pages),
        extra=os.environ.get("SITE_URL", ""),  # mkdocs.yml reads it
    )


def _locks(project: Project) -> tuple[Path, Path]:
    return project.site_build / "requirements.lock", project.site_build / "package-lock.json"


def site_plan(project: Project) -> dict[str, Path]:
    """Which file stands at which address of the finished site."""
    pages = [tree(project.pages, ""), tree(project.generated, "assets/course"), browser_plan(project)]
    return lay_out([*pages, *(tree(folder, at) for at, folder in loaded_parts(project))])


def loaded_parts(project: Project) -> list[tuple[str, Path]]:
    """What pages load and no page is made from: address and folder."""
    return [
        ("assets/course/vendor", project.vendor),
        ("assets/course", project.player),
        ("lab", project.lite / APP),
        ("lab", project.lab_pages),
        ("py", project.pyodide),
        ("wheels", project.wheels),
    ]


def browser_plan(project: Project) -> dict[str, Path]:
    """The modules and styles of `site-build/browser`, at the addresses that pages load them from."""
    base = project.browser
    return {f"assets/course/{file.relative_to(base).as_posix()}": file for file in browser_files(base)}
