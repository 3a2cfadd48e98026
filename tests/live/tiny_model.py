"""A tiny model for a real vLLM: a configuration and a tokenizer; its weights are made up by the server."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

VOCABULARY: Final = 512

CONFIG: Final[dict[str, Any]] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 2048,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
    "torch_dtype": "float32",
    "bos_token_id": 0,
    "eos_token_id": 1,
}

LARGER: Final = {
    "hidden_size": 512,
    "intermediate_size": 1408,
    "num_hidden_layers": 6,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
    "head_dim": 64,
}
"""Of so many weights that a step takes longer than what goes on around it. Instead of what `CONFIG` says."""


def make_tiny_model(folder: Path, changes: Mapping[str, Any]) -> Path:
    """Write the model's files into `folder`, which comes back; `changes` goes before `CONFIG`."""
    folder.mkdir(parents=True, exist_ok=True)
    words = {f"w{number}": number for number in range(VOCABULARY)}
    tokenizer = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": words, "unk_token": "w2"},
    }
    files = {
        "config.json": CONFIG | changes,
        "tokenizer.json": tokenizer,
        "tokenizer_config.json": {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "w1", "unk_token": "w2"},
    }
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder
