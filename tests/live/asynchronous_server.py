"""Starts vLLM's server on a CPU with asynchronous scheduling, which its CPU platform turns off as not needed there.

    python asynchronous_server.py --model … --async-scheduling

For tests: the scheduler is the one that a GPU's server has, and one processor is enough to see what it decides.
"""

import runpy
from typing import Any

from vllm.platforms.cpu import CpuPlatform

_check = CpuPlatform.check_and_update_config.__func__


def _keep_asynchronous(cls: Any, vllm_config: Any) -> None:
    wanted = vllm_config.scheduler_config.async_scheduling
    _check(cls, vllm_config)
    vllm_config.scheduler_config.async_scheduling = wanted


# The engine runs in a process of its own, which imports this file again: so this stands outside the condition.
CpuPlatform.check_and_update_config = classmethod(_keep_asynchronous)

if __name__ == "__main__":
    runpy.run_module("vllm.entrypoints.openai.api_server", run_name="__main__", alter_sys=True)
