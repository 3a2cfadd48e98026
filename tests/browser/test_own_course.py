"""A course of one's own, started as `docs/instructors/own-course.md` says: its pages, its checks, its own keeping."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from coursekit.course_map import collect
from coursekit.evaluate import shared
from coursekit.pages import build_pages
from coursekit.runtime import course_title
from coursekit.validate import markdown_files, validate
from tests.browser.driving import PROJECT, served
from tests.browser.elements.answering import answer

CHECK = "```check\nid: first\n---\nWhich?\n\n- [x] This\n  > Yes.\n- [ ] That\n  > No.\n```\n"
LESSON = f"---\nlesson: mine\ntemplate: lesson.html\n---\n\n# A lesson of mine\n\n## Begin {{ #begin }}\n\n{CHECK}"
NAV = "nav:\n  - Home: index.md\n  - lessons/mine/index.md\n  - My notebook: notebook.md\n  - Progress: progress.md\n"
MODULES = (
    "  modules:\n    - title: Mine\n      lessons:\n        - id: mine\n          title: A lesson of mine\n"
    "          minutes: 5\n          page: lessons/mine/\n\n"
)


def start_course(root: Path, name: str, title: str) -> Path:
    """The steps of the page, done to a copy of what they touch; the built site comes back."""
    docs = root / "docs"
    (docs / "lessons/mine").mkdir(parents=True)
    for page in ("notebook.md", "progress.md"):
        shutil.copy(PROJECT.docs / page, docs / page)
    (docs / "index.md").write_text(f"# {title}\n\n[Begin](lessons/mine/index.md)\n", encoding="utf-8")
    (docs / "lessons/mine/index.md").write_text(LESSON, encoding="utf-8")
    (root / "site-build").symlink_to(PROJECT.site_build)
    config = (PROJECT.root / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[0]
    config = re.sub(r"(?m)^site_name: .*$", f"site_name: {title}", config)
    config = re.sub(r"(?m)^  course: .*$", f"  course: {name}", config)
    config = re.sub(r"(?ms)^  modules:.*?(?=^\S)", MODULES, config)
    (root / "mkdocs.yml").write_text(f"{config}\n{NAV}", encoding="utf-8")
    assert validate(markdown_files([docs]), root, shared()) == []
    assert build_pages(root, root / "build/pages") == []
    return root / "build/pages"


def with_modules(site: Path, root: Path) -> Path:
    """The pages with the browser's modules beside them, as the assembly lays them."""
    import json

    course = site / "assets/course"
    shutil.copytree(PROJECT.browser, course, dirs_exist_ok=True, ignore=shutil.ignore_patterns("vendor-src"))
    shutil.copy(PROJECT.site / "assets/course/runtime.js", course / "runtime.js")
    (course / "course-map.json").write_text(json.dumps(collect(root, site)), encoding="utf-8")
    return site


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One host with two courses on it, both started from this one."""
    host = tmp_path_factory.mktemp("host")
    for name, title in (("my-course", "My course"), ("your-course", "Your course")):
        root = tmp_path_factory.mktemp(name)
        shutil.copytree(with_modules(start_course(root, name, title), root), host / name)
        assert collect(root, root)["course"] == name
        assert course_title(root) == title
    return host


def keys(page: Page) -> list[str]:
    """What the browser keeps for the host."""
    found: list[str] = page.evaluate("Object.keys(localStorage)")
    return sorted(key for key in found if "/check/" in key)


def test_two_courses_on_one_host_keep_apart(host: Path, chromium: Browser) -> None:
    with served(host) as address:
        page = chromium.new_context(base_url=address).new_page()
        page.goto("my-course/lessons/mine/")
        box = page.locator("course-check[data-id=first]")
        expect(page).to_have_title("A lesson of mine · My course")
        answer(box, right=True)
        expect(box.locator(".check-result")).to_contain_text("Right.")
        assert keys(page) == ["my-course/check/first"]
        page.goto("your-course/lessons/mine/")
        expect(box.get_by_role("button", name="Check", exact=True)).to_be_visible()
        expect(box.locator(".check-result")).to_be_empty()
        page.goto("my-course/progress/")
        expect(page.locator("course-answers")).to_contain_text("You have answered 1 of 1 checks")
        page.context.close()


def test_what_cannot_be_shown_stands_out_for_its_author(host: Path, chromium: Browser) -> None:
    """A box or a figure of `coursekit.reporting` looks like nothing else in the page."""
    with served(host) as address:
        page = chromium.new_context(base_url=address).new_page()
        page.goto("my-course/lessons/mine/")
        for tag in ("div", "span"):
            looks = page.evaluate(
                """(tag) => {
                    const made = document.createElement(tag);
                    document.querySelector(".md-typeset h1").after(made);
                    const style = getComputedStyle(made);
                    const look = () => [style.backgroundColor, style.borderTopStyle];
                    const plain = look();
                    made.className = "course-error";
                    return [plain, look()];
                }""",
                tag,
            )
            assert looks[0][0] != looks[1][0]
            assert looks[1][1] == "solid"
