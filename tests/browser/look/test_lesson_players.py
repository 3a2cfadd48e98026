"""The founding lesson's examples are trace players, opened where the lesson points; pictures without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.driving import NewContext

LESSON = "lessons/founding/"
FIGURES = {"two-slots": ["Compare"], "pages": ["Blocks", "Why?"], "chains": ["Shared prefixes", "Why?"]}


@pytest.mark.parametrize("figure", FIGURES)
def test_an_example_opens_in_the_views_that_it_is_about(new_context: NewContext, figure: str) -> None:
    page = new_context().new_page()
    page.goto(LESSON)
    player = page.locator(f"#figure-{figure} trace-player")
    player.scroll_into_view_if_needed()
    for name in FIGURES[figure]:
        expect(player.get_by_role("group", name=name, exact=True)).to_be_visible()
    expect(player.get_by_role("button", pressed=True)).to_have_count(len(FIGURES[figure]))


def test_the_prefix_example_says_why_and_leads_to_the_line(new_context: NewContext) -> None:
    page = new_context().new_page()
    page.goto(LESSON)
    player = page.locator("#figure-chains trace-player")
    player.scroll_into_view_if_needed()
    expect(player).to_contain_text("dan finds nothing in the cache")
    link = player.get_by_role("link", name="engine.kv_cache").first
    page.goto(str(link.evaluate("link => link.href")))
    line = page.locator("span:target")
    expect(line).to_contain_text("# rule: hit_until_new_content, no_hit")
    expect(line).to_be_in_viewport()


def test_without_javascript_the_examples_are_pictures(new_context: NewContext) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(LESSON)
    for figure in FIGURES:
        expect(page.locator(f"#figure-{figure} svg").first).to_be_visible()
        assert "{" not in page.locator(f"#figure-{figure} trace-player").inner_text()
