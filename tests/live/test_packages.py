"""What the link needs is written down twice, alike: for who installs it, and for who builds the course."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_extra_has_the_versions_that_the_tests_run_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pinned = re.findall(r"^[\w-]+==\S+$", (ROOT / "site-build" / "requirements.in").read_text("utf-8"), re.MULTILINE)
    extra = project["optional-dependencies"]["live"]
    assert len(extra) == 7
    assert set(extra) <= set(pinned)


def test_the_engine_itself_needs_nothing() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"] == []
