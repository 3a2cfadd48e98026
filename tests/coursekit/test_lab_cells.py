"""A lab's text becomes a notebook; what can't be read is told with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coursekit.failures import BuildFailed
from coursekit.labs import lab_notebook, lab_version, read_cells

LAB = """# For authors alone.

# %% [markdown]
# # A title
#
# Text with **weight**.

# %% id="task"
answer = 42


def double(n):
    return 2 * n

# %%
print(answer)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A lab's folder with its text."""
    home = tmp_path / "small"
    home.mkdir()
    (home / "lab.py").write_text(LAB, encoding="utf-8")
    return home


def test_cells_are_read_with_kind_text_and_id(folder: Path) -> None:
    cells = [(cell.kind, cell.source, cell.id, cell.line) for cell in read_cells(folder / "lab.py")]
    assert cells == [
        ("markdown", "# A title\n\nText with **weight**.", None, 3),
        ("code", "answer = 42\n\n\ndef double(n):\n    return 2 * n", "task", 8),
        ("code", "print(answer)", None, 15),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("# %% title\nx", ":1: '# %% title' opens no cell; a cell opens with"),
        ('# %% id="A b"\nx', ":1: the id 'A b' can't be kept; use small letters"),
        ("# %% [markdown]\n# fine\nnot fine", ":3: 'not fine' stands in a markdown cell"),
        ('# %% id="x"\n1\n# %% id="x"\n2', ":1: the id 'x' is taken"),
    ],
)
def test_faults_name_their_line_and_the_mend(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "lab.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BuildFailed) as raised:
        read_cells(path)
    assert str(raised.value).startswith(f"{path}{fault}")


def test_the_notebook_says_which_lab_it_is_and_keeps_ids(folder: Path) -> None:
    notebook = json.loads(lab_notebook(folder))
    assert notebook["metadata"]["course"]["lab"] == "small"
    assert notebook["metadata"]["course"]["version"] == lab_version(folder)
    assert notebook["cells"][1]["id"] == "task"
    assert "".join(notebook["cells"][1]["source"]).startswith("answer = 42\n")
    assert len({cell["id"] for cell in notebook["cells"]}) == 3
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)


def test_a_cells_id_stays_while_its_text_does(folder: Path) -> None:
    before = json.loads(lab_notebook(folder))["cells"]
    (folder / "lab.py").write_text(
        LAB.replace("# %% [markdown]", "# %%\nfirst = 1\n\n# %% [markdown]"), encoding="utf-8"
    )
    after = json.loads(lab_notebook(folder))["cells"]
    assert [cell["id"] for cell in after[1:]] == [cell["id"] for cell in before]


def test_the_text_mark_follows_the_cells_and_the_version_all_that_is_given(folder: Path) -> None:
    def marks() -> tuple[str, str]:
        course = json.loads(lab_notebook(folder))["metadata"]["course"]
        return course["text"], course["version"]

    text, version = marks()
    (folder / "solution.py").write_text("secret = 1", encoding="utf-8")
    assert marks() == (text, version)
    (folder / "grading.py").write_text("strict = True", encoding="utf-8")
    assert marks()[0] == text
    assert marks()[1] != version
    (folder / "lab.py").write_text(LAB + "more = 1\n", encoding="utf-8")
    assert marks()[0] != text
