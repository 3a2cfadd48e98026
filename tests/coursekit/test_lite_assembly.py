"""The parts of the browser's Python and of the lab's application, put together without a browser."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from coursekit.failures import BuildFailed
from coursekit.lite import build_lab_pages
from coursekit.lite.archives import read_archive, write_stored
from coursekit.lite.downloads import pinned_wheels
from coursekit.lite.joining import join_parts
from coursekit.lite.trimming import NOTEBOOK_UNUSED, STDLIB_KEPT, STDLIB_UNUSED, kept


def test_an_archive_is_stored_and_its_bytes_depend_on_its_content_alone(tmp_path: Path) -> None:
    write_stored(tmp_path / "one.zip", {"b.py": b"2", "a/c.py": b"1"})
    write_stored(tmp_path / "two.zip", {"a/c.py": b"1", "b.py": b"2"})
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert read_archive(tmp_path / "one.zip") == {"a/c.py": b"1", "b.py": b"2"}
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}


def test_the_standard_library_loses_what_a_browser_cant_use_alone() -> None:
    names = ["json/decoder.py", "random.py", "doctest.py", "multiprocessing/pool.py", "encodings/cp437.py"]
    names += ["encodings/cp1250.py", "encodings/utf_8.py", "tkinter/__init__.py", "dataclasses.py", "pydoc.py"]
    left = kept(dict.fromkeys(names, b""), STDLIB_UNUSED, STDLIB_KEPT)
    gone = {"multiprocessing/pool.py", "encodings/cp1250.py", "tkinter/__init__.py"}
    assert set(left) == set(names) - gone


def test_the_kernels_packages_keep_what_it_imports() -> None:
    needed = ["IPython/core/interactiveshell.py", "IPython/terminal/__init__.py", "IPython/terminal/embed.py"]
    needed += ["IPython/terminal/pt_inputhooks/__init__.py", "pygments/lexers/python.py", "pygments/lexers/__init__.py"]
    needed += ["pygments/lexers/_mapping.py", "pygments/styles/default.py", "pygments/formatters/terminal256.py"]
    needed += ["pygments/styles/monokai.py", "pygments/styles/pastie.py", "pygments/styles/gruvbox.py"]
    unused = ["IPython/terminal/interactiveshell.py", "pygments/lexers/ruby.py", "ipython-9.12.0.dist-info/METADATA"]
    assert set(kept(dict.fromkeys([*needed, *unused], b""), NOTEBOOK_UNUSED)) == set(needed)


def test_parts_are_joined_before_the_bundle_that_starts_them(tmp_path: Path) -> None:
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks/bundle.js").write_text("var BUNDLE;", encoding="utf-8")
    (tmp_path / "12.0a1b2c3.js").write_text('"use strict";part(12)', encoding="utf-8")
    (tmp_path / "34.0a1b2c3.js").write_text("part(34)", encoding="utf-8")
    listing = tmp_path / "first.txt"
    listing.write_text("# 99 is a comment\n12\n", encoding="utf-8")
    join_parts(tmp_path, listing)
    assert (tmp_path / "lab.js").read_text(encoding="utf-8") == '(()=>{"use strict";part(12)\n})();\nvar BUNDLE;'
    assert (tmp_path / "34.0a1b2c3.js").exists()
    assert not (tmp_path / "12.0a1b2c3.js").exists()


def test_a_part_that_isnt_there_is_told_with_its_mend(tmp_path: Path) -> None:
    listing = tmp_path / "first.txt"
    listing.write_text("77\n", encoding="utf-8")
    with pytest.raises(BuildFailed, match=r"0 parts named 77, not one.*make the list anew"):
        join_parts(tmp_path, listing)


def test_wheels_that_are_there_need_no_network(tmp_path: Path) -> None:
    wheel = tmp_path / "small-1.0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    lock = tmp_path / "wheels.lock"
    digest = hashlib.sha256(b"wheel").hexdigest()
    lock.write_text(f"# pinned\nsmall==1.0 --hash=sha256:{digest}\n", encoding="utf-8")
    assert pinned_wheels(lock, tmp_path) == [wheel]


def test_wheels_that_dont_arrive_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    lock = tmp_path / "wheels.lock"
    lock.write_text(f"no-such-thing==1.0 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    with pytest.raises(BuildFailed, match="The first build needs the network"):
        pinned_wheels(lock, tmp_path / "downloads")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """What the application's step leaves, in little."""
    home = tmp_path / "built"
    home.mkdir()
    settings = {
        "course": {"bundle": "../app/x/lab.js", "kernel": "k.js"},
        "federated_extensions": [],
        "note": "</script>",
    }
    (home / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return home


def test_the_labs_page_holds_its_settings_and_its_notebooks_are_listed(tmp_path: Path, built: Path) -> None:
    lite = tmp_path / "lite"
    (lite / "extension").mkdir(parents=True)
    (lite / "extension/boot.js").write_text("", encoding="utf-8")
    (lite / "notebook.html").write_text("<p>@BUNDLE@ @COURSE@</p><script>@SETTINGS@</script>", encoding="utf-8")
    tokens = tmp_path / "tokens.css"
    tokens.write_text('src: url("vendor/fonts/a.woff2")', encoding="utf-8")
    out = tmp_path / "out"
    build_lab_pages(
        out,
        built=built,
        lite=lite,
        tokens=tokens,
        notebooks={"small.ipynb": "{}"},
        places={"python": "../py/0/", "wheel": "../wheels/1/w.whl"},
        course=("my-course", "My Course"),
    )
    page = (out / "notebooks/index.html").read_text(encoding="utf-8")
    [course] = (out / "course").iterdir()
    assert page.startswith(f"<p>../app/x/lab.js ../course/{course.name}</p>")
    assert page.count("</script>") == 1
    settings = json.loads(page[page.index("{") : page.rindex("}") + 1])
    places = {"python": "../py/0/", "wheel": "../wheels/1/w.whl"}
    assert settings["course"] == {"kernel": "k.js", "id": "my-course", **places}
    assert (settings["appName"], settings["contentsStorageName"]) == ("My Course", "my-course/lab-files")
    listing = json.loads((out / "api/contents/all.json").read_text(encoding="utf-8"))
    assert [(entry["name"], entry["size"]) for entry in listing["content"]] == [("small.ipynb", 2)]
    styles = (course / "tokens.css").read_text(encoding="utf-8")
    assert styles == 'src: url("../../../assets/course/vendor/fonts/a.woff2")'
