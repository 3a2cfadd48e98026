"""Style sheets are joined into one, and a missing one is named."""

from pathlib import Path

import pytest

from coursekit.failures import BuildFailed
from coursekit.styles import join_styles

SHEET = '/* All. */\n@import url("a.css");\n@import url("b.css");\nbody { margin: 0 }\n'


def test_parts_take_the_place_of_their_imports(tmp_path: Path) -> None:
    sheet = tmp_path / "course.css"
    sheet.write_text(SHEET, encoding="utf-8")
    (tmp_path / "a.css").write_text("a { color: red }", encoding="utf-8")
    (tmp_path / "b.css").write_text("b { background: url(x\\y.png) }", encoding="utf-8")
    join_styles(sheet)
    assert sheet.read_text(encoding="utf-8") == (
        "/* All. */\na { color: red }\nb { background: url(x\\y.png) }\nbody { margin: 0 }\n"
    )
    assert [file.name for file in tmp_path.iterdir()] == ["course.css"]


@pytest.mark.parametrize("name", ["gone.css", "../outside.css"])
def test_a_part_that_is_not_beside_the_sheet_is_named(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "styles"
    folder.mkdir()
    (tmp_path / "outside.css").write_text("", encoding="utf-8")
    sheet = folder / "course.css"
    sheet.write_text(f'@import url("{name}");\n', encoding="utf-8")
    with pytest.raises(BuildFailed, match=name):
        join_styles(sheet)
