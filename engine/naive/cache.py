"""KV memory that never shares: every request has blocks of its own, and a freed one is forgotten."""

from engine.blocks import blocks_needed


class PrivateBlocks:
    """A pool of blocks and a table for each request, in plain lists.

    Slower than `engine.blocks.BlockPool` and it keeps no content, but it hands out the same blocks in the
    same order as that pool does with prefix caching off: freed blocks go to the front, the tail foremost.
    """

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.block_size = block_size
        self.free_blocks = list(range(1, num_blocks))
        """The next one first. Block 0 is the null block."""
        self.tables: dict[str, list[int]] = {}
        """The blocks of each request."""

    def grow(self, request_id: str, num_tokens: int) -> tuple[int, ...] | None:
        """Make room for the first `num_tokens` tokens; the new blocks, or None if too few are free."""
        table = self.tables.setdefault(request_id, [])
        count = blocks_needed(num_tokens, self.block_size) - len(table)
        if count <= 0:
            return ()
        if count > len(self.free_blocks):
            return None
        new = tuple(self.free_blocks[:count])
        self.free_blocks = self.free_blocks[count:]
        table += new
        return new

    def free(self, request_id: str) -> None:
        """Take all blocks of a request back."""
        self.free_blocks = self.tables.pop(request_id)[::-1] + self.free_blocks
