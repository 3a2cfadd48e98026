"""One number over thousands of draws and the metrics of a run: what every Python must agree on, to the last bit."""

import json
from hashlib import sha256
from itertools import islice

from engine.metrics import report, slowness
from engine.naive import continuous_batch
from engine.workload import (
    gamma,
    lognormal,
    open_loop,
    poisson,
    predicted,
    ramp,
    sessions,
    shared_prefix,
    stream,
    tenants,
)

COUNT = 3_000


def digest() -> str:
    """The SHA-256 of it all, as 64 digits."""
    found = sha256()
    for seed in range(3):
        for times in (
            poisson(6, stream(seed, "poisson")),
            gamma(6, 0.3, stream(seed, "gamma")),
            ramp(0.5, 20, 60, stream(seed, "ramp")),
        ):
            lengths = lognormal(1155, 211, stream(seed, "lengths"), cv=1.3)
            workload = open_loop("drawn", islice(times, COUNT), lengths, COUNT)
            mixed = tenants(workload, stream(seed, "tenants"), {"a": 2, "b": 1})
            mixed = shared_prefix(mixed, stream(seed, "prefix"), num_tokens=64, share=0.5, groups=9)
            mixed = predicted(mixed, stream(seed, "guess"), cv=0.5)
            found.update(repr(list(sessions(list(mixed), turns=3))).encode())
    jobs = {f"r{index}": 1 + index * index % 17 for index in range(60)}
    trace = continuous_batch(jobs, 5)
    causes = {name: list(cause) for name, cause in slowness(trace).items()}
    found.update(json.dumps([report(trace), causes]).encode())
    return found.hexdigest()


if __name__ == "__main__":
    print(digest())
