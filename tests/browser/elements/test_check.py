"""Knowledge checks: try, read why, try again."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.elements.storage import put, stored


def test_a_wrong_choice_gets_its_own_feedback_and_a_hint_and_the_right_one_the_explanation(page: Page) -> None:
    box = page.locator("course-check[data-id=batch-gain]")
    result = box.get_by_role("status")
    expect(box.locator(".check-hints")).to_be_hidden()
    box.get_by_label("It makes a step faster").check()
    box.get_by_role("button", name="Check").click()
    expect(result).to_contain_text("Not yet. Read why, then try again.")
    expect(result).to_contain_text("A step costs the same.")
    expect(box.locator(".check-feedback:visible")).to_have_text("A step costs the same.")
    expect(box.get_by_label("It makes a step faster")).to_have_accessible_description("A step costs the same.")
    expect(box.locator(".check-hints")).to_be_visible()
    expect(box.locator(".check-explanation")).to_be_hidden()
    box.get_by_label("It leaves no slot idle").check()
    expect(result).to_be_empty()
    expect(box.locator(".check-feedback:visible")).to_have_count(0)
    box.get_by_role("button", name="Check").click()
    expect(result).to_contain_text("Right.")
    expect(box.locator(".check-explanation")).to_be_visible()


def test_no_answer_and_no_number_get_a_kind_word_and_count_for_nothing(page: Page) -> None:
    choice = page.locator("course-check[data-id=batch-gain]")
    choice.get_by_role("button", name="Check").click()
    expect(choice.get_by_role("status")).to_have_text("Choose an answer first.")
    number = page.locator("course-check[data-id=reserved]")
    field = number.get_by_role("textbox")
    field.fill("many")
    field.press("Enter")
    expect(number.get_by_role("status")).to_contain_text("“many” isn't a number")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(number.locator(":is(.check-otherwise, .check-answer, .check-mistake):visible")).to_have_count(0)
    assert stored(page, "check/reserved") is None


def test_a_number_is_read_with_its_unit_and_a_named_mistake_has_its_own_words(page: Page) -> None:
    number = page.locator("course-check[data-id=reserved]")
    field, result = number.get_by_role("textbox"), number.get_by_role("status")
    for typed, words in {
        "96": "That rounds once, at the end.",
        "7": "Count the pages of one request first.",
        " 112 slots ": "Every request rounds up by itself.",
    }.items():
        field.fill(typed)
        field.press("Enter")
        expect(result).to_contain_text(words)
        expect(number.locator(":is(.check-otherwise, .check-answer, .check-mistake):visible")).to_have_count(1)
    expect(result).to_contain_text("Right.")
    expect(field).to_have_accessible_description("Every request rounds up by itself.")
    expect(field).to_be_focused()


def test_an_answer_survives_a_reload_without_being_announced_and_starting_over_clears_it(page: Page) -> None:
    box = page.locator("course-check[data-id=batch-gain]")
    restart = box.get_by_role("button", name="Start over")
    expect(restart).to_have_attribute("aria-disabled", "true")
    box.get_by_label("It needs less memory").check()
    box.get_by_role("button", name="Check").click()
    page.reload()
    expect(box.get_by_label("It needs less memory")).to_be_checked()
    expect(box.locator(".check-result")).to_contain_text("Not yet.")
    expect(box.locator(".check-result")).to_have_attribute("aria-live", "off")
    expect(box.locator(".check-feedback:visible")).to_have_text("Memory is another matter.")
    restart.click()
    expect(restart).to_be_focused()
    expect(box.get_by_role("status")).to_have_text("Started over.")
    expect(box.locator("input:checked")).to_have_count(0)
    expect(box.locator(".check-hints")).to_be_hidden()
    page.reload()
    expect(box.locator("input:checked")).to_have_count(0)


def test_attempts_are_counted(page: Page) -> None:
    box = page.locator("course-check[data-id=batch-gain]")
    for label in ("It needs less memory", "It leaves no slot idle"):
        box.get_by_label(label).check()
        box.get_by_role("button", name="Check").click()
    record = stored(page, "check/batch-gain")
    assert (record["attempts"], record["correct"], record["shown"]) == (2, True, "It leaves no slot idle")


def test_the_order_is_the_student_s_own_and_stays(context: BrowserContext) -> None:
    def order(seed: int) -> list[str]:
        page = context.new_page()
        page.goto("home.html")
        put(page, "student", "seed", {"seed": seed})
        page.goto("lesson.html")
        expect(page.locator("course-check[data-id=batch-gain]").get_by_role("button", name="Check")).to_be_visible()
        labels = page.locator("course-check[data-id=batch-gain] .check-option label").all_inner_texts()
        page.close()
        return labels

    assert order(7) == order(7)
    assert len({tuple(order(seed)) for seed in range(8)}) > 1


def test_an_answer_to_an_earlier_version_is_shown_as_that(page: Page) -> None:
    box = page.locator("course-check[data-id=batch-gain]")
    box.get_by_label("It leaves no slot idle").check()
    box.get_by_role("button", name="Check").click()
    page.goto("changed.html")
    expect(box.locator(".check-earlier")).to_have_text(
        "You answered “It leaves no slot idle” to an earlier version of this question, and that was right then. "
        "It has changed since."
    )
    expect(box.locator("input:checked")).to_have_count(0)
    box.get_by_label("It fills idle slots").check()
    box.get_by_role("button", name="Check").click()
    expect(box.locator(".check-earlier")).to_be_hidden()


def test_another_tab_follows_and_an_open_answer_is_left_alone(page: Page, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto("lesson.html")
    here = page.locator("course-check[data-id=batch-gain]")
    there = other.locator("course-check[data-id=batch-gain]")
    here.get_by_label("It leaves no slot idle").check()
    here.get_by_role("button", name="Check").click()
    expect(there.locator(".check-result")).to_contain_text("Right.")
    there.get_by_label("It needs less memory").check()
    here.get_by_role("button", name="Start over").click()
    expect(here.locator("input:checked")).to_have_count(0)
    expect(there.get_by_label("It needs less memory")).to_be_checked()


def test_checking_moves_neither_the_page_nor_the_focus(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 500})
    box = page.locator("course-check[data-id=batch-gain]")
    box.get_by_label("It makes a step faster").check()
    button = box.get_by_role("button", name="Check")
    button.focus()
    before = page.evaluate("scrollY")
    page.keyboard.press("Enter")
    expect(box.get_by_role("status")).to_contain_text("Not yet.")
    expect(button).to_be_focused()
    assert abs(page.evaluate("scrollY") - before) <= 200  # the browser keeps what is being read in place


def test_the_page_says_whom_a_check_is_for(page: Page) -> None:
    expect(page.locator("course-check[data-id=reserved] .check-note")).to_contain_text("nothing is sent or graded")
