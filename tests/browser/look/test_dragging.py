"""An order by dragging: with a mouse and a finger, as by the buttons; and the page still scrolls under a finger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.driving import findings
from tests.browser.look.conftest import OpenPage

ADDRESS = "instructors/checks/#check-example-order"
PHONE = {"width": 375, "height": 700, "has_touch": True, "is_mobile": True}
Place = tuple[float, float]
Hand = Callable[[str, Place], None]


def opened(open_page: OpenPage, **options: object) -> Locator:
    """The page's check of an order, in the middle of the window, its handles there."""
    page = open_page(ADDRESS, **options)
    box = page.locator("course-check[data-id=example-order]")
    expect(box.locator(".check-handle")).to_have_count(3)
    box.locator(".check-order").evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    return box


def order(box: Locator) -> list[str]:
    return [item.get_attribute("data-name") or "" for item in box.locator(".check-item:not(.check-carried)").all()]


def rect(node: Locator) -> FloatRect:
    found = node.bounding_box()
    assert found
    return found


def middle(node: Locator) -> Place:
    found = rect(node)
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def mouse(page: Page) -> Hand:
    deeds = {"down": page.mouse.down, "up": page.mouse.up}

    def hand(deed: str, place: Place) -> None:
        page.mouse.move(*place)
        deeds.get(deed, lambda: None)()

    return hand


def finger(page: Page) -> Hand:
    devtools = page.context.new_cdp_session(page)
    names = {"down": "touchStart", "move": "touchMove", "up": "touchEnd", "lost": "touchCancel"}

    def hand(deed: str, place: Place) -> None:
        points = [] if deed in ("up", "lost") else [{"x": place[0], "y": place[1]}]
        devtools.send("Input.dispatchTouchEvent", {"type": names[deed], "touchPoints": points})

    return hand


HANDS = {"mouse": mouse, "finger": finger}
WINDOWS: dict[str, dict[str, object]] = {"mouse": {}, "finger": PHONE}


def pull(page: Page, hand: Hand, start: Place, end: Place) -> None:
    """Down, and along in steps: a frame is drawn after each."""
    hand("down", start)
    for step in range(1, 11):
        part = step / 10
        hand("move", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
        page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.locator(".check-carried")).to_have_count(1)
    page.wait_for_timeout(100)  # the library looks where it is every 50 ms


@contextmanager
def last_carried_up(box: Locator, hand: Hand) -> Iterator[list[str]]:
    """The last item, held over the first; gives the order from before."""
    before = order(box)
    handles = box.locator(".check-handle")
    x, y = middle(handles.first)
    pull(box.page, hand, middle(handles.last), (x, y - 8))
    assert order(box) == [before[2], *before[:2]]
    yield before
    expect(box.locator(".check-carried, .check-gap")).to_have_count(0)


@pytest.mark.parametrize("by", HANDS)
def test_a_drag_does_what_the_buttons_do(open_page: OpenPage, by: str) -> None:
    box = opened(open_page, **WINDOWS[by])
    page = box.page
    hand, scrolled = HANDS[by](page), page.evaluate("scrollY")
    with last_carried_up(box, hand) as before:
        hand("up", middle(box.locator(".check-gap")))
    moved = [before[2], *before[:2]]
    assert (order(box), page.evaluate("scrollY")) == (moved, scrolled)
    expect(box.locator(".check-moved")).to_have_text(f"{before[2]}: now 1 of 3.")
    expect(box.locator("[data-way=up][aria-disabled]")).to_have_accessible_name(f"Move up: {before[2]}")
    expect(box.locator("[data-way=down][aria-disabled]")).to_have_accessible_name(f"Move down: {before[1]}")
    box.get_by_role("button", name="Check", exact=True).click()
    page.reload()
    expect(box.locator(".check-result")).not_to_be_empty()
    assert order(box) == moved
    box.get_by_role("button", name="Start over").click()
    assert order(box) == before


def test_a_finger_on_the_list_scrolls_the_page(open_page: OpenPage) -> None:
    box = opened(open_page, **PHONE)
    page, before = box.page, order(box)
    hand, scrolled = finger(page), page.evaluate("scrollY")
    x, y = middle(box.locator(".check-item-label").last)
    hand("down", (x, y))
    for step in range(1, 11):
        hand("move", (x, y - 15 * step))
    hand("up", (x, y - 150))
    page.wait_for_function("before => scrollY > before + 60", arg=scrolled)
    assert order(box) == before


@pytest.mark.parametrize("by", HANDS)
def test_a_drag_that_is_given_up_leaves_the_order_as_it_was(open_page: OpenPage, by: str) -> None:
    box = opened(open_page, **WINDOWS[by])
    page = box.page
    hand = HANDS[by](page)
    with last_carried_up(box, hand) as before:
        page.keyboard.press("Escape")
        expect(box.locator(".check-carried")).to_have_count(0)
        hand("up", middle(box.locator(".check-item").first))
    assert order(box) == before
    with last_carried_up(box, hand):
        page.evaluate("dispatchEvent(new Event('blur'))")
        expect(box.locator(".check-carried")).to_have_count(0)
        hand("up", middle(box.locator(".check-item").first))
    assert order(box) == before
    with last_carried_up(box, hand):
        outside = (rect(box)["x"] + 20, rect(box)["y"] - 30)
        hand("move", outside)
        hand("lost" if by == "finger" else "up", outside)
    assert order(box) == before
    expect(box.locator(".check-moved")).to_be_empty()
    expect(box.get_by_role("button", name="Start over")).to_have_attribute("aria-disabled", "true")


def test_an_answer_ends_a_drag_here_and_in_another_tab(open_page: OpenPage) -> None:
    box = opened(open_page)
    page, other = box.page, box.page.context.new_page()
    other.goto(page.url)
    there = other.locator("course-check[data-id=example-order]")
    expect(there.locator(".check-handle")).to_have_count(3)
    before = order(there)
    there.get_by_role("button", name=f"Move up: {before[1]}").click()
    given = [before[1], before[0], before[2]]
    page.bring_to_front()
    with last_carried_up(box, mouse(page)):
        there.get_by_role("button", name="Check", exact=True).evaluate("node => node.click()")
    assert order(box) == given
    expect(box.locator(".check-result")).not_to_be_empty()
    page.mouse.up()
    with last_carried_up(box, mouse(page)):
        box.get_by_role("button", name="Check", exact=True).press("Enter")
    assert order(box) == given
    expect(box.locator(".check-result")).not_to_be_empty()
    page.mouse.up()
    assert order(box) == given


def test_without_the_library_the_buttons_do_it_all(open_page: OpenPage) -> None:
    page = open_page("404.html")
    page.route("**/vendor/sortable.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(ADDRESS)
    box = page.locator("course-check[data-id=example-order]")
    before = order(box)
    box.get_by_role("button", name=f"Move up: {before[2]}").click()
    assert order(box) == [before[0], before[2], before[1]]
    expect(box.locator(".check-handle")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_handles_can_be_hit_and_axe_finds_nothing(open_page: OpenPage, scheme: str) -> None:
    box = opened(open_page, **PHONE | {"width": 320}, color_scheme=scheme)
    page = box.page
    sizes = [rect(handle) for handle in box.locator(".check-handle").all()]
    assert all(min(size["width"], size["height"]) >= 44 for size in sizes)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    hand, within = finger(page), "course-check[data-id=example-order]"
    assert findings(page, within=within) == []
    with last_carried_up(box, hand):
        assert findings(page, within=within) == []
        hand("up", middle(box.locator(".check-gap")))


def test_the_library_comes_once_an_order_is_near(open_page: OpenPage) -> None:
    page = open_page("404.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("instructors/checks/")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "sortable" in url]
    with page.expect_request("**/vendor/sortable.js"):
        page.locator("course-check[data-id=example-order]").scroll_into_view_if_needed()
