"""Options that say what is simulated: the traffic, the engine, its cost model and its limits."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engine.cli.files import InputError, read_object
from engine.cli.kinds import Wanted, expecting, one_kind
from engine.cli.options import input_file, number, whole
from engine.cli.reading import opened
from engine.cost import DENSE_8B, StepCost
from engine.policies import POLICIES
from engine.readers.formats import SCENARIO
from engine.settings import Settings
from engine.simulate.scenario import ADMISSIONS, Scenario, cost_from, limits_from
from engine.simulate.traffic import Traffic
from engine.workload import Lengths, Workload, lengths_of

DEFAULTS: Final[dict[str, Any]] = {"num_blocks": 8192, "max_model_len": 16_384}
"""What the engine is set to where nobody says: a pool of 131,056 tokens."""

SETTINGS = Wanted(frozenset(), 'a JSON object of settings, as {"num_blocks": 8192}')
"""What a file of settings is."""

COST = Wanted(frozenset(), 'a JSON object of costs, as {"step_ps": 9000000000}')
"""What a file of costs is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """All of them, in groups."""
    _add_traffic(parser.add_argument_group("traffic", "drawn from one seed, or read from a file"))
    _add_engine(parser.add_argument_group("engine", "vLLM's names and defaults, but for the size of the pool"))
    _add_limits(parser.add_argument_group("limits of the server in front of it"))


def _add_traffic(group: Any) -> None:
    group.add_argument("--scenario", type=input_file, metavar="FILE", help="everything from one JSON file")
    group.add_argument(
        "--workload", type=input_file, metavar="FILE", help="replay the requests of any file that is known"
    )
    group.add_argument(
        "--arrivals", choices=("poisson", "gamma", "constant"), default="poisson", help="default poisson"
    )
    group.add_argument("--rate", type=number(0, 6), default=1.0, metavar="PER_SECOND", help="default 1")
    group.add_argument("--burstiness", type=number(0, 0.5), default=1.0, metavar="SHAPE", help="of gamma arrivals")
    group.add_argument("--num-requests", type=whole(1, 10_000), default=1000, metavar="N", help="default 1000")
    group.add_argument("--lengths", type=input_file, metavar="FILE", help="draw lengths from those of this file")
    group.add_argument("--prompt-tokens", type=whole(1, 512), default=512, metavar="MEAN", help="default 512")
    group.add_argument("--output-tokens", type=whole(1, 128), default=128, metavar="MEAN", help="default 128")
    group.add_argument("--length-cv", type=number(0, 1, least=True), default=0.0, metavar="CV", help="default 0: alike")
    group.add_argument("--prefix-tokens", type=whole(0, 256), default=0, metavar="TOKENS", help="shared beginnings")
    group.add_argument("--prefix-share", type=number(0, 0.5, 1, least=True), default=0.5, metavar="SHARE")
    group.add_argument("--prefix-groups", type=whole(1, 10), default=1, metavar="N", help="different beginnings")
    group.add_argument("--num-tenants", type=whole(1, 4), default=1, metavar="N")
    group.add_argument("--isolate", action="store_true", help="a cache salt for each tenant")
    group.add_argument("--prediction-cv", type=number(0, 0.3, least=True), metavar="CV", help="predict lengths")
    group.add_argument("--patience", type=number(0, 30), metavar="SECONDS", help="clients go away after so long")
    group.add_argument("--deadline", type=number(0, 10), metavar="SECONDS", help="whole answers are wanted by then")
    group.add_argument("--seed", type=whole(0, 1), default=0, metavar="N", help="default 0")


def _add_engine(group: Any) -> None:
    group.add_argument("--settings", type=input_file, metavar="FILE", help="settings as a JSON object")
    group.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="one setting, a scenario's too")
    group.add_argument("--num-blocks", type=whole(1, 8192), metavar="BLOCKS", help="default 8192")
    group.add_argument("--block-size", type=whole(1, 16), metavar="TOKENS")
    group.add_argument("--max-model-len", type=whole(1, 16_384), metavar="TOKENS", help="default 16384")
    group.add_argument("--max-num-seqs", type=whole(1, 128), metavar="SEATS")
    group.add_argument("--max-num-batched-tokens", type=whole(1, 2048), metavar="TOKENS")
    group.add_argument("--no-prefix-caching", dest="enable_prefix_caching", action="store_false", default=None)
    group.add_argument("--admission", choices=tuple(ADMISSIONS), default="strict", help="default strict")
    group.add_argument(
        "--cost", type=input_file, metavar="FILE", help="a cost model as a JSON object; default DENSE_8B"
    )


def _add_limits(group: Any) -> None:
    group.add_argument("--max-wait", type=number(0, 10), metavar="SECONDS", help="give up who waits longer")
    group.add_argument("--timeout", type=number(0, 60), metavar="SECONDS", help="give up who takes longer")
    group.add_argument("--max-waiting", type=whole(0, 100), metavar="N", help="refuse who finds so many waiting")
    group.add_argument("--tenant-tokens", type=whole(1, 50_000), metavar="TOKENS", help="refuse a tenant beyond it")


def scenario_of(arguments: argparse.Namespace) -> Scenario:
    """What the options describe.

    Raises `InputError` and `ReadError` for files, and `ValueError` for values that don't go together.
    """
    if arguments.scenario is not None:
        with expecting(arguments.scenario, one_kind(SCENARIO)):
            try:
                return Scenario.from_mapping(_with_settings(read_object(arguments.scenario), _set(arguments)))
            except ValueError as error:
                raise InputError(f"{arguments.scenario}: {error}") from None
    limits = {name: getattr(arguments, name) for name in ("max_wait", "timeout", "max_waiting", "tenant_tokens")}
    return Scenario(
        settings=_settings(arguments),
        workload=_workload(arguments),
        cost=_cost(arguments.cost),
        limits=limits_from({name: value for name, value in limits.items() if value is not None}),
        candidates=ADMISSIONS[arguments.admission],
    )


def with_policy(scenario: Scenario, policy: str) -> Scenario:
    """The same under another policy. Raises `ValueError` for one that isn't known."""
    if policy not in POLICIES:
        raise ValueError(f"policy {policy!r}; give one of {', '.join(POLICIES)}")
    return replace(scenario, settings=replace(scenario.settings, policy=policy, startup_rule=False))


def _settings(arguments: argparse.Namespace) -> Settings:
    names = (
        "num_blocks", "block_size", "max_model_len", "max_num_seqs", "max_num_batched_tokens", "enable_prefix_caching",
    )  # fmt: skip
    options = {name: getattr(arguments, name) for name in names}
    given = {name: value for name, value in options.items() if value is not None} | _set(arguments)
    if arguments.settings is None:
        return Settings.from_mapping(DEFAULTS | given)
    with expecting(arguments.settings, SETTINGS):
        try:
            return Settings.from_mapping({**DEFAULTS, **read_object(arguments.settings), **given})
        except ValueError as error:
            raise InputError(str(error)) from None


def _with_settings(values: Mapping[str, Any], changed: Mapping[str, Any]) -> Mapping[str, Any]:
    """A scenario's values with some of its settings changed."""
    return {**values, "settings": {**values.get("settings", {}), **changed}} if changed else values


def _set(arguments: argparse.Namespace) -> dict[str, Any]:
    """Settings that were given one by one, `NAME=VALUE`; what is no JSON is a text. Raises `InputError`."""
    found: dict[str, Any] = {}
    for given in arguments.set:
        name, equals, text = given.partition("=")
        if not equals:
            raise InputError(f"--set {given}: got no value, expected NAME=VALUE, as watermark=0.01")
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found


def _workload(arguments: argparse.Namespace) -> Workload:
    if arguments.workload is not None:
        with opened(arguments.workload) as reading:
            return reading.workload()
    traffic = Traffic(**{name: getattr(arguments, name) for name in Traffic.__dataclass_fields__})
    return traffic.workload(f"{traffic.arrivals} {traffic.rate:g}/s", _lengths(arguments.lengths))


def _lengths(path: Path | None) -> list[Lengths]:
    if path is None:
        return []
    with opened(path) as reading:
        lengths = lengths_of(reading.arrivals())
    if not lengths:
        raise InputError(f"{path}: holds no request; expected at least one")
    if (least := min(one.output for one in lengths)) < 1:
        raise InputError(f"{path}: num_output_tokens: got {least}, expected 1 or more")
    return lengths


def _cost(path: Path | None) -> StepCost:
    if path is None:
        return DENSE_8B
    with expecting(path, COST):
        try:
            return cost_from(read_object(path))
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None
