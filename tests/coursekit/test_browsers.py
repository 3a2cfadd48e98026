"""Chromium is found, or installed, or its lack is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.failures import BuildFailed
from coursekit.testing import browsers


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser: the folder is its whole PATH."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browsers, "_playwrights_own", lambda: None)
    return tmp_path


def program(folder: Path, name: str) -> str:
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)
    return str(folder / name)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    commands: list[str] = []
    monkeypatch.setattr(browsers, "_quietly", lambda command: commands.append(" ".join(command)))
    return commands


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_one_that_is_there_is_used(bare: Path, ran: list[str], name: str) -> None:
    there = program(bare, name)
    assert browsers.ensure_chromium(print) == there
    assert ran == []


def test_one_that_is_named_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare, "chromium")
    monkeypatch.setenv("CHROMIUM", "/opt/mine")
    assert browsers.ensure_chromium(print) == "/opt/mine"


def test_playwrights_download_is_tried_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def download(command: list[str]) -> None:
        ran.append(" ".join(command[1:]))
        program(bare, "chromium")

    monkeypatch.setattr(browsers, "_quietly", download)
    assert browsers.ensure_chromium(print) == str(bare / "chromium")
    assert ran == ["-m playwright install chromium"]


def test_then_the_systems_packages(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare, "apt-get")
    assert browsers.system_commands(is_root=True) == [
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "chromium"],
    ]
    as_somebody = browsers.system_commands(is_root=False)
    assert [command[:2] for command in as_somebody] == [["sudo", "-n"], ["sudo", "-n"]], "never asks for a password"


def test_where_nothing_helps_one_line_says_so(bare: Path, ran: list[str]) -> None:
    with pytest.raises(BuildFailed) as failure:
        browsers.ensure_chromium(print)
    assert str(failure.value).count("\n") == 0
    assert "Chromium is missing" in str(failure.value)
    assert "CHROMIUM=/path/to/chromium" in str(failure.value)
    assert len(ran) == 1, "Playwright's download was tried, and there is no package manager"
