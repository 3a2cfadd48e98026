"""The rules that the trace player tells: each with its line, and a page that shows it."""

import json
import re

from markdown import Markdown

from coursekit.project import here
from coursekit.reference.source import source
from coursekit.rules import PAGE, rules_json, rules_of
from engine.views.why import RULES

ENGINE = here().engine
SHOWN = re.findall(
    r"^```source\n(.*?)^```$", (here().docs / f"{PAGE.rstrip('/')}.md").read_text(), re.MULTILINE | re.DOTALL
)


def test_every_rule_has_a_sentence_a_line_and_an_address() -> None:
    told = json.loads(rules_json(ENGINE))
    assert set(told) == set(RULES)
    seat = told["no_seat"]
    lines = (ENGINE / "scheduler.py").read_text().splitlines()
    assert "len(self.running) >= seats" in lines[seat["line"] - 1]
    assert seat["sentence"] == RULES["no_seat"]
    assert seat["module"] == "engine.scheduler"
    assert seat["url"] == f"../../reference/source/#engine.scheduler-{seat['line']}"


def test_the_page_shows_every_module_that_has_a_rule() -> None:
    assert {name.strip() for name in SHOWN} == {rule.module for rule in rules_of(ENGINE)}


def test_every_address_is_there() -> None:
    for module in SHOWN:
        html = source(module, "source", "source", {}, Markdown())
        for rule in rules_of(ENGINE):
            if rule.module == module.strip():
                assert html.count(f'id="{rule.anchor}"') == 1
                assert f'<a href="#{rule.anchor}">Line {rule.line}</a>, <code>{rule.name}</code>' in html


def test_a_name_that_is_no_module_is_refused_in_its_place() -> None:
    html = source("engine.blocks\nos.path", "source", "source", {}, Markdown())
    assert "line 2: &#x27;os.path&#x27; is no module of the engine; name one, as engine.scheduler" in html
