"""How a student finds something: the menu of a narrow screen, the ways before and after, the search."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driving import PROJECT, findings
from tests.browser.look.conftest import OpenPage


def test_the_menu_leads_to_the_sections_of_a_page_and_closes(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/", width=375, height=700)
    page.evaluate("scrollTo(0, 5000)")
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("navigation", name="Menu")
    here = menu.get_by_role("list", name="On this page").get_by_role("link")
    headings = page.locator("article > h2[id]").evaluate_all("all => all.map(({ id }) => `#${id}`)")
    assert here.evaluate_all("all => all.map((link) => link.getAttribute('href'))") == headings
    assert findings(page, within="#course-menu") == []
    menu.get_by_role("link", name="The lab").click()
    expect(menu).to_be_hidden()
    expect(page.get_by_role("heading", name="The lab")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1220, 1279, 1280])
def test_the_header_is_one_line_high_where_it_shows_all_ways(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    links = page.locator(".course-header__links li")
    expect(links.first).to_be_visible()
    assert links.evaluate_all("all => new Set(all.map((one) => one.offsetTop)).size") == 1


def test_a_long_menu_scrolls_on_a_low_screen(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/", width=640, height=320)
    page.get_by_role("button", name="Menu").click()
    last = page.get_by_role("navigation", name="Menu").get_by_role("link", name="Sources")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("name", ["batching", "prefix"])
def test_a_link_to_a_section_brings_it_below_the_header_and_marks_it(open_page: OpenPage, name: str) -> None:
    page = open_page("lessons/founding/")
    link = page.locator(f".course-beside .course-toc a[href='#{name}']")
    link.click()
    expect(link).to_have_class("md-nav__link md-nav__link--passed md-nav__link--active")
    page.wait_for_function(f"document.getElementById('{name}').getBoundingClientRect().top < 100")
    assert page.evaluate(f"document.getElementById('{name}').getBoundingClientRect().top") > 60


@pytest.mark.parametrize("address", ["", "notebook/", "progress/"])
def test_what_stands_alone_leads_to_no_next_page(open_page: OpenPage, address: str) -> None:
    expect(open_page(address).locator(".course-footer__ways")).to_have_count(0)


def test_a_lesson_leads_to_its_lab_and_back(open_page: OpenPage) -> None:
    page = open_page("lessons/founding/")
    page.locator(".course-footer [rel=next]").click()
    expect(page).to_have_url(f"{page.evaluate('location.origin')}/labs/founding/")
    expect(page.locator(".course-footer [rel=prev]")).to_contain_text("Batching, cache allocation")


def test_a_search_that_did_not_arrive_says_so(site: str, chromium: Browser) -> None:
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.route("**/search/search_index.json", lambda route: route.abort())
    page.goto("")
    page.wait_for_load_state("networkidle")
    words = page.locator(".md-search-result__meta")
    context.set_offline(True)
    page.get_by_label("Search the course").click()
    expect(words).to_have_text("The search didn't arrive: there seems to be no connection.")
    page.keyboard.type("prefix")
    expect(words).to_have_text("The search didn't arrive: there seems to be no connection.")
    context.set_offline(False)
    expect(words).to_have_text("The search didn't arrive. Reload the page to search.")
    context.close()


def test_a_search_that_arrived_works_without_a_network(site: str, chromium: Browser) -> None:
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto("lessons/founding/")
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    page.get_by_label("Search the course").click()
    page.keyboard.type("prefix")
    expect(page.locator(".md-search-result__meta")).to_contain_text("matching documents")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    context.close()


def test_the_search_finds_the_code_of_a_lesson_once() -> None:
    found = json.loads((PROJECT.site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    text = "".join(doc["text"] for doc in found if doc["location"].startswith("lessons/founding/"))
    assert text.count("everybody is here from the start") == 1
