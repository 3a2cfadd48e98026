"""The site is what the plan says, whole, and only what changed is written."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import brotli
import pytest

from coursekit.assemble import lay_out, tree, with_compressed, write_site
from coursekit.compress import compressed_copies, wire_bytes
from coursekit.failures import BuildFailed


def make(folder: Path, **texts: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def found(site: Path) -> dict[str, str]:
    return {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*") if path.is_file()}


def test_trees_stand_under_their_addresses(tmp_path: Path) -> None:
    pages, lab = make(tmp_path / "pages", index_html="home"), make(tmp_path / "lite", a_js="lab")
    site = tmp_path / "site"
    assert write_site(lay_out([tree(pages, ""), tree(lab, "lab")]), site) == 2
    assert found(site) == {"index.html": "home", "lab/a.js": "lab"}


def test_two_files_for_one_address_are_refused(tmp_path: Path) -> None:
    one, two = make(tmp_path / "one", a_js="1"), make(tmp_path / "two", a_js="2")
    with pytest.raises(BuildFailed, match=r"a\.js would come from .*one.* and from .*two.*: rename one"):
        lay_out([tree(one, ""), tree(two, "")])


def test_what_the_plan_no_longer_says_goes(tmp_path: Path) -> None:
    pages, site = make(tmp_path / "pages", index_html="home"), tmp_path / "site"
    make(site / "old", page_html="gone")
    write_site(tree(pages, ""), site)
    assert found(site) == {"index.html": "home"}
    assert not (site / "old").exists()


def test_unchanged_files_are_left_alone(tmp_path: Path) -> None:
    pages, site = make(tmp_path / "pages", a_html="a", b_html="b"), tmp_path / "site"
    write_site(tree(pages, ""), site)
    before = (site / "a.html").stat().st_ino
    os.utime(pages / "a.html", (0, 0))  # built again, with the same result
    (pages / "b.html").write_text("changed")
    assert write_site(tree(pages, ""), site) == 1
    assert (site / "a.html").stat().st_ino == before
    assert found(site) == {"a.html": "a", "b.html": "changed"}


def test_compressed_copies_stand_beside_what_shrinks(tmp_path: Path) -> None:
    text = "a page says the same again and again. " * 100
    pages = make(tmp_path / "pages", long_html=text, short_html="short", picture_png=text)
    plan = with_compressed(tree(pages, ""), tmp_path / "cache")
    assert sorted(plan) == ["long.html", "long.html.br", "long.html.gz", "picture.png", "short.html"]
    assert brotli.decompress(plan["long.html.br"].read_bytes()).decode() == text
    assert gzip.decompress(plan["long.html.gz"].read_bytes()).decode() == text


def test_what_does_not_shrink_gets_no_copy(tmp_path: Path) -> None:
    noise = tmp_path / "noise.zip"
    noise.write_bytes(os.urandom(4096))
    assert compressed_copies([noise], tmp_path / "cache") == {noise: {}}
    assert wire_bytes([noise], tmp_path / "cache") == 4096


def test_a_text_is_compressed_once_whatever_it_is_called(tmp_path: Path) -> None:
    pages = make(tmp_path / "pages", a_html="x" * 5000, b_html="x" * 5000)
    copies = compressed_copies(sorted(pages.iterdir()), tmp_path / "cache")
    assert copies[pages / "a.html"] == copies[pages / "b.html"]
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_a_compressed_sitemap_that_mkdocs_wrote_is_kept(tmp_path: Path) -> None:
    pages = make(tmp_path / "pages", sitemap_xml="<urlset>" + "x" * 2000, sitemap_xml_gz="its own")
    plan = with_compressed(tree(pages, ""), tmp_path / "cache")
    assert plan["sitemap.xml.gz"] == pages / "sitemap.xml.gz"
