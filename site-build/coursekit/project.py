"""Where things stand: one place that knows the names of the project's folders."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Project:
    """The folders of one checkout. Everything under `build` is generated and never committed."""

    root: Path

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    @property
    def engine(self) -> Path:
        return self.root / "engine"

    @property
    def labs(self) -> Path:
        return self.root / "labs"

    @property
    def site_build(self) -> Path:
        return self.root / "site-build"

    @property
    def coursekit(self) -> Path:
        return self.site_build / "coursekit"

    @property
    def browser(self) -> Path:
        return self.site_build / "browser"

    @property
    def overrides(self) -> Path:
        return self.site_build / "overrides"

    @property
    def lite_config(self) -> Path:
        return self.site_build / "lite"

    @property
    def node_modules(self) -> Path:
        return self.site_build / "node_modules"

    @property
    def build(self) -> Path:
        return self.root / "build"

    @property
    def stamps(self) -> Path:
        return self.build / ".stamps"

    @property
    def wheels(self) -> Path:
        return self.build / "wheels"

    @property
    def pyodide(self) -> Path:
        return self.build / "py"

    @property
    def lite(self) -> Path:
        return self.build / "lite"

    @property
    def lab_pages(self) -> Path:
        return self.build / "lab-pages"

    @property
    def vendor(self) -> Path:
        return self.build / "vendor"

    @property
    def player(self) -> Path:
        return self.build / "player"

    @property
    def pages(self) -> Path:
        return self.build / "pages"

    @property
    def generated(self) -> Path:
        return self.build / "generated"

    @property
    def compressed(self) -> Path:
        return self.build / "compressed"

    @property
    def site(self) -> Path:
        return self.build / "site"

    def version(self) -> str:
        """The version of the engine and of the wheel, as `pyproject.toml` states it."""
        settings = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        version = settings["project"]["version"]
        assert isinstance(version, str)
        return version


def here() -> Project:
    """The checkout that this module stands in."""
    return Project(Path(__file__).resolve().parents[2])
