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


def build_pages(root: Path, out: Path) -> None:
    """Build every page into `out`, emptied first. A warning is a failure, as a broken link is."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, BuildError, ConfigurationError

    words = _Words()
    log = logging.getLogger("mkdocs")
    log.addHandler(words)
    try:
        config = load_config(str(root / "mkdocs.yml"), site_dir=str(empty_folder(out)), strict=True)
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    except (Abort, BuildError, ConfigurationError) as failure:
        said = "\n".join([*words.lines, str(failure)])
        raise BuildFailed(said) from failure
    finally:
        log.removeHandler(words)
