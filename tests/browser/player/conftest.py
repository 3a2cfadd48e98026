"""A small site with the bundled player, a page for it, and the traces that it draws."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from coursekit.node import run_node
from coursekit.rules import rules_json
from engine.trace import Trace
from tests.browser.driving import PROJECT, listen, served
from tests.browser.player.player_traces import TRACES

OpenTrace = Callable[..., Page]
OpenViews = Callable[..., Page]
VIEWS_OF_STATE = "blocks prefix queue meters why"
ALL = f"timeline {VIEWS_OF_STATE}"
PHONE = 375
LOOK = PROJECT.overrides / "assets/course/tokens.css"
FONTS = PROJECT.node_modules / "@fontsource/hanken-grotesk/files"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A trace</title><link rel="icon" href="data:,"><link rel="stylesheet" href="tokens.css">
<style>body {{ max-width: 54rem; margin: 0 auto; padding: 8px; background: var(--course-paper); }}
trace-player {{ margin: 0; }}</style></head>
<body><main><h1>A trace</h1>
<trace-player id="here" {attributes}><p>What is here without the player.</p></trace-player></main>
<script type="module" src="trace-player.js"></script></body></html>
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the small site."""
    folder = tmp_path_factory.mktemp("player")
    source, bundle = PROJECT.browser / "trace-player.js", folder / "trace-player.js"
    run_node(PROJECT, [PROJECT.site_build / "player.mjs", source, bundle])
    (folder / "tokens.css").write_text(own_faces(LOOK.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "fonts").mkdir()
    for weight in (500, 700):
        shutil.copy(FONTS / f"hanken-grotesk-latin-{weight}-normal.woff2", folder / "fonts")
    (folder / "empty.html").write_text(PAGE.format(attributes=""), encoding="utf-8")
    for name, make in TRACES.items():
        (folder / f"{name}.trace.jsonl").write_text(make().to_jsonl(), encoding="utf-8")
        page = PAGE.format(attributes=f'src="{name}.trace.jsonl" views="timeline"')
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    with served(folder) as address:
        yield address


def own_faces(tokens: str) -> str:
    """The look's tokens with the two faces that the player writes in."""
    faces, rest = tokens.rsplit("@font-face", 1)[0], tokens.split(":root", 1)[1]
    kept = ["@font-face" + face for face in faces.split("@font-face")[1:] if "hanken" in face]
    return "".join(kept).replace("vendor/fonts/", "fonts/") + ":root" + rest


@pytest.fixture
def open_trace(chromium: Browser, site: str, complaints: list[str]) -> Iterator[OpenTrace]:
    """Opens a trace's page, drawn: `open_trace("tight", width=375, color_scheme="dark")`. Complaints fail the test."""
    contexts = []

    def opened(name: str, width: int = 900, height: int = 900, fragment: str = "", **options: Any) -> Page:
        given = {"reduced_motion": "reduce", **options}
        context = chromium.new_context(base_url=site, viewport={"width": width, "height": height}, **given)
        context.set_default_timeout(8000)
        listen(context, site, complaints)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{name}.html{fragment}")
        page.wait_for_function("!!customElements.get('trace-player')")
        if name != "empty":
            page.locator(".player").wait_for()
        settle(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def settle(page: Page) -> None:
    """Wait until what was asked for is drawn: every view, in its faces."""
    page.evaluate(
        """async () => {
            const frame = () => new Promise(requestAnimationFrame);
            const coming = () => [...document.querySelectorAll("trace-player")]
              .some(({ shadowRoot }) => shadowRoot?.querySelector("[data-coming]"));
            do {
              await document.fonts.ready;
              await frame();
              await frame();
            } while (coming());
        }"""
    )


@pytest.fixture
def open_views(open_trace: OpenTrace) -> OpenViews:
    """A player with these views on these traces: `open_views(trace("shared"), views="blocks", step=7)`."""

    def opened(*traces: Trace, views: str = ALL, step: int | None = None, **options: Any) -> Page:
        page = open_trace("empty", **options)
        page.route("**/rules.json", lambda route: route.fulfill(json=json.loads(rules_json(PROJECT.engine))))
        page.evaluate(
            """async ([texts, views]) => {
              const player = document.querySelector("trace-player");
              player.setAttribute("views", views);
              if (texts.length) await (texts.length > 1 ? player.openPair(...texts) : player.open(texts[0]));
            }""",
            [[one.to_jsonl() for one in traces], views],
        )
        if step is not None:
            page.evaluate("step => document.querySelector('trace-player').go({ step })", step)
        settle(page)
        return page

    return opened


def now(page: Page) -> str:
    settle(page)
    return page.locator("span.now").inner_text()


def said(page: Page) -> str:
    return page.locator("[role=status]").inner_text().strip()


def listen_for(page: Page, name: str) -> None:
    """Keep the details of an event from here on, in `window.heard`."""
    page.evaluate(
        "(name) => { window.heard = []; addEventListener(name, ({ detail }) => window.heard.push(detail)); }", name
    )
