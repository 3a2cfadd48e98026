"""The seats and the budget that vLLM 0.32.0 gives its API server where nobody says: they depend on the machine.

From `EngineArgs.get_batch_defaults` of the release. A CPU's grow with the number of ranks.
"""

from typing import Final, NamedTuple


class Machine(NamedTuple):
    """A class of machines, and the defaults on it."""

    name: str
    words: str
    max_num_seqs: int
    max_num_batched_tokens: int
    grows: bool = False
    """Whether both are multiplied by the number of ranks."""


MACHINES: Final = (
    Machine("gpu", "a GPU of less than 70 GiB, or an A100", 256, 2048),
    Machine("gpu-70", "a GPU of 70 GiB or more, as an H100 or H200", 1024, 8192),
    Machine("gpu-160", "a GPU of 160 GiB or more, as a B200", 1024, 16_384),
    Machine("cpu", "a CPU", 128, 2048, grows=True),
)
"""All classes, the smallest GPU first."""

CPU: Final = MACHINES[-1]
"""The class of CPUs."""


def of_budget(budget: int) -> Machine | None:
    """The class of GPUs whose default budget this is: it tells the seats."""
    return next(
        (machine for machine in MACHINES if not machine.grows and machine.max_num_batched_tokens == budget), None
    )
