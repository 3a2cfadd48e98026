"""*Your server* in a browser: paste, read, complete, take along; and nothing of it leaves the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, Request, expect

from tests.browser.driving import findings, listen
from tests.browser.look.conftest import OpenPage, open_page
from tests.browser.look.test_access import SMALL_TARGETS
from tests.engine.test_readers_serve_log import FIRST

__all__ = ["open_page"]

SECRET = "hf_Secret2"
KEYS = f"HF_TOKEN={SECRET} vllm serve Qwen/Qwen3-8B --api-key {SECRET}"
TOO_SMALL = "vllm serve m --num-gpu-blocks-override 10 --max-model-len 4096 --max-num-seqs 8 --max-num-batched-tokens 8"
DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "cmd.txt"));
  const on = document.querySelector("course-server");
  on.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """The page after a first reading. It asks no other host, and no address it asks for holds what was pasted."""
    complaints: list[str] = []
    context = browser.new_context(base_url=site, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    listen(context, site, complaints)

    def leaks(request: Request) -> None:
        complaints.extend([request.url] * (SECRET in (request.url + (request.post_data or ""))))

    context.on("request", leaks)
    page = context.new_page()
    page.goto("your-server/")
    read(page, "vllm serve m")
    yield page
    context.close()
    assert complaints == []


def read(page: Page, text: str) -> None:
    """Paste and read."""
    page.get_by_label("The command that starts your server").fill(text)
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("course-server")).to_have_attribute("data-phase", "idle", timeout=120_000)


def status(page: Page) -> Locator:
    """The line that is read out."""
    return page.locator("course-server .course-status")


def settings(page: Page) -> dict[str, list[str]]:
    """The table: setting, value and source."""
    rows = page.locator(".server-table tbody tr")
    found = [rows.nth(number).locator("th, td").all_text_contents() for number in range(rows.count())]
    return {name: rest for name, *rest in found}


def part(page: Page, title: str) -> str:
    """The text of one part of the result."""
    return page.locator(".server-part", has=page.get_by_role("heading", name=title)).inner_text()


def test_a_command_becomes_settings_with_their_sources(page: Page) -> None:
    read(page, f"{KEYS} --max-num-seqs 64 --enable-lora --port 80 --max-seqs 3")
    expect(status(page)).to_have_text("7 settings were read; 3 are still unknown.")
    found = settings(page)
    assert found["max_num_seqs"] == ["64", "--max-num-seqs"]
    assert found["policy"] == ["fcfs", "vLLM's default"]
    assert "LoRA adapters" in part(page, "What the engine doesn't do as your server does")
    assert "--max-seqs" in part(page, "No option of vLLM 0.32.0")
    assert "--port" in part(page, "Options that change nothing")
    assert SECRET not in page.locator(".server-view").inner_text()


def test_a_log_says_all_that_is_needed(page: Page) -> None:
    read(page, FIRST)
    assert settings(page)["num_blocks"] == ["65,536", "log: 2,097,152 tokens in blocks of 32"]
    expect(page.locator(".server-part").first).to_contain_text("vLLM 0.32.0, model tiny.")
    expect(page.locator(".server-part").first).to_contain_text("Requests of full length that fit at once: 1,024.")
    expect(page.get_by_role("heading", name="Still unknown")).to_have_count(0)


def test_what_is_unknown_can_be_filled_in(page: Page) -> None:
    read(page, "vllm serve m --max-num-batched-tokens 4096")
    page.get_by_label("The machine").select_option("gpu-70")
    expect(page.get_by_label("max_num_seqs")).to_have_count(0)
    assert settings(page)["max_num_seqs"][0] == "1,024"
    page.get_by_label("max_model_len").focus()
    page.keyboard.type("8192")
    page.keyboard.press("Tab")
    expect(page.get_by_label("max_model_len")).to_have_count(0)
    page.get_by_label("num_blocks").focus()
    page.keyboard.type("4097")
    page.keyboard.press("Tab")
    expect(page.locator(".server-part").first).to_contain_text("fit at once: 8")
    assert settings(page)["num_blocks"] == ["4,097", "you said so"]


def test_settings_that_cant_be_are_told(page: Page) -> None:
    read(page, TOO_SMALL)
    expect(page.locator(".play-problems")).to_contain_text("vLLM wouldn't start like this: num_blocks is 10")


@pytest.mark.parametrize("text", [f"echo {SECRET}", f"vllm serve '{SECRET}", "<b>hello</b>"])
def test_what_cant_be_read_is_said_without_repeating_it(page: Page, text: str) -> None:
    read(page, text)
    expect(status(page)).to_contain_text("This can't be read. command line: got ")
    assert SECRET not in status(page).inner_text()
    expect(page.locator(".server-view")).to_be_hidden()


def test_nothing_pasted_is_said(page: Page) -> None:
    read(page, "   ")
    expect(status(page)).to_have_text("Paste a command or a log first.")


def test_a_log_is_opened_by_the_button_and_by_dropping(page: Page) -> None:
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="Open a log…").click()
    asked.value.set_files(FilePayload(name="start.log", mimeType="text/plain", buffer=FIRST.encode()))
    expect(page.locator(".server-table")).to_contain_text("65,536")
    page.evaluate(DROP, "vllm serve dropped --max-num-seqs 7")
    expect(page.locator(".server-part").first).to_contain_text("model dropped.")


def test_clear_takes_everything_away(page: Page) -> None:
    read(page, "vllm serve m")
    page.locator("course-server").get_by_role("button", name="Clear").click()
    expect(page.locator(".server-view")).to_be_hidden()
    expect(page.get_by_label("The command that starts your server")).to_have_value("")
    expect(page.get_by_label("The command that starts your server")).to_be_focused()


def test_clear_while_it_is_read_leaves_a_page_that_reads(page: Page) -> None:
    page.get_by_label("The command that starts your server").fill("vllm serve m\n" * 1000)
    page.evaluate(
        """() => {
          const buttons = [...document.querySelectorAll("course-server button")];
          for (const name of ["Read it", "Clear"]) buttons.find(({ textContent }) => textContent === name).click();
        }"""
    )
    expect(page.get_by_role("button", name="Read it")).not_to_have_attribute("aria-disabled", "true")
    read(page, "vllm serve again --max-num-seqs 9")
    expect(page.locator(".server-part").first).to_contain_text("model again.")


def test_nothing_is_stored(page: Page) -> None:
    read(page, f"vllm serve m --api-key {SECRET}")
    assert SECRET not in page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")


def test_the_settings_go_to_the_playground(page: Page) -> None:
    read(page, FIRST)
    page.get_by_role("link", name="Open in the playground").click()
    page.wait_for_url("**/playground/#v=1&**")
    for label, value in [
        ("Slots", "16"),
        ("KV blocks", "65536"),
        ("Token budget of a step", "512"),
        ("Policy", "priority"),
    ]:
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    expect(page.locator(".play-problems")).to_be_hidden()
    page.go_back()
    read(page, "vllm serve m")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_nothing_in_any_state(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page("your-server/", width=width, color_scheme=theme)
    found = {"empty": findings(page, within="course-server")}
    page.get_by_role("button", name="Show an example").click()
    expect(page.locator(".server-table")).to_be_visible(timeout=120_000)
    found["an example"] = [*findings(page, within="course-server"), *page.evaluate(SMALL_TARGETS)]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    read(page, TOO_SMALL)
    found["can't be"] = findings(page, within="course-server")
    read(page, "nothing of the kind")
    found["refused"] = findings(page, within="course-server")
    assert {state: told for state, told in found.items() if told} == {}


def test_the_keyboard_alone_reads_it(open_page: OpenPage) -> None:
    page = open_page("your-server/")
    page.get_by_label("The command that starts your server").focus()
    page.keyboard.type("vllm serve m --max-num-seqs 5")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".server-table")).to_contain_text("--max-num-seqs", timeout=120_000)


def test_python_that_doesnt_arrive_is_said(open_page: OpenPage) -> None:
    page = open_page("your-server/")
    page.route("**/py/**", lambda route: route.abort())
    page.get_by_role("button", name="Show an example").click()
    expect(status(page)).to_contain_text("Python could not be loaded", timeout=60_000)
