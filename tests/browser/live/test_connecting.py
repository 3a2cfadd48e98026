"""Connecting to a bridge: what it says about itself, where the token goes, and what each failure is told as."""

from __future__ import annotations

import re
import socket

import pytest
from playwright.sync_api import Playwright, expect

from tests.browser.driving import PROJECT, launch_chromium, served
from tests.browser.live.conftest import MakeLink, OpenLive
from tests.browser.live.hands import connect, connected, forgive, live, status
from tests.live.bridging import TOKEN


def test_a_server_says_what_it_gives_and_what_it_lacks(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(), open_live()
    expect(page.get_by_role("button", name="Run it")).to_be_hidden()
    connected(page, link)
    expect(status(page, "connect")).to_have_text(f"Connected to {link.address}.")
    words = page.locator(".live-backend")
    expect(words).to_contain_text("An OpenAI-compatible server: times of tokens")
    expect(words).to_contain_text("pretended")
    expect(words).to_contain_text("every step of the scheduler: only vLLM 0.32.0 with the recorder tells")
    expect(page.get_by_role("button", name="Run it")).to_be_visible()


@pytest.mark.long
def test_the_token_stays_in_the_tab(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(), open_live()
    connected(page, link)
    assert TOKEN not in page.evaluate("JSON.stringify(localStorage)")
    assert TOKEN in page.evaluate("sessionStorage.getItem('inside-the-batch/tab/live')")
    assert TOKEN not in page.url
    page.get_by_role("button", name="Disconnect").click()
    expect(live(page)).to_have_attribute("data-link", "off")
    assert page.evaluate("sessionStorage.length") == 0


def test_the_printed_link_opens_the_course_on_the_bridge(
    make_link: MakeLink, open_live: OpenLive, allowed: list[str]
) -> None:
    link = make_link(site=PROJECT.site)
    allowed.append(f"http://127.0.0.1:{link.bridge.port}/")
    page = open_live(f"http://127.0.0.1:{link.bridge.port}/live/?a=b#live={TOKEN}")
    expect(live(page)).to_have_attribute("data-link", "on")
    assert page.url == f"http://127.0.0.1:{link.bridge.port}/live/?a=b"
    assert page.evaluate("location.hash") == ""
    page.reload()
    expect(live(page)).to_have_attribute("data-link", "on")
    expect(page.get_by_text("take the file in here", exact=False)).to_be_visible()
    with page.expect_file_chooser() as choosing:
        page.locator(".live-carry").get_by_role("button", name="Load my work from a file").click()
    note = '{"v":1,"kind":"note","id":"founding","at":5,"data":{"text":"mine"}}'
    work = f'{{"course":"inside-the-batch","export":1,"records":[{note}],"aside":[]}}'
    choosing.value.set_files({"name": "work.json", "mimeType": "application/json", "buffer": work.encode()})
    expect(page.locator(".live-carry .live-status")).to_have_text("Loaded: 1 new, 0 updated, 0 the same.")


def test_a_wrong_token(make_link: MakeLink, open_live: OpenLive, complaints: list[str]) -> None:
    link, page = make_link(), open_live()
    connect(page, link.address, "nonsense")
    expect(status(page, "connect")).to_have_text(
        f"{link.address}: the token is wrong: it is new with each start of the bridge. "
        "Copy the newest link from its terminal, with what follows the #."
    )
    expect(live(page)).to_have_attribute("data-link", "off")
    forgive(complaints, "401")


@pytest.mark.long
def test_no_token(make_link: MakeLink, open_live: OpenLive) -> None:
    link, page = make_link(), open_live()
    connect(page, link.address)
    expect(status(page, "connect")).to_contain_text("The token is missing: it is what follows #live=")
    expect(page.get_by_label("Token", exact=True)).to_be_focused()


def test_nobody_at_the_address(make_link: MakeLink, open_live: OpenLive, complaints: list[str]) -> None:
    link, page = make_link(), open_live()
    link.wire.close()
    connect(page, link.printed)
    expect(status(page, "connect")).to_have_text(
        f"Nothing answers at {link.address}. Is the bridge running? Its terminal shows its address and port. "
        "On another machine, its port has to be brought here first."
    )
    forgive(complaints, "ERR_CONNECTION_REFUSED")


@pytest.mark.long
def test_no_address_at_all(open_live: OpenLive) -> None:
    page = open_live()
    connect(page, "my server", "t")
    expect(status(page, "connect")).to_contain_text("“my server” is no address of a bridge.")


@pytest.mark.long
def test_a_bridge_that_lets_other_pages_in(make_link: MakeLink, open_live: OpenLive, complaints: list[str]) -> None:
    link, page = make_link(origins=("https://course.example",)), open_live()
    origin = page.evaluate("location.origin")
    connect(page, link.printed)
    expect(status(page, "connect")).to_contain_text(
        f"Something answers at {link.address}, but it doesn't let pages of {origin} in."
    )
    expect(status(page, "connect")).to_contain_text(f"--allow-origin {origin}")
    for words in ("CORS policy", "ERR_FAILED", "404"):
        forgive(complaints, words)


@pytest.mark.long
def test_an_earlier_try_that_fails_late_takes_no_connection_away(
    make_link: MakeLink, open_live: OpenLive, allowed: list[str], complaints: list[str]
) -> None:
    link, page = make_link(), open_live()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        allowed.append(address)
        connect(page, address, "t")
        expect(status(page, "connect")).to_have_text(f"Asking {address}…")
        connected(page, link)
    page.wait_for_timeout(500)
    expect(live(page)).to_have_attribute("data-link", "on")
    expect(status(page, "connect")).to_have_text(f"Connected to {link.address}.")
    forgive(complaints, "ERR_")


@pytest.mark.long
def test_a_page_that_is_no_bridge(open_live: OpenLive, allowed: list[str], complaints: list[str]) -> None:
    with served(PROJECT.docs) as other:
        allowed.append(other)
        page = open_live()
        connect(page, other, "t")
        expect(status(page, "connect")).to_contain_text("Something answers at")
    for words in ("CORS policy", "ERR_FAILED", "404"):
        forgive(complaints, words)


@pytest.mark.long
def test_words_beforehand_about_what_the_browser_will_ask(open_live: OpenLive) -> None:
    page = open_live()
    address = page.get_by_label("Address of the bridge")
    note = page.locator(".live-connect .live-note")
    address.fill("http://127.0.0.1:8811")
    expect(note).to_be_hidden()
    address.fill("https://gpu.example.org")
    expect(note).to_be_hidden()


@pytest.mark.parametrize(
    ("secure", "words"),
    [
        (False, "This page came over plain http, so the browser doesn't let it reach {address}."),
        (True, "The browser {refused} let {origin} reach {address}"),
    ],
    ids=["plain", "secure"],
)
def test_a_page_of_the_internet_needs_the_students_leave(
    playwright: Playwright, site: str, make_link: MakeLink, secure: bool, words: str
) -> None:
    """Chromium guards this machine. Here it takes the site for one of the internet, and nobody answers its question."""
    port = site.rstrip("/").rpartition(":")[2]
    origin = f"http://course.example:{port}"
    link = make_link(origins=(origin,))
    flags = [
        "--host-resolver-rules=MAP course.example 127.0.0.1",
        f"--ip-address-space-overrides=127.0.0.1:{port}=public",
    ]
    flags += [f"--unsafely-treat-insecure-origin-as-secure={origin}"] * secure
    with launch_chromium(playwright, *flags) as browser:
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{origin}/live/#live={TOKEN}")
        page.wait_for_function("!document.querySelector(':not(:defined)')")
        # The token of a bridge isn't for the host that the page came from.
        expect(page.get_by_label("Token", exact=True)).to_have_value(TOKEN)
        assert [url for url in asked if "/api/" in url] == []
        assert page.evaluate("location.hash") == ""
        note = page.locator(".live-connect .live-note")
        page.get_by_label("Address of the bridge").fill(link.address)
        expect(note).to_contain_text("Choose Allow" if secure else "Open the course from the bridge itself")
        connect(page, link.printed)
        expect(status(page, "connect")).to_have_class(re.compile("live-bad"))
        told = status(page, "connect").inner_text()
    expected = [words.format(address=link.address, origin=origin, refused=one) for one in ("was told not to", "hasn't")]
    assert told.startswith(tuple(expected)), told
