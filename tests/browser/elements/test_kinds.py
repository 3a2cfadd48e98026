"""Every kind of check in every state: fresh, refused, wrong, right, unknown, restored, started over."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.driving import findings
from tests.browser.elements.answering import answer, check
from tests.browser.elements.conftest import open_page
from tests.browser.elements.kinds_pages import EVERY
from tests.browser.elements.storage import put, stored


@pytest.fixture
def page(context: BrowserContext) -> Page:
    page = context.new_page()
    open_page(page, "kinds.html")
    return page


def box_of(page: Page, name: str) -> Locator:
    return page.locator(f"course-check[data-id={name}]")


@pytest.mark.parametrize("name", EVERY)
def test_a_kind_goes_through_every_state(page: Page, name: str) -> None:
    box = box_of(page, name)
    result = box.locator(".check-result")
    expect(result).to_be_empty()
    answer(box, right=False)
    expect(result).to_have_attribute("data-state", "wrong")
    assert not stored(page, f"check/{name}")["correct"]
    answer(box, right=True)
    expect(result).to_have_attribute("data-state", "right")
    expect(result).to_contain_text("Right.")
    record = stored(page, f"check/{name}")
    tries = [one["correct"] for one in record["tries"]]
    assert (record["correct"], tries[0], tries[-1]) == (True, False, True)
    page.reload()
    expect(result).to_have_attribute("data-state", "right")
    expect(result).to_have_attribute("aria-live", "off")
    restart = box.get_by_role("button", name="Start over")
    restart.click()
    expect(restart).to_be_focused()
    expect(result).to_have_text("Started over.")
    expect(box.locator("form [data-state]")).to_have_count(0)
    assert stored(page, f"check/{name}") is None


@pytest.mark.parametrize("name", EVERY)
def test_not_knowing_is_an_attempt_and_can_be_mended(page: Page, name: str) -> None:
    box = box_of(page, name)
    button = box.get_by_role("button", name="I don't know")
    button.click()
    expect(button).to_be_focused()
    expect(box.locator(".check-result")).to_contain_text("That is an answer too.")
    record = stored(page, f"check/{name}")
    assert (record["attempts"], record["correct"], record["unknown"]) == (1, False, True)
    page.reload()
    expect(box.locator(".check-result")).to_contain_text("That is an answer too.")
    answer(box, right=True)
    expect(box.locator(".check-result")).to_contain_text("Right.")
    assert stored(page, f"check/{name}").get("unknown") is None


def test_axe_finds_nothing_in_any_state(page: Page) -> None:
    assert findings(page) == []
    for name in EVERY:
        answer(box_of(page, name), right=False)
    assert findings(page) == []
    for name in EVERY:
        answer(box_of(page, name), right=True)
    assert findings(page) == []


def test_several_choices_say_what_was_missed(page: Page) -> None:
    box = box_of(page, "breaks-reuse")
    box.get_by_label("Another adapter").check()
    box.get_by_label("A larger limit").check()
    check(box)
    result = box.locator(".check-result")
    expect(result).to_contain_text("Not yet: 1 of 2 right ones ticked, and 1 that isn't.")
    expect(box.locator(".check-missed:visible")).to_have_text("what a page holds depends on all before it.")
    expect(result).to_contain_text("what a page holds depends on all before it.")
    expect(box.locator(".check-option[data-state=missed]")).to_have_attribute("data-value", "b")
    expect(box.locator(".check-hints")).to_be_visible()


def test_an_order_is_made_by_keyboard_and_the_focus_stays(page: Page) -> None:
    box = box_of(page, "look-first")
    button = box.get_by_role("button", name="Move down: queue time")
    box.get_by_role("button", name="Move up: queue time").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(box.get_by_role("listitem").first).to_contain_text("queue time")
    expect(box.get_by_role("button", name="Move up: queue time")).to_have_attribute("aria-disabled", "true")
    button.focus()
    page.keyboard.press("Space")
    expect(button).to_be_focused()
    expect(box.locator(".check-moved")).to_have_text("queue time: now 2 of 4.")
    expect(box.get_by_role("listitem").nth(1)).to_contain_text("queue time")


def test_an_order_never_begins_solved(context: BrowserContext) -> None:
    page = context.new_page()
    for seed in range(6):
        page.goto("home.html")
        put(page, "student", "seed", {"seed": seed})
        open_page(page, "kinds.html")
        items = [item.get_attribute("data-value") for item in box_of(page, "look-first").locator(".check-item").all()]
        assert items != sorted(map(str, items))


def test_a_grid_is_marked_cell_by_cell_and_names_a_mistake(page: Page) -> None:
    box = box_of(page, "two-slots-grid")
    check(box)
    expect(box.locator(".check-result")).to_have_text("6 cells are still open.")
    answer(box, right=True)
    box.get_by_label("step 2, slot 1").select_option("c")
    expect(box.locator(".check-cell[data-state]")).to_have_count(0)
    check(box)
    expect(box.locator(".check-cell[data-state=right]")).to_have_count(5)
    expect(box.locator(".check-cell[data-state=wrong]")).to_have_attribute("data-cell", "1,0")
    result = box.locator(".check-result")
    expect(result).to_contain_text("5 of 6 cells are right. Not right: step 2, slot 1.")
    expect(box.locator(".check-mistake:visible")).to_have_text("a still holds its slot.")
    expect(box.get_by_label("step 2, slot 1")).to_have_accessible_description("a still holds its slot.")


def test_fields_of_a_grid_take_any_dash_for_nobody(page: Page) -> None:
    box = box_of(page, "two-slots-fields")
    answer(box, right=True)
    box.get_by_label("step 4, slot 1").fill("-")
    box.get_by_label("step 3, slot 1").fill(" C ")
    check(box)
    expect(box.locator(".check-result")).to_contain_text("Right.")


def test_words_are_read_kindly_and_confidence_comes_first(page: Page) -> None:
    box = box_of(page, "block-table")
    field, result = box.get_by_label("Your answer"), box.locator(".check-result")
    field.fill("The free-queue.")
    check(box)
    expect(result).to_have_text("Say first how sure you are. It is only for you.")
    box.get_by_label("Certain").check()
    for typed, words in {
        "Free queue!": "That lists what nobody holds.",
        "the heap": "Every request has one.",
        "PAGE-TABLES": "vLLM says block",
        "“block table”": "Yes.",
    }.items():
        field.fill(typed)
        check(box)
        expect(result).to_contain_text(words)
    assert [one["confidence"] for one in stored(page, "check/block-table")["tries"]] == ["sure"] * 4


def test_an_explanation_is_compared_before_it_is_ticked(page: Page) -> None:
    box = box_of(page, "own-words")
    check(box)
    expect(box.locator(".check-result")).to_contain_text("Write a few words of your own first.")
    expect(box.locator(".check-model")).to_be_hidden()
    box.get_by_label("Your answer").fill("They share a page.")
    check(box)
    expect(box.locator(".check-result")).to_contain_text("Tick what yours says")
    expect(box.locator(".check-model")).to_be_visible()
    assert stored(page, "check/own-words")["attempts"] == 0
    box.get_by_label("says that each rounds up alone").check()
    expect(box.locator(".check-model")).to_be_visible()
    check(box)
    expect(box.locator(".check-result")).to_contain_text("1 of 2 points")
    page.reload()
    expect(box.get_by_label("Your answer")).to_have_value("They share a page.")
    expect(box.get_by_label("says that each rounds up alone")).to_be_checked()


def test_a_prediction_opens_the_code_and_runs_it(page: Page) -> None:
    box = box_of(page, "when-c")
    run = box.locator(".check-run")
    expect(run).to_be_hidden()
    box.get_by_label("5").check()
    check(box)
    expect(run).to_be_hidden()
    box.get_by_label("A guess").check()
    check(box)
    expect(run).to_be_visible()
    expect(run.locator(".snippet-output")).to_have_attribute("data-from", "run")
    expect(box.locator(".check-result")).to_contain_text("Not yet.")
    page.reload()
    expect(run).to_be_visible()
    expect(run.locator(".snippet-output")).not_to_have_attribute("data-from", "run")
    box.get_by_role("button", name="Start over").click()
    expect(run).to_be_hidden()


def test_new_numbers_are_stored_and_keep_what_was_answered(page: Page) -> None:
    box = box_of(page, "waste-of-two")
    first = box.locator("legend").first.text_content()
    answer(box, right=True)
    button = box.get_by_role("button", name="New numbers")
    button.click()
    expect(button).to_be_focused()
    expect(box.locator(".check-result")).to_have_text("The same question with other numbers.")
    second = box.locator("legend").first.text_content()
    assert first != second
    expect(box.locator(".check-number input")).to_have_value("")
    page.reload()
    expect(box.locator("legend").first).to_have_text(str(second))
    expect(box.locator(".check-earlier")).to_be_hidden()
    answer(box, right=False)
    record = stored(page, "check/waste-of-two")
    assert (record["variant"], [one["variant"] for one in record["tries"]]) == (1, [0, 1])
    for _ in range(2):
        button.click()
    expect(box.locator("legend").first).to_have_text(str(first))
    box.get_by_role("button", name="Start over").click()
    assert stored(page, "check/waste-of-two") is None


def test_a_named_mistake_is_counted_by_its_name(page: Page) -> None:
    box = box_of(page, "waste-of-two")
    box.locator(".check-number input").fill("48")
    check(box)
    expect(box.locator(".check-mistake:visible")).to_have_text("That rounds once.")
    assert stored(page, "check/waste-of-two")["tries"][0]["drew"] == "rounds once"


def test_turning_the_lesson_round_misattributes_nothing(page: Page) -> None:
    for at, name in enumerate(EVERY):
        answer(box_of(page, name), right=at % 2 == 0)
    open_page(page, "kinds-turned.html")
    for at, name in enumerate(EVERY):
        state = "right" if at % 2 == 0 else "wrong"
        expect(box_of(page, name).locator(".check-result")).to_have_attribute("data-state", state)
        expect(box_of(page, name).locator(".check-earlier")).to_be_hidden()


def test_two_tabs_that_answer_at_once_lose_nothing(page: Page, context: BrowserContext) -> None:
    other = context.new_page()
    open_page(other, "kinds.html")
    # Both tabs stand as they were loaded: neither has seen the other's answer when it writes its own.
    for at, name in enumerate(EVERY):
        answer(box_of(page if at % 2 else other, name), right=True)
    for name in EVERY:
        assert stored(page, f"check/{name}")["correct"]
    # And both answer the same check, at the same moment, as far as a test can bring them to.
    here, there = box_of(page, "breaks-reuse"), box_of(other, "breaks-reuse")
    press = "box => { box.querySelector('input').click(); box.querySelector('form').requestSubmit(); }"
    before = len(stored(page, "check/breaks-reuse")["tries"])
    here.evaluate(press)
    there.evaluate(press)
    assert len(stored(page, "check/breaks-reuse")["tries"]) == before + 2


def test_a_renamed_check_keeps_its_answers(page: Page) -> None:
    answer(box_of(page, "breaks-reuse"), right=True)
    open_page(page, "renamed.html")
    expect(box_of(page, "reuse-broken").locator(".check-result")).to_contain_text("Right.")
    assert stored(page, "check/breaks-reuse") is None
    assert stored(page, "check/reuse-broken")["correct"]


def test_a_check_that_comes_back_is_asked_anew_and_climbs(page: Page) -> None:
    answer(box_of(page, "breaks-reuse"), right=True)
    page.evaluate(
        """() => {
             const key = "inside-the-batch/check/breaks-reuse";
             const record = JSON.parse(localStorage.getItem(key));
             record.data.review.due = Date.now() - 1000;
             localStorage.setItem(key, JSON.stringify(record));
           }"""
    )
    open_page(page, "kinds.html?review=breaks-reuse#check-breaks-reuse")
    box = box_of(page, "breaks-reuse")
    expect(box.locator(".check-result")).to_contain_text("Time to look at this once more.")
    expect(box.locator("input:checked")).to_have_count(0)
    answer(box, right=True)
    review = stored(page, "check/breaks-reuse")["review"]
    assert review["step"] == 1
    days = (review["due"] - page.evaluate("Date.now()")) / 86_400_000
    assert 6.9 < days < 7.1
