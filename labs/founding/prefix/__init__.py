"""The third task: a cache of shared beginnings that keeps tenants apart."""

from labs.founding.prefix.cases import FOUNDING, PERMUTED, SPLICED, Workload, generate, shrink, tell
from labs.founding.prefix.hints import HINTS
from labs.founding.prefix.picture import draw
from labs.founding.prefix.replay import replay
from labs.founding.prefix.rules import RULES
from labs.founding.prefix.run import PrefixRun, observe
from labs.kit.task import Task

TASK: Task[Workload, PrefixRun] = Task(
    lab="founding",
    id="prefix",
    title="A prefix cache with tenants",
    class_name="PrefixCache",
    methods=("keys", "lookup", "admit", "free"),
    examples=(SPLICED, PERMUTED, FOUNDING),
    generate=generate,
    shrink=shrink,
    tell=tell,
    observe=observe,
    rules=RULES,
    hints=HINTS,
    draw=draw,
    replay=replay,
)
