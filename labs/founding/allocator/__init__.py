"""The second task: an allocator of blocks."""

from labs.founding.allocator.cases import FOUNDING, Workload, generate, shrink, tell
from labs.founding.allocator.hints import HINTS
from labs.founding.allocator.picture import draw
from labs.founding.allocator.replay import replay
from labs.founding.allocator.rules import RULES
from labs.founding.allocator.run import AllocatorRun, observe
from labs.kit.task import Task

TASK: Task[Workload, AllocatorRun] = Task(
    lab="founding",
    id="allocator",
    title="An allocator of pages",
    class_name="Allocator",
    methods=("allocate", "append", "free", "waste"),
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
