"""A server that somebody runs: its settings, read from its command line or from the log of its start.

    server = read_server("vllm serve Qwen/Qwen3-8B --max-num-seqs 64 --max-model-len 8k")
    server.values()            # {"max_num_seqs": 64, "max_model_len": 8000, …}
    server.not_reproduced      # what the engine doesn't do as that server does
    server.unknown             # what is still to be found out, and how

Options are those of vLLM 0.32.0. What isn't one of them is named and not dropped. Keys and tokens are never kept.
"""

from engine.readers.serve.conclude import read_server
from engine.readers.serve.machines import MACHINES, Machine
from engine.readers.serve.server import Found, Lack, Server, Unknown

__all__ = ["MACHINES", "Found", "Lack", "Machine", "Server", "Unknown", "read_server"]
