"""The address is the state: it can be shared, gone back to, and can be wrong."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.playground.driving import SMALL, Playground


def rate(playground: Playground) -> str:
    """What the form shows."""
    return playground.page.get_by_label("Arrival rate", exact=True).input_value()


def test_a_setting_goes_into_the_address_and_comes_back_from_it(playground: Playground) -> None:
    playground.visit(SMALL)
    playground.set("Arrival rate", "33")
    expect(playground.page).to_have_url(re.compile(r"playground/#v=1&rate=33&num_requests=60$"))
    values = playground.values()
    address = playground.page.url.partition("playground/")[2]
    playground.visit(address)
    assert rate(playground) == "33"
    playground.run()
    assert playground.values() == values


def test_back_and_forth_undo_and_redo(playground: Playground) -> None:
    playground.visit(SMALL)
    playground.set("Arrival rate", "33")
    playground.set("Number of requests", "21")
    playground.page.go_back()
    expect(playground.status).to_contain_text("60 requests simulated in")
    playground.page.go_back()
    expect(playground.page.get_by_label("Arrival rate", exact=True)).to_have_value("20")
    playground.page.go_forward()
    expect(playground.page.get_by_label("Arrival rate", exact=True)).to_have_value("33")
    playground.idle()


def test_reset_brings_the_start_back_and_can_be_undone(playground: Playground) -> None:
    playground.visit("#v=1&num_requests=60&rate=7&policy=fair")
    playground.press("Reset")
    expect(playground.page.get_by_label("Policy", exact=True)).to_have_value("fcfs")
    expect(playground.page).to_have_url(re.compile(r"#v=1$"))
    playground.idle()
    playground.page.go_back()
    expect(playground.page.get_by_label("Policy", exact=True)).to_have_value("fair")
    playground.idle()


def test_bad_values_are_told_and_the_rest_is_taken(playground: Playground) -> None:
    playground.visit("#v=1&rate=fast&num_requests=60&speed=3&policy=%3Cscript%3E&incident=nothing")
    told = playground.page.locator(".play-problems")
    expect(told).to_be_visible()
    for words in (
        'rate is "fast"; give a number from',
        '"speed" is nothing that',
        'policy is "<script>"',
        "incident is",
    ):
        expect(told).to_contain_text(words)
    expect(playground.page.get_by_label("Number of requests", exact=True)).to_have_value("60")
    assert rate(playground) == "20"
    playground.set("Arrival rate", "30")
    expect(told).to_be_hidden()


def test_another_version_is_told(playground: Playground) -> None:
    playground.visit("#v=2&rate=5")
    expect(playground.page.locator(".play-problems")).to_contain_text("This link is of version")
    assert rate(playground) == "20"


def test_a_link_made_with_a_file_says_that_the_file_isnt_in_it(playground: Playground) -> None:
    playground.visit("#v=1&file=trace.csv&num_requests=60")
    expect(playground.page.locator(".play-problems")).to_contain_text("trace.csv, which isn't part of the link")


def test_an_anchor_of_the_page_still_works(playground: Playground) -> None:
    playground.visit("#what-it-is")
    expect(playground.page.locator(".play-problems")).to_be_hidden()
    expect(playground.page.get_by_role("heading", name="What it is, and what it isn't")).to_be_in_viewport()


def test_going_to_a_heading_keeps_the_settings(playground: Playground) -> None:
    playground.visit("#v=1&num_requests=60&rate=7")
    playground.page.evaluate("location.hash = '#what-it-is'")
    expect(playground.page.get_by_role("heading", name="What it is, and what it isn't")).to_be_in_viewport()
    assert rate(playground) == "7"
    playground.set("Number of requests", "20")
    expect(playground.page).to_have_url(re.compile(r"#v=1&rate=7&num_requests=20$"))


def test_what_a_new_address_gets_wrong_is_told_though_nothing_else_changes(playground: Playground) -> None:
    playground.visit("#v=1&num_requests=60&rate=fast")
    told = playground.page.locator(".play-problems")
    expect(told).to_contain_text('rate is "fast"')
    playground.page.evaluate("location.hash = '#v=1&num_requests=60&seed=-1'")
    expect(told).to_contain_text('seed is "-1"')
    expect(told).not_to_contain_text("rate")
    playground.page.evaluate("location.hash = '#v=1&num_requests=60'")
    expect(told).to_be_hidden()
