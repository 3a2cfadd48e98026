"""The page for those who write labs explains all that a lab has to give."""

from dataclasses import fields

from coursekit.project import here
from labs.founding import wrong
from labs.kit import predict, search
from labs.kit.task import Task

PAGE = (here().docs / "instructors" / "labs.md").read_text(encoding="utf-8")


def test_every_field_of_a_task_is_explained() -> None:
    rows = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    explained = {name.strip(" `") for row in rows for name in row.split(",")}
    assert {field.name for field in fields(Task)} <= explained


def test_the_functions_that_it_names_exist() -> None:
    for name in ("shorter", "lower", "each_replaced"):
        assert f"`{name}`" in PAGE
        assert callable(getattr(search, name))
    assert callable(predict.predict)


def test_its_example_of_a_mistake_is_one_of_the_founding_labs() -> None:
    assert (wrong.FixedBatches, "waits-for-the-batch") in wrong.WRONG
    assert "class FixedBatches(Batcher):\n    def admit(self) -> None:\n        if not self.running:\n" in PAGE


def test_the_lab_has_a_page_of_its_own_that_says_what_is_recorded() -> None:
    page = (here().docs / "labs" / "founding.md").read_text(encoding="utf-8")
    assert '<course-lab data-lab="founding">' in page
    for told in ("version of the lab", "version of the engine", "seed", "sent nowhere"):
        assert told in page
