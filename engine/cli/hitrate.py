"""Show how much of a workload a prefix cache of some size would have found.

FILE is a workload whose prompts' contents are known: a Mooncake trace, or one of our own workload files.
Requests come one after another, in the order of the file, and the cache loses the block that was used longest
ago. --num-blocks counts the blocks that hold cached content: neither the null block nor those that a prompt
holds while it is computed. Two rates are told: hit blocks over all blocks, a partial one at a prompt's end
counting as one; and hit tokens over all tokens by vLLM's rules, whole blocks of the first n - 1 tokens alone.
"""

import argparse
import json
import sys
from collections.abc import Iterator

from engine.cli.files import InputError
from engine.cli.options import input_file, whole
from engine.cli.reading import opened
from engine.cli.tables import table
from engine.metrics.hit_rate import HitRate, hit_rate
from engine.readers import ReadError
from engine.workload.records import Arrival


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `hitrate` takes."""
    parser.add_argument("file", type=input_file, metavar="FILE", help="a workload with contents")
    parser.add_argument("--block-size", type=whole(1, 16), default=16, metavar="TOKENS", help="default 16")
    parser.add_argument(
        "--num-blocks", type=whole(1, 5000), required=True, metavar="BLOCKS", help="blocks of cached content"
    )
    parser.add_argument("--json", action="store_true", help="both rates as JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Print both rates."""
    try:
        with opened(arguments.file) as reading:
            contents = _Contents(reading.arrivals())
            found = hit_rate(contents, block_size=arguments.block_size, num_blocks=arguments.num_blocks)
            notes = [*reading.notes(), *contents.notes()]
    except (InputError, ReadError) as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps({"hit_rate_blocks": found.blocks, "hit_rate_tokens": found.tokens}))
    else:
        print(_told(found))
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return 0


class _Contents:
    """Arrivals on their way, and whether the file says of any what its prompt holds."""

    def __init__(self, arrivals: Iterator[Arrival]) -> None:
        self.arrivals = arrivals
        self.are_known = False

    def __iter__(self) -> Iterator[Arrival]:
        for arrival in self.arrivals:
            self.are_known = self.are_known or bool(arrival.beginning)
            yield arrival

    def notes(self) -> list[str]:
        return [] if self.are_known else ["the file doesn't say what prompts hold, so none of them shares anything"]


def _told(found: HitRate) -> str:
    rows = [
        ("blocks", f"{found.num_blocks:,}", f"{found.num_hit_blocks:,}", f"{found.blocks:.4f}"),
        ("tokens", f"{found.num_tokens:,}", f"{found.num_hit_tokens:,}", f"{found.tokens:.4f}"),
    ]
    return f"{found.num_requests:,} requests\n\n" + table(("counted in", "all", "hit", "hit rate"), rows)
