"""The built site keeps its promises to whoever hosts it and to whoever grades with it. `make build` makes it."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import brotli
import pytest

from coursekit.project import here

PROJECT = here()
SITE = PROJECT.site
LOADING = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src", "video": "src"}


@pytest.fixture(autouse=True)
def built() -> None:
    assert SITE.is_dir(), "build/site is missing: `make build` makes it"


def pages() -> Iterator[Path]:
    """Our own pages; the lab's are JupyterLite's."""
    yield from (page for page in SITE.rglob("*.html") if not page.is_relative_to(SITE / "lab"))


class Addresses(HTMLParser):
    """Collects what a page loads and what it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get(LOADING.get(tag, "")) and found.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(found[LOADING[tag]] or "")
        if tag == "a" and found.get("href"):
            self.linked.append(found["href"] or "")


def addresses(page: Path) -> Addresses:
    parser = Addresses()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def test_pages_load_nothing_from_another_host() -> None:
    foreign = [(page, url) for page in pages() for url in addresses(page).loaded if re.match(r"(https?:)?//", url)]
    assert foreign == []


def test_styles_load_nothing_from_another_host() -> None:
    pattern = re.compile(r"(?:@import\s+|url\()[\"']?(?:https?:)?//[^\"')]+")
    foreign = [(sheet, found) for sheet in SITE.rglob("*.css") for found in pattern.findall(sheet.read_text())]
    assert foreign == []


def test_pages_work_under_any_path() -> None:
    # Where a page isn't found, the host decides how deep the address is: only its own page may begin at the root.
    rooted = [
        (page.relative_to(SITE), url)
        for page in pages()
        if page.name != "404.html"
        for url in [*addresses(page).loaded, *addresses(page).linked]
        if url.startswith("/")
    ]
    assert rooted == []


def test_what_pages_load_is_there() -> None:
    missing = [
        (page.relative_to(SITE), url)
        for page in pages()
        if page.name != "404.html"
        for url in addresses(page).loaded
        if not url.startswith("data:") and not (page.parent / url.split("?")[0].split("#")[0]).exists()
    ]
    assert missing == []


def test_the_runtimes_addresses_are_there() -> None:
    text = (SITE / "assets/course/runtime.js").read_text(encoding="utf-8")
    facts = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert (SITE / facts["pyodide"] / "pyodide.asm.wasm").is_file()
    assert (SITE / facts["wheel"]).is_file()
    assert facts["labs"], "no lab is named"
    for lab in facts["labs"].values():
        assert (SITE / "lab" / "files" / lab["notebook"]).is_file()
    assert 1_000_000 < facts["bytes"]["snippet"] < facts["bytes"]["lab"]


def test_compressed_copies_say_the_same() -> None:
    copies = [*SITE.rglob("*.br"), *SITE.rglob("*.gz")]
    assert copies
    for copy in copies:
        raw = copy.with_suffix("")
        opened = (brotli if copy.suffix == ".br" else gzip).decompress(copy.read_bytes())
        assert opened == raw.read_bytes(), f"{copy.relative_to(SITE)} is another file than {raw.name}"


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "pyodide.asm.mjs", "python_stdlib.zip", "notebook.zip"])
def test_what_is_large_has_compressed_copies(name: str) -> None:
    [file] = SITE.glob(f"py/*/{name}")
    assert file.with_name(f"{name}.br").stat().st_size < 0.9 * file.stat().st_size
    assert file.with_name(f"{name}.gz").is_file()


@cache
def texts() -> dict[str, str]:
    """Every text in the site, those inside archives too, by where it stands."""
    found: dict[str, str] = {}
    for file in SITE.rglob("*"):
        if file.suffix in (".zip", ".whl"):
            with zipfile.ZipFile(file) as archive:
                for name in archive.namelist():
                    found[f"{file.name}/{name}"] = archive.read(name).decode("utf-8", "replace")
        elif file.is_file() and file.suffix not in (".br", ".gz", ".woff", ".woff2", ".ttf", ".eot", ".png"):
            found[file.relative_to(SITE).as_posix()] = file.read_text(encoding="utf-8", errors="replace")
    return found


def answer_lines() -> set[str]:
    """Lines that only a lab's answers have: long enough to be telling, and in no source that students may read."""
    answers = {*PROJECT.labs.glob("*/solution.py"), *PROJECT.labs.glob("*/wrong.py")}
    readable = {*PROJECT.engine.rglob("*.py"), *PROJECT.labs.rglob("*.py"), *PROJECT.docs.rglob("*.md")} - answers
    shown = "\n".join(file.read_text(encoding="utf-8") for file in readable)
    lines = {line.strip() for file in answers for line in file.read_text(encoding="utf-8").splitlines()}
    return {line for line in lines if len(line) > 30 and line not in shown}


def test_no_answer_reaches_the_site() -> None:
    telling = answer_lines()
    assert len(telling) > 20
    leaks = [(place, line) for place, text in texts().items() for line in telling if line in text]
    assert leaks == []


def test_nothing_says_where_it_was_built() -> None:
    assert [place for place, text in texts().items() if str(PROJECT.root) + "/" in text] == []


def test_the_wheel_stands_on_its_own() -> None:
    [wheel] = SITE.glob("wheels/*/*.whl")
    with zipfile.ZipFile(wheel) as archive:
        modules = [name for name in archive.namelist() if name.endswith(".py") and not name.endswith("__main__.py")]
    names = [name.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for name in modules]
    script = f"import sys, importlib; sys.path.insert(0, {str(wheel)!r}); list(map(importlib.import_module, {names!r}))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
