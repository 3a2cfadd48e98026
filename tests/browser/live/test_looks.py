"""The live page in each of its states, both themes and two widths: axe finds nothing, and nothing is cut off."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.driving import EVERY_LOOK, findings
from tests.browser.live.conftest import MakeLink, OpenLive
from tests.browser.live.hands import connect, connected, forgive, live, over, run, status

WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def looked_at(page: Page) -> list[str]:
    """What is wrong with how it looks."""
    wide = page.evaluate(WIDE)
    return findings(page) + ([f"{wide} px too wide"] if wide > 0 else [])


@EVERY_LOOK
def test_every_state(make_link: MakeLink, open_live: OpenLive, complaints: list[str], width: int, theme: str) -> None:
    link, page = make_link(pause=0.03), open_live(width=width, color_scheme=theme)
    found = {"at first": looked_at(page)}
    connect(page, link.address, "wrong")
    expect(status(page, "connect")).to_contain_text("the token is wrong")
    found["refused"] = looked_at(page)
    forgive(complaints, "401")
    connected(page, link)
    for details in page.locator(".live-backend details summary").all():
        details.click()
    found["connected"] = looked_at(page)
    page.get_by_label("A file of arrivals").check()
    found["a file"] = looked_at(page)
    page.locator("input[value=calm]").check()
    run(page, num_requests=12, output_tokens=60)
    found["running"] = looked_at(page)
    over(page)
    expect(live(page)).to_have_attribute("data-run", "over")
    found["over"] = looked_at(page)
    page.get_by_role("button", name="Fit and predict").click()
    expect(page.locator(".live-result trace-player")).to_be_visible(timeout=120_000)
    page.locator(".live-carry summary").click()
    found["compared"] = looked_at(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}
