"""Who sends the requests, how long they wait, and what a server may guess of them."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from engine.workload.records import Arrival, WorkloadError


def tenants(arrivals: Iterable[Arrival], draws: Random, shares: Mapping[str, float]) -> Iterator[Arrival]:
    """Each request belongs to one of several tenants, drawn by their `shares`: `{"a": 3, "b": 1}`."""
    names, weights = list(shares), list(shares.values())
    if not names or min(weights) < 0 or sum(weights) <= 0:
        raise WorkloadError(f"shares {dict(shares)}: name tenants, each with 0 or more, not all 0")
    return (arrival._replace(tenant=draws.choices(names, weights)[0]) for arrival in arrivals)


def isolated(arrivals: Iterable[Arrival]) -> Iterator[Arrival]:
    """Each tenant gets a cache salt of its own, so that none can find out by timing what another asked."""
    return (arrival._replace(cache_salt=arrival.tenant or None) for arrival in arrivals)


def patient_for(arrivals: Iterable[Arrival], patience_ns: int) -> Iterator[Arrival]:
    """Clients go away `patience_ns` after they asked, if their answer isn't complete by then."""
    _check_wait("patience_ns", patience_ns)
    return (arrival._replace(cancel_at=arrival.at + patience_ns) for arrival in arrivals)


def wanted_within(arrivals: Iterable[Arrival], wait_ns: int) -> Iterator[Arrival]:
    """Each request says that its whole answer is wanted `wait_ns` after its arrival."""
    _check_wait("wait_ns", wait_ns)
    return (arrival._replace(deadline=arrival.at + wait_ns) for arrival in arrivals)


def predicted(arrivals: Iterable[Arrival], draws: Random, *, cv: float) -> Iterator[Arrival]:
    """Each answer's length is guessed, off by a normal error of `cv` times the truth; 0 is an oracle."""
    if not 0 <= cv < float("inf"):
        raise WorkloadError(f"cv {cv}: the error over the truth, 0 or more")
    return (
        arrival._replace(predicted_output_tokens=max(1, round(arrival.num_output_tokens * draws.gauss(1.0, cv))))
        for arrival in arrivals
    )


def _check_wait(name: str, wait: int) -> None:
    if wait < 0:
        raise WorkloadError(f"{name} {wait}: nanoseconds, 0 or more")
