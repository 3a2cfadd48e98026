"""The same files build under Zensical, which runs no plugin and no hook: the lesson's checks are there, and work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from coursekit.course_map import heads
from coursekit.source import read_page
from tests.browser.driving import PROJECT, served
from tests.browser.elements.answering import answer

LESSON = "lessons/founding"
LINKING = (
    "# Linking\n\n```check\nid: linking\n---\nSee [the lesson](lessons/founding/index.md). Which?\n\n"
    "- [x] This\n  > Yes, see [its pages](lessons/founding/index.md#pages).\n- [ ] That\n  > No.\n```\n"
)


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course's first lesson and what it links to, built by Zensical from the course's own configuration."""
    root = tmp_path_factory.mktemp("zensical")
    for name in (f"{LESSON}/index.md", "labs/founding.md", "notebook.md", "index.md"):
        (root / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT.root / "docs" / name, root / "docs" / name)
    (root / "docs" / "linking.md").write_text(LINKING, encoding="utf-8")
    config = (PROJECT.root / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[0]
    config = re.sub(r"custom_dir: .*", f"custom_dir: {PROJECT.site_build / 'overrides'}", config)
    config = re.sub(r"site_dir: .*", "site_dir: site", config)
    (root / "mkdocs.yml").write_text(config + "\n", encoding="utf-8")
    path = os.pathsep.join([str(PROJECT.site_build), str(PROJECT.root)])
    command = [sys.executable, "-m", "zensical", "build", "-f", "mkdocs.yml"]
    done = subprocess.run(command, cwd=root, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    course = root / "site" / "assets" / "course"
    shutil.copytree(PROJECT.browser, course, dirs_exist_ok=True, ignore=shutil.ignore_patterns("vendor-src"))
    for name in ("runtime.js", "course-map.json"):
        shutil.copy(PROJECT.site / "assets" / "course" / name, course / name)
    return root / "site"


def test_every_check_of_the_lesson_is_in_the_page(moved: Path) -> None:
    page = (moved / LESSON / "index.html").read_text(encoding="utf-8")
    names = [head["id"] for head in heads(read_page(PROJECT.root / "docs" / LESSON / "index.md"), "check")]
    assert len(names) > 5
    for name in names:
        assert f'<course-check id="check-{name}"' in page
    assert "course-error" not in page


def test_links_in_a_check_lead_to_pages(moved: Path) -> None:
    page = (moved / "linking" / "index.html").read_text(encoding="utf-8")
    block = page[page.index("<course-check") : page.index("</course-check>")]
    found = re.findall(r'href="([^"]+)"', block)
    assert len(found) == 2
    for target in found:
        assert (moved / "linking" / target.partition("#")[0] / "index.html").resolve().is_file()


def test_a_check_works_there(moved: Path, chromium: Browser) -> None:
    with served(moved) as address:
        context = chromium.new_context(base_url=address)
        page = context.new_page()
        page.goto(f"{LESSON}/")
        for name, right, state in (("still-reused", False, "wrong"), ("four-requests-grid", True, "right")):
            box = page.locator(f"course-check[data-id={name}]")
            expect(box.get_by_role("button", name="Check", exact=True)).to_be_visible()
            answer(box, right=right)
            expect(box.locator(".check-result")).to_have_attribute("data-state", state)
        page.reload()
        expect(page.locator("course-check[data-id=four-requests-grid] .check-result")).to_contain_text("Right.")
        context.close()
