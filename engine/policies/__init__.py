"""Who is served first, and who gives way: the scheduling policies.

A policy is a queue for those who wait and a function that picks the victim when memory runs out; some need a
little more (`engine.policies.policy`). To add one, write it and name it in `POLICIES`; or hand it to
`engine.scheduler.Scheduler`, or to `engine.simulate.serve`, without giving it a name.
"""

from typing import Final

from engine.policies.ageing import shortest_with_ageing
from engine.policies.fairness import FAIR
from engine.policies.feedback import FEEDBACK
from engine.policies.policy import Policy, last_admitted, ranked
from engine.policies.prefix_match import LONGEST_PREFIX
from engine.policies.queues import ArrivalQueue, ListQueue, RankedQueue, WaitingQueue
from engine.policies.ranks import DEADLINE, PRIORITY, SHORTEST, SHORTEST_ORACLE

POLICIES: Final[dict[str, Policy]] = {
    "fcfs": Policy(ArrivalQueue, last_admitted),
    "priority": PRIORITY,
    "shortest": SHORTEST,
    "shortest-oracle": SHORTEST_ORACLE,
    "shortest-ageing": shortest_with_ageing(),
    "deadline": DEADLINE,
    "longest-prefix": LONGEST_PREFIX,
    "feedback": FEEDBACK,
    "fair": FAIR,
}
"""Every policy, under the name that `Settings.policy` takes. vLLM 0.32.0 has the first two."""

__all__ = [
    "POLICIES",
    "ArrivalQueue",
    "ListQueue",
    "Policy",
    "RankedQueue",
    "WaitingQueue",
    "last_admitted",
    "ranked",
    "shortest_with_ageing",
]
