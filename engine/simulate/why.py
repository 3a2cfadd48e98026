"""Reasons on their way into the steps that they belong to.

What is decided while a step is planned belongs to it, and so does what happens while it runs: who ends with its
tokens, who is given up meanwhile, who is refused.
"""

from typing import Final

from engine.admission import refused_by_front_end
from engine.codec import Scalar
from engine.request import Request
from engine.settings import Settings
from engine.trace import Reason, Record, Step

GIVEN_UP: Final = ("cancelled", "timed_out_waiting", "timed_out")
"""The rule that ends a request early, by the kind of its departure."""


class WhyLog:
    """Takes reasons as they come; `records` are those of the run, where the steps stand."""

    def __init__(self, records: list[Record]) -> None:
        self._records = records
        self._pending: list[Reason] = []

    def note(self, reason: Reason) -> None:
        """Take a reason. While nothing can run, each look at the queue finds the same one: it is kept once."""
        if not self._pending or self._pending[-1] != reason:
            self._pending.append(reason)

    def take(self) -> tuple[Reason, ...]:
        """What came since the last time."""
        taken = tuple(self._pending)
        self._pending.clear()
        return taken

    def add_to_step(self, index: int | None = None) -> None:
        """Write what came since into step `index`, or into the last one. Where there is none, it waits for the next."""
        for place in range(len(self._records) - 1, -1, -1) if self._pending else ():
            record = self._records[place]
            if isinstance(record, Step):
                if index is None or record.step == index:
                    self._records[place] = record._replace(why=record.why + self.take())
                if index is None or record.step <= index:
                    return

    def refused(self, settings: Settings, request: Request, reason: str, *, by_door: bool) -> None:
        """Note that a request was refused."""
        if by_door:
            rule = "rejected_door"
        else:
            rule = "rejected_front_end" if refused_by_front_end(settings, request) else "rejected_never_fits"
        self.note(Reason(rule, request.id, {"reason": reason}))

    def given_up(self, request: Request, kind: int) -> None:
        """Note that a request was given up, by the kind of its departure."""
        facts: dict[str, Scalar] = {"num_tokens": request.num_output_tokens}
        self.note(Reason(GIVEN_UP[kind], request.id, facts))
