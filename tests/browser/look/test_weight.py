"""What a page costs: under 300 KB with brotli, fonts included, and nobody else is asked."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

LIMIT = 300_000
FONTS = 90_000


@pytest.mark.parametrize(
    "address",
    [
        *("", "lessons/founding/", "labs/founding/", "notebook/", "progress/", "reference/trace/"),
        *("live/", "playground/", "your-server/"),
    ],
)
def test_a_page_transfers_less_than_300_kb(site: str, chromium: Browser, address: str) -> None:
    context = chromium.new_context(base_url=site)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    sent: dict[str, int] = {}
    urls: dict[str, str] = {}

    def answered(event: Any) -> None:
        urls[event["requestId"]] = event["response"]["url"]

    def arrived(event: Any) -> None:
        sent[event["requestId"]] = event["encodedDataLength"]

    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", arrived)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    context.close()
    assert [url for url in urls.values() if not url.startswith((site, "blob:", "data:"))] == []
    weights = {urls[request]: size for request, size in sent.items() if request in urls}
    assert 30_000 < sum(weights.values()) < LIMIT, weights
    assert 0 < sum(size for url, size in weights.items() if url.endswith(".woff2")) < FONTS, weights


def test_the_trace_player_comes_once_one_is_near(site: str, chromium: Browser) -> None:
    """Its module is as large as a quarter of a page, and most readers never get to a player."""
    context = chromium.new_context(base_url=site)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("404.html")
    page.evaluate(
        """() => { const far = document.createElement("div");
            far.style.height = "6000px";
            document.querySelector("article").append(far, document.createElement("trace-player")); }"""
    )
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "trace-player" in url]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("!!customElements.get('trace-player')")
    assert [url for url in asked if "trace-player" in url] == [f"{site}assets/course/trace-player.js"]
    context.close()


def test_an_address_that_leads_to_a_moment_of_a_player_leads_there(site: str, chromium: Browser) -> None:
    page = chromium.new_page(base_url=site)
    page.goto("lessons/founding/#moment=2~step:1~")
    page.wait_for_function("document.querySelectorAll('trace-player')[1].shadowRoot?.querySelector('.player')")
    top = page.evaluate("document.querySelectorAll('trace-player')[1].getBoundingClientRect().top")
    assert 0 <= top < 300
    assert "step 1" in page.locator("trace-player").nth(1).locator("span.now").inner_text()
    page.close()
