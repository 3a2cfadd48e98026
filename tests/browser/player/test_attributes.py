"""What a script writes into an open player's attributes is followed, and nothing goes in circles."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.player.conftest import OpenTrace, now, settle

MIRRORED = """() => {
  const [one, other] = document.querySelectorAll("trace-player");
  window.told = 0;
  const place = ({ step, at }, { model }) => (step < 0 ? `at:${at}` : `step:${model.steps.index[step]}`);
  for (const [from, to] of [[one, other], [other, one], [one, one]]) {
    from.addEventListener("trace-moment", ({ detail }) => {
      window.told += 1;
      to.setAttribute("moment", place(detail, from));
    });
    from.addEventListener("trace-choice", ({ detail }) => {
      window.told += 1;
      to.setAttribute("choice", detail.id ?? "");
    });
  }
}"""


STEPS = "document.querySelector('trace-player').model.steps.count"


def write(page: Page, name: str, value: str | None) -> None:
    page.evaluate(
        """([name, value]) => {
            const player = document.querySelector("trace-player");
            if (value === null) player.removeAttribute(name);
            else player.setAttribute(name, value);
        }""",
        [name, value],
    )
    settle(page)


def choice(page: Page) -> str:
    strip: str = page.locator(".panel-timeline .strip").first.inner_text()
    return strip.split(":")[0].split(",")[0]


def test_a_moment_and_a_choice_are_followed(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    write(page, "moment", "step:4")
    assert now(page) == "step 4"
    page.keyboard.press("Tab")
    page.keyboard.press(".")
    assert now(page) == "step 5"
    write(page, "moment", "step:4")
    assert now(page) == "step 4", "written again, it is followed again"
    for nowhere in ("step:", "step:x", "soon", ""):
        write(page, "moment", nowhere)
        assert now(page) == "step 4"
    write(page, "choice", "r2")
    assert choice(page) == "r2"
    write(page, "choice", "nobody")
    assert choice(page) == "r2"
    write(page, "choice", None)
    assert choice(page) != "r2"


def test_what_is_written_while_a_player_is_off_the_page_is_followed_once_it_is_back(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    away = """async (attributes) => {
        const player = document.querySelector("trace-player");
        const { parentNode } = player;
        player.remove();
        for (const [name, value] of attributes) player.setAttribute(name, value);
        parentNode.append(player);
    }"""
    write(page, "moment", "step:4")
    write(page, "choice", "r1")
    page.evaluate(away, [])
    assert (now(page), choice(page)) == ("step 4", "r1")
    page.evaluate(away, [["choice", "r2"]])
    assert (now(page), choice(page)) == ("step 4", "r2")
    page.evaluate(away, [["moment", "step:2"]])
    assert (now(page), choice(page)) == ("step 2", "r2")
    open_now = page.evaluate(STEPS)
    page.evaluate(away, [["src", "shared.trace.jsonl"]])
    page.wait_for_function(f"before => {STEPS} !== before", arg=open_now)


def test_a_trace_that_is_on_its_way_while_its_player_is_moved_still_arrives(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    open_now = page.evaluate(STEPS)
    page.evaluate(
        """() => {
            const player = document.querySelector("trace-player");
            player.setAttribute("src", "shared.trace.jsonl");
            player.parentNode.append(player);
        }"""
    )
    page.wait_for_function(f"before => {STEPS} !== before", arg=open_now)


def test_views_are_followed_and_the_others_close(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    write(page, "views", "queue meters nonsense")
    pressed = page.locator(".toggle[aria-pressed=true]")
    expect(page.locator(".panel:visible .panel-title")).to_have_text(["Queue and batch", "Meters"])
    expect(pressed).to_have_text(["Queue and batch", "Meters"])
    write(page, "views", "")
    expect(page.get_by_text("Choose a view above.")).to_be_visible()
    write(page, "views", None)
    expect(page.locator(".panel:visible .panel-title")).to_have_text(["Timeline", "Blocks", "Queue and batch"])


def test_attributes_of_a_player_without_a_trace_wait_for_one(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    for name, value in (("views", "queue"), ("moment", "step:3"), ("choice", "r1")):
        write(page, name, value)
    write(page, "src", "tight.trace.jsonl")
    page.locator(".player").wait_for()
    assert now(page) == "step 3"
    expect(page.locator(".queue .chip[aria-pressed=true]")).to_have_text(["r1"])


def test_players_that_lead_each_other_and_themselves_come_to_rest(open_trace: OpenTrace) -> None:
    page = open_trace("tight")
    page.evaluate(
        """async () => {
            const player = document.querySelector("trace-player");
            const twin = player.cloneNode(true);
            twin.id = "there";
            player.after(twin);
        }"""
    )
    expect(page.locator(".player")).to_have_count(2)
    page.evaluate(MIRRORED)
    players = page.locator("trace-player")
    page.evaluate("document.querySelector('trace-player').setAttribute('moment', 'step:3')")
    settle(page)
    assert players.locator("span.now").all_inner_texts() == ["step 3", "step 3"]
    page.evaluate("document.querySelectorAll('trace-player')[1].choose({ request: 1 })")
    settle(page)
    assert [strip.split(",")[0] for strip in players.locator(".strip").all_inner_texts()] == ["r2", "r2"]
    assert page.evaluate("window.told") < 12
    players.first.get_by_role("button", name="Play", exact=True).click()
    expect(players.first.locator("span.now")).to_have_text("step 6")
    assert players.nth(1).locator("span.now").inner_text() in ("step 5", "step 6", "step 7")
    players.first.get_by_role("button", name="Pause").click()


def test_a_page_asks_for_its_trace_once(open_trace: OpenTrace) -> None:
    page = open_trace("empty")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("tight.html")
    page.locator(".player").wait_for()
    assert sum("trace.jsonl" in url for url in asked) == 1
