"""What can be done is listed, pinned, and called by the name it is listed under."""

from __future__ import annotations

import json
import re
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from coursekit.cli import COMMANDS, main
from coursekit.project import here
from tests.coursekit.test_analysis import one, student

ROOT = here().root
LOCKS = ("requirements.lock", "node.lock", "lite/wheels.lock")


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^\.PHONY: (\S+)$", makefile, re.MULTILINE))
    # Under `make test` an inner make would also tell which folder it enters.
    command = ["make", "--no-print-directory", "help"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in listed.splitlines()[1:]} == targets
    assert {"help", "serve", "test", "test-long", "author", "build", "check", "bench", "clean"} <= targets


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module, _ = COMMANDS[name]
    with pytest.raises(SystemExit) as done:
        import_module(module).main(["--help"])
    assert done.value.code == 0
    assert f"usage: python -m coursekit {name}" in capsys.readouterr().out


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bake"])
    err = capsys.readouterr().err
    assert err.startswith("python -m coursekit: argument command: invalid choice: 'bake' (choose from")
    assert err.endswith("\n`python -m coursekit --help` lists what it takes\n")


def test_a_place_that_can_not_be_written_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = student(tmp_path, "a", check=[one(True)])
    assert main(["analyse", str(results), "--out", str(tmp_path / "none" / "x")]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'none' / 'x.html'}: No such file or directory\n"


def test_a_folder_without_pages_is_not_called_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert f"no Markdown file in {tmp_path}" in capsys.readouterr().out


def test_a_wrong_option_is_told_first_and_shortly(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["serve", "--prot", "1"])
    assert done.value.code == 2
    assert capsys.readouterr().err == (
        "python -m coursekit serve: --prot is no option; did you mean --port?\n"
        "`python -m coursekit serve --help` lists what it takes\n"
    )


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_a_hash_and_no_origin(name: str) -> None:
    text = (ROOT / "site-build" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    pins = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert pins
    assert [pin for pin in pins if not re.match(r"[\w.\-\[\]]+==\S+ .*--hash=sha256:[0-9a-f]{64}", pin)] == []
    assert "://" not in text


def test_every_npm_package_has_a_hash_and_no_origin() -> None:
    packages = json.loads((ROOT / "site-build/package-lock.json").read_text(encoding="utf-8"))["packages"]
    fetched = {name: package for name, package in packages.items() if name}
    assert fetched
    assert [name for name, package in fetched.items() if "integrity" not in package or "resolved" in package] == []


def test_what_must_move_together_does() -> None:
    wanted = json.loads((ROOT / "site-build/package.json").read_text(encoding="utf-8"))["devDependencies"]
    constants = import_module("jupyterlite_pyodide_kernel.constants")
    assert wanted["pyodide"] == constants.PYODIDE_VERSION
