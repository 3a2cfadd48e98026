"""The pages: MkDocs, called as a library."""

from __future__ import annotations

import logging
from pathlib import Path

from coursekit.failures import BuildFailed
from coursekit.steps import empty_folder


class _Words(logging.Handler):
    """Keeps warnings and errors, for the terminal and for the author's page."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def build_pages(root: Path, out: Path, *, strict: bool = True) -> list[str]:
    """Build every page into `out`, emptied first; the warnings come back.

    Raises BuildFailed when MkDocs can't build, and where `strict` also when it warns, as of a broken link.
    """
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, BuildError, ConfigurationError

    words = _Words()
    log = logging.getLogger("mkdocs")
    log.addHandler(words)
    try:
        config = load_config(str(root / "mkdocs.yml"), site_dir=str(empty_folder(out)), strict=False)
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    except (Abort, BuildError, ConfigurationError) as failure:
        raise BuildFailed("\n".join([*words.lines, str(failure)])) from failure
    finally:
        log.removeHandler(words)
    if strict and words.lines:
        raise BuildFailed("\n".join(words.lines))
    return words.lines
