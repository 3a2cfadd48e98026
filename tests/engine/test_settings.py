"""Settings: vLLM's names and defaults, and what is refused with which words."""

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from engine.policies import POLICIES
from engine.settings import Settings, SettingsError

NAMES = " or ".join(map(repr, POLICIES))
LEAST = {"num_blocks": 65, "max_model_len": 1024}


def test_the_defaults_are_vllms() -> None:
    settings = Settings(num_blocks=65, max_model_len=1024)
    assert (settings.block_size, settings.max_num_seqs, settings.max_num_batched_tokens) == (16, 128, 2048)
    assert (settings.policy, settings.watermark, settings.scheduler_reserve_full_isl) == ("fcfs", 0.0, True)
    assert (settings.num_lendable_blocks, settings.num_seats) == (64, 128)


def test_every_setting_is_checked() -> None:
    for field in fields(Settings):
        with pytest.raises(SettingsError, match=f"{field.name} is <object"):
            Settings.from_mapping({**LEAST, field.name: object()})


def test_they_never_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings(num_blocks=65, max_model_len=1024).block_size = 8  # type: ignore[misc]


def test_active_seats_lower_the_seats() -> None:
    assert Settings.from_mapping({**LEAST, "max_num_active_seqs": 5}).num_seats == 5


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("block_size", 0, "block_size is 0; give a whole number of 1 or more"),
        ("block_size", True, "block_size is True; give a whole number of 1 or more"),
        ("num_blocks", 10**30, f"num_blocks is {10**30}; give 10,000,000 or less"),
        ("block_size", 10**9, f"block_size is {10**9}; give 1,000,000 or less"),
        ("num_blocks", "64", "num_blocks is '64'; give a whole number of 1 or more"),
        ("max_num_seqs", 2.0, "max_num_seqs is 2.0; give a whole number of 1 or more"),
        ("max_num_active_seqs", 0, "max_num_active_seqs is 0; give a whole number of 1 or more, or None"),
        ("long_prefill_token_threshold", -1, "long_prefill_token_threshold is -1; give a whole number of 0 or more"),
        ("enable_prefix_caching", 1, "enable_prefix_caching is 1; give True or False"),
        ("policy", "sjf", f"policy is 'sjf'; give {NAMES}"),
        ("policy", [], f"policy is []; give {NAMES}"),
        ("watermark", 1, "watermark is 1; give a number from 0 to below 1"),
        ("watermark", float("nan"), "watermark is nan; give a number from 0 to below 1"),
        ("blok_size", 16, "blok_size is no setting; did you mean block_size?"),
        (
            "max_num_batched_tokens",
            100,
            "max_num_batched_tokens is 100, below max_num_seqs (128); raise it or lower the seats",
        ),
        ("max_num_active_seqs", 129, "max_num_active_seqs is 129, above max_num_seqs (128); lower it"),
        (
            "long_prefill_token_threshold",
            1025,
            "long_prefill_token_threshold is 1025, above max_model_len (1024); lower it, or give 0",
        ),
        (
            "num_blocks",
            64,
            "num_blocks is 64, which lends 63 blocks of 16 tokens, and max_model_len 1024 needs 64; give 65 blocks or "
            "more, or a smaller max_model_len",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_the_mend(key: str, value: Any, message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        Settings.from_mapping({**LEAST, key: value})
    assert (raised.value.key, str(raised.value)) == (key, message)


def test_without_chunks_a_step_must_hold_a_whole_sequence() -> None:
    chunked = {**LEAST, "enable_chunked_prefill": False, "max_num_batched_tokens": 1023}
    with pytest.raises(SettingsError, match=r"is 1023 and chunked prefill is off; raise it to max_model_len \(1024\)"):
        Settings.from_mapping(chunked)
    assert Settings.from_mapping({**chunked, "max_num_batched_tokens": 1024})


def test_an_unknown_name_like_no_other_gets_the_list() -> None:
    with pytest.raises(
        SettingsError, match="zzz is no setting; the settings are num_blocks, max_model_len, block_size"
    ):
        Settings.from_mapping({**LEAST, "zzz": 1})


@pytest.mark.parametrize("name", ["num_blocks", "max_model_len"])
def test_what_has_no_default_must_be_given(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is missing"):
        Settings.from_mapping({key: value for key, value in LEAST.items() if key != name})


def test_a_replay_may_leave_the_start_up_rule_out() -> None:
    assert Settings.from_mapping({**LEAST, "num_blocks": 5}, startup_rule=False).num_lendable_blocks == 4
