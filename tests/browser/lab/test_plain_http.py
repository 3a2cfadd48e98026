"""http from another machine: no secure context, so no service workers. What works, and what is said of the rest."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Playwright, expect

from tests.browser.driving import launch_chromium, listen
from tests.browser.lab.lab import Lab

ELSEWHERE = "course.test"


def test_the_lab_works_without_service_workers_and_says_what_doesnt(playwright: Playwright, site: str) -> None:
    # To the browser this name is another machine, so plain http from it isn't trusted.
    browser = launch_chromium(playwright, f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1")
    address = f"http://{ELSEWHERE}:{urlsplit(site).port}/"
    context = browser.new_context(base_url=address)
    context.set_default_timeout(60_000)
    complaints: list[str] = []
    listen(context, address, complaints)
    lab = Lab(context.new_page()).open()
    assert lab.page.evaluate("isSecureContext") is False
    expect(lab.card).to_contain_text("input() and files don't work")

    lab.write(1, "import engine.blocks\nprint(engine.blocks.blocks_needed(17, 16))")
    lab.run(1)
    lab.wait_for_output(1, "2")
    lab.write(3, "while True: pass")
    lab.run(3)
    lab.wait_for_kernel("busy")
    lab.page.wait_for_timeout(500)
    lab.press("Stop")
    lab.wait_for_kernel("idle")
    lab.write(3, "input('Name? ')")
    lab.run(3)
    lab.wait_for_output(3, "needs a service worker")
    lab.wait_until_saved()
    lab.page.reload()
    lab.start()
    assert "blocks_needed(17, 16)" in lab.source(1)
    assert complaints == []
    browser.close()
