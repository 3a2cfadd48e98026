"""The pages: MkDocs, called as a library."""

from __future__ import annotations

import logging
from pathlib import Path

from coursekit import reporting
from coursekit.failures import BuildFailed
from coursekit.steps import empty_folder
from coursekit.styles import join_styles
from coursekit.validate import validate_course

SEARCH = "material/search"
"""The theme's plugin for searching. Plain `search` in mkdocs.yml means this one."""


class _Words(logging.Handler):
    """Keeps warnings and errors, for the terminal and for the author's page."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # What our own fences warn of was told before, with file and line.
        if record.name != reporting.LOGGER:
            self.lines.append(record.getMessage())


def build_pages(root: Path, out: Path, *, strict: bool = True, index: bool = True) -> list[str]:
    """Build every page into `out`, emptied first; what is wrong with them comes back. Without `index`, which is half of
    the work, there is no search index.

    The course's own problems come first, as `file:line:column: what; the mend`, then MkDocs' warnings. Raises
    BuildFailed when MkDocs can't build, and where `strict` for any problem, as for a broken link.
    """
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, BuildError, ConfigurationError

    problems = [str(problem) for problem in validate_course(root)]
    if strict and problems:
        raise BuildFailed("\n".join(problems))
    words = _Words()
    log = logging.getLogger("mkdocs")
    log.addHandler(words)
    try:
        config = load_config(str(root / "mkdocs.yml"), site_dir=str(empty_folder(out)), strict=False)
        if not index and SEARCH in config.plugins:
            config.plugins[SEARCH].config.enabled = False
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    except (Abort, BuildError, ConfigurationError) as failure:
        raise BuildFailed("\n".join([*problems, *words.lines, str(failure)])) from failure
    except UnicodeDecodeError as failure:
        # Where that is was told with the course's own problems: MkDocs says neither file nor line.
        raise BuildFailed("\n".join(problems or [str(failure)])) from failure
    finally:
        log.removeHandler(words)
    if strict and words.lines:
        raise BuildFailed("\n".join(words.lines))
    for sheet in out.glob("assets/course/course.css"):
        join_styles(sheet)
    return [*problems, *words.lines]
