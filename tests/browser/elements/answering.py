"""Answer a check of any kind as a student does, through the page: rightly and wrongly, from the key in its markup."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator


def check(box: Locator) -> None:
    """Press *Check*."""
    box.get_by_role("button", name="Check", exact=True).click()


def answer(box: Locator, *, right: bool) -> None:
    """Fill in an answer that is right, or one that isn't, and check it."""
    kind = box.get_attribute("data-kind") or ""
    if kind == "predict":
        kind = box.locator(".check-run").get_attribute("data-answer") or ""
    _FILL[kind](box, right)
    if box.locator(".check-confidence").count():
        box.locator(".check-confidence input").first.check()
    check(box)
    if kind == "explain":
        _rubric(box, right)
        check(box)


def _choice(box: Locator, right: bool) -> None:
    box.locator(f".check-option[data-correct={str(right).lower()}] input").first.check()


def _multi(box: Locator, right: bool) -> None:
    for option in box.locator(".check-option").all():
        wanted = (option.get_attribute("data-correct") == "true") == right
        option.locator("input").set_checked(wanted)


def _number(box: Locator, right: bool) -> None:
    key = box.locator(".check-answer").first.get_attribute("data-value") or ""
    box.locator(".check-number input").fill(key if right else f"{float(key) * 3 + 1001:g}")


def _text(box: Locator, right: bool) -> None:
    key = box.locator(".check-answer[data-words]").first.get_attribute("data-words") or ""
    box.locator(".check-text input").fill(key if right else "something else")


def _order(box: Locator, right: bool) -> None:
    letters = sorted(item.get_attribute("data-value") or "" for item in box.locator(".check-item").all())
    wanted = letters if right else letters[::-1]
    for place, letter in enumerate(wanted):
        item = box.locator(f".check-item[data-value={letter}]")
        for _ in range(len(letters)):
            now = [other.get_attribute("data-value") for other in box.locator(".check-item").all()]
            if now.index(letter) == place:
                break
            item.locator("button[data-way=up]").click()


def _grid(box: Locator, right: bool) -> None:
    for at, cell in enumerate(box.locator(".check-cell").all()):
        value = cell.get_attribute("data-value") or ""
        menu = cell.locator("select")
        if not menu.count():
            cell.locator("input").fill(value if right or at else "nobody I know")
            continue
        offered = [option for option in menu.locator("option").all_text_contents() if option]
        menu.select_option(value if right or at else next(other for other in offered if other != value))


def _explain(box: Locator, right: bool) -> None:
    box.locator("textarea").fill("Each of them rounds up by itself.")


def _rubric(box: Locator, right: bool) -> None:
    ticks = box.locator(".check-rubric input").all()
    for tick in ticks if right else ticks[:1]:
        tick.check()


_FILL: dict[str, Callable[[Locator, bool], None]] = {
    "choice": _choice,
    "multi": _multi,
    "number": _number,
    "text": _text,
    "order": _order,
    "grid": _grid,
    "explain": _explain,
}
