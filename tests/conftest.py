"""What holds for every test."""

from hypothesis import HealthCheck, settings

# A machine that is busy with something else is no mistake of the code under test, nor is what chance draws on a day:
# the same is drawn everywhere. `pytest --hypothesis-profile=default` draws anew.
settings.register_profile(
    "course", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("course")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """No test is named by bytes: gzip's hold the second they were made in, and each process would name it otherwise."""
    return argname if isinstance(val, bytes) else None
