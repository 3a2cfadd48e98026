"""Two ways to work a page: with the mouse, and with the keyboard alone. Both offer the same deeds."""

from __future__ import annotations

from typing import Protocol

from playwright.sync_api import Locator, Page, expect


class Hand(Protocol):
    """What a student does to a page."""

    def press(self, target: Locator) -> None:
        """Work a button or a link."""

    def choose(self, option: Locator) -> None:
        """Take one of several radio buttons."""

    def enter(self, field: Locator) -> None:
        """Go into a field or an editor."""

    def enter_cell(self, cells: Locator, number: int) -> None:
        """Go into the editor of a notebook's cell."""

    def write(self, field: Locator, text: str) -> None:
        """Replace what a field or an editor holds."""


class Mouse:
    """Points and clicks, and types where it clicked."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        target.click()

    def choose(self, option: Locator) -> None:
        option.check()

    def enter(self, field: Locator) -> None:
        field.click()

    def enter_cell(self, cells: Locator, number: int) -> None:
        cells.nth(number).locator(".cm-content").click()

    def write(self, field: Locator, text: str) -> None:
        self.enter(field)
        replace_all(self.page, text)


class Keyboard:
    """Reaches everything with Tab, sees where it is at every stop, and gets out of everything again."""

    MOST_STOPS = 400

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Enter")

    def choose(self, option: Locator) -> None:
        """One of a group takes the Tab; the arrows go on from there, and choose."""
        self.reach(option.locator("xpath=ancestor::fieldset"))
        for _ in range(20):
            if option.is_checked():
                return
            self.page.keyboard.press("Space" if option.evaluate(_HAS_FOCUS) else "ArrowDown")
        raise AssertionError(f"the arrows don't reach {option}")

    def enter(self, field: Locator) -> None:
        self.reach(field)

    def enter_cell(self, cells: Locator, number: int) -> None:
        """Tab reaches the notebook's current cell; the arrows lead to the others, and Enter into one."""
        self.reach(cells.locator("xpath=self::*[@tabindex='0']"))
        for _ in range(2 * cells.count()):
            at = int(cells.page.evaluate(_ACTIVE_CELL))
            if at == number:
                break
            self.page.keyboard.press("ArrowDown" if at < number else "ArrowUp")
        self.page.keyboard.press("Enter")
        expect(cells.nth(number).locator(".cm-content")).to_be_focused()

    def write(self, field: Locator, text: str) -> None:
        self.enter(field)
        replace_all(self.page, text)

    def reach(self, target: Locator) -> None:
        """Tab, forwards or backwards, until the target or something in it has the focus, and shows it."""
        expect(target).to_be_visible()
        key = ""
        for _ in range(self.MOST_STOPS):
            seen = target.evaluate(_LOOK)
            assert not (key and seen["stuck"]), f"{key} doesn't leave {seen['at']}"
            if seen["way"] == "here":
                assert target.evaluate(_SHOWN), f"nothing shows that {target} has the focus"
                return
            if seen["editor"]:
                self.page.keyboard.press("Escape")
            key = "Tab" if seen["way"] == "after" else "Shift+Tab"
            self.page.keyboard.press(key)
        raise AssertionError(f"Tab doesn't reach {target}")


def replace_all(page: Page, text: str) -> None:
    """Put other text in the place of all that the focused field holds, in one stroke, as by pasting."""
    page.keyboard.press("Control+a")
    page.keyboard.press("Backspace")
    page.keyboard.insert_text(text)


_ACTIVE_CELL = "() => frames[0].jupyterapp.shell.currentWidget.content.activeCellIndex"
_HAS_FOCUS = "(one) => one === document.activeElement"
# What has the focus, through frames of the page's own origin, and where the target lies from there: "here", or
# before or after it in the document where they part. It is "stuck" where the last look found the same.
_LOOK = """(target) => {
    let at = top.document.activeElement;
    while (at.contentDocument?.activeElement) at = at.contentDocument.activeElement;
    // Inside an element of its own, such as the player, focus moves on while the document sees but the element.
    let exactly = at;
    while (exactly.shadowRoot?.activeElement) exactly = exactly.shadowRoot.activeElement;
    const stuck = top.lastSeenFocused === exactly;
    top.lastSeenFocused = exactly;
    const chain = (one) => {
        const frame = one.ownerDocument.defaultView.frameElement;
        return frame ? [...chain(frame), one] : [one];
    };
    const [to, from] = [chain(target), chain(at)];
    const parting = to.findIndex((one, place) => one !== from[place]);
    const before = from[parting]?.compareDocumentPosition(to[parting]) & Node.DOCUMENT_POSITION_PRECEDING;
    const way = target.contains(at) ? "here" : before ? "before" : "after";
    return { way, stuck, at: at.outerHTML.slice(0, 200), editor: at.closest(".cm-editor") !== null };
}"""
# A ring or a glow on the target, on what has the focus in it, or on the label, editor or cell around it.
_SHOWN = """(target) => {
    const focused = target.contains(document.activeElement) ? document.activeElement : target;
    const around = ["label, form, li", ".cm-editor", ".jp-InputArea-editor, .jp-Cell"];
    const places = [target, focused, ...around.map((one) => focused.closest(one))].filter(Boolean);
    return places.map((one) => getComputedStyle(one)).some((style) =>
        (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none");
}"""
