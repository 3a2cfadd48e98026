"""Two tabs on one notebook: the second is told, and neither loses the other's work."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.driving import NewContext
from tests.browser.lab.lab import Lab

TOLD = "open in another tab"


def test_the_second_tab_looks_on_until_it_is_told_otherwise(new_context: NewContext) -> None:
    context = new_context()
    first = Lab(context.new_page()).open()
    first.write(1, "written = 'in the first tab'")
    second = Lab(context.new_page())
    second.page.goto("labs/founding/")
    second.card.locator(".lab-door button").click()
    expect(second.notice()).to_contain_text(TOLD, timeout=60_000)
    expect(first.notice()).to_have_count(0)
    assert second.ask("notebook.node.inert") is True

    second.choose("Use it here")
    second.says("You work on this notebook here now")
    assert second.source(1) == "written = 'in the first tab'"
    expect(first.notice()).to_contain_text(TOLD)
    assert first.ask("notebook.node.inert") is True

    second.write(1, "written = 'in the second tab'")
    second.wait_until_saved()
    second.page.close()
    first.says("You work on this notebook here now")
    assert first.source(1) == "written = 'in the second tab'"
    assert first.ask("notebook.node.inert") is False


def test_a_tab_that_vanished_doesnt_keep_the_notebook(new_context: NewContext) -> None:
    context = new_context()
    first = Lab(context.new_page()).open()
    second = Lab(context.new_page())
    second.page.goto("labs/founding/")
    second.card.locator(".lab-door button").click()
    expect(second.notice()).to_contain_text(TOLD, timeout=60_000)
    # A tab that crashed says no farewell and answers nothing.
    first.ask("(window.BroadcastChannel.prototype.postMessage = () => {}, null)")
    second.choose("Use it here")
    second.says("You work on this notebook here now")


DEAF = """{
    const listen = BroadcastChannel.prototype.addEventListener;
    BroadcastChannel.prototype.addEventListener = function (type, hear) {
        listen.call(this, type, (event) => window.putBy || hear(event));
    };
}"""
"""A page that hears nothing of other tabs while it is put by."""


def test_a_tab_that_the_browser_put_by_comes_back_as_the_younger(new_context: NewContext) -> None:
    context = new_context()
    page = context.new_page()
    page.add_init_script(DEAF)
    first = Lab(page).open()
    first.ask("(window.putBy = true, null)")
    second = Lab(context.new_page()).open()
    second.write(1, "written = 'meanwhile'")
    second.wait_until_saved()
    first.ask("(window.putBy = false, document.dispatchEvent(new Event('resume')), null)")
    expect(first.notice()).to_contain_text(TOLD)
    page.wait_for_function(
        "document.querySelector('course-lab iframe').contentDocument.body.textContent.includes('meanwhile')"
    )
    assert first.source(1) == "written = 'meanwhile'"
    assert first.ask("notebook.node.inert") is True
    assert second.ask("notebook.node.inert") is False
