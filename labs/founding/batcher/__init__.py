"""The first task: a continuous batcher."""

from labs.founding.batcher.cases import FOUNDING, Workload, generate, shrink, tell
from labs.founding.batcher.hints import HINTS
from labs.founding.batcher.picture import draw
from labs.founding.batcher.replay import replay
from labs.founding.batcher.rules import RULES
from labs.founding.batcher.run import BatcherRun, observe
from labs.kit.task import Task

TASK: Task[Workload, BatcherRun] = Task(
    lab="founding",
    id="batcher",
    title="A continuous batcher",
    class_name="Batcher",
    methods=("add", "step"),
    examples=(FOUNDING,),
    generate=generate,
    shrink=shrink,
    tell=tell,
    observe=observe,
    rules=RULES,
    hints=HINTS,
    draw=draw,
    replay=replay,
)
