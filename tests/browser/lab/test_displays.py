"""What a cell shows in the lab: a trace in the player, a chart by JupyterLab's own renderer."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.driving import NewContext
from tests.browser.lab.lab import Lab

TRACE = "from engine.naive import continuous_batch\ncontinuous_batch({'a': 2, 'b': 4, 'c': 1}, slots=2)"
CHART = (
    "from engine.views.charts import LoadPoint, load_chart\n"
    "load_chart(LoadPoint(load, 0.1, 0.1 * 3 ** max(0, load - 2), 100) for load in range(1, 6))"
)
CELL = 1


def ran(lab: Lab, source: str) -> Lab:
    """Run one cell of an open lab."""
    lab.open()
    lab.write(CELL, source)
    lab.run(CELL)
    return lab


def test_a_trace_alone_in_a_cell_shows_the_lessons_player(new_context: NewContext) -> None:
    lab = ran(Lab(new_context().new_page()), TRACE)
    player = lab.inside.locator("trace-player")
    expect(player.get_by_role("button", name="Play").first).to_be_visible()
    # What any other Jupyter shows goes out of sight, and is kept in the notebook.
    expect(player.locator("svg.course-figure-schedule")).to_be_hidden()
    assert "c takes slot 1 after 2 steps" in lab.output(CELL)


def test_without_the_player_there_is_a_picture_and_words(new_context: NewContext, complaints: list[str]) -> None:
    page = new_context(service_workers="block").new_page()
    page.route("**/trace-player.js", lambda route: route.abort())
    lab = ran(Lab(page), TRACE)
    expect(lab.inside.locator("trace-player svg")).to_be_visible()
    expect(lab.inside.locator("trace-player figcaption")).to_contain_text("c takes slot 1 after 2 steps")
    complaints.clear()  # the module that didn't come


def test_a_chart_alone_in_a_cell_is_drawn_by_jupyterlab(new_context: NewContext) -> None:
    lab = ran(Lab(new_context().new_page()), CHART)
    expect(lab.inside.locator(".vega-embed svg")).to_contain_text("the knee", timeout=30_000)


WRONG = '''from labs.founding import grading


class Batcher:
    """A bus: nobody gets on before everybody has got off."""

    def __init__(self, slots):
        self.slots, self.waiting, self.running, self.finished, self.steps = slots, [], {}, {}, 0

    def add(self, name, needs):
        self.waiting.append((name, needs))

    def step(self):
        if not self.running:
            self.running = dict(self.waiting[: self.slots])
            self.waiting = self.waiting[self.slots :]
        served, self.steps = list(self.running), self.steps + 1
        for name in served:
            self.running[name] -= 1
            if not self.running[name]:
                del self.running[name]
                self.finished[name] = self.steps
        return served


grading.batcher(Batcher)
'''


def test_a_wrong_answer_opens_at_the_step_that_broke(new_context: NewContext) -> None:
    lab = ran(Lab(new_context().new_page()), WRONG)
    report = lab.inside.locator(".lab-report")
    expect(report).to_contain_text("not yet")
    player = lab.inside.locator("trace-player")
    expect(player).to_have_attribute("moment", "step:1")
    expect(player).to_have_attribute("views", "compare")
    expect(player.get_by_role("button", name="Play").first).to_be_visible()
    # The report stays above it.
    expect(report).to_be_visible()
