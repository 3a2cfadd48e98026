"""What the simulator does under three policies and a pool too small, as one text: every Python has to give the same.

The text of this file is run here and in the browser, so it stands on the engine alone.
"""

from __future__ import annotations

import json

from engine.cost import DENSE_8B
from engine.settings import Settings
from engine.simulate.scenario import Scenario
from engine.workload import Workload, lognormal, open_loop, poisson, sessions, shared_prefix, stream

POLICIES = ("fcfs", "priority", "fair")


def scenario(policy: str, caching: bool) -> Scenario:
    """Conversations that share prefixes, more than fit."""
    lengths = lognormal(300, 120, stream(1, "lengths"), longest=2000)
    drawn = open_loop("drawn", poisson(20, stream(1, "arrivals")), lengths, 60)
    shared = shared_prefix(drawn, stream(1, "content"), num_tokens=100, share=0.5, groups=3)
    workload = Workload("simulated", tuple(sessions(list(shared), turns=4)))
    sizes = Settings(
        num_blocks=700, max_model_len=8192, enable_prefix_caching=caching, policy=policy, startup_rule=False
    )
    return Scenario(settings=sizes, workload=workload, cost=DENSE_8B)


def everything() -> str:
    """Every record of every run, and its report."""
    found = []
    for policy in POLICIES:
        for caching in (False, True):
            case = scenario(policy, caching)
            found += [repr(record) for record in case.trace().records]
            found.append(json.dumps(case.run().report()))
    return "\n".join(found)
