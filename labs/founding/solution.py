"""The founding lab, solved: one class a task. Never part of the built site."""

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from engine.blocks import blocks_needed
from labs.founding.shared_blocks import SharedBlocks


@dataclass
class Job:
    name: str
    left: int  # steps that it still needs


class Batcher:
    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.waiting: deque[Job] = deque()  # jobs without a slot, oldest first
        self.running: list[Job] = []  # jobs that hold a slot
        self.steps_done = 0
        self.finished: dict[str, int] = {}  # name -> steps done when it finished

    def add(self, name: str, steps: int) -> None:
        self.waiting.append(Job(name, steps))

    def admit(self) -> None:
        while self.waiting and len(self.running) < self.slots:
            self.running.append(self.waiting.popleft())

    def serve(self) -> None:
        for job in list(self.running):
            job.left -= 1
            if job.left == 0:
                self.running.remove(job)
                self.finished[job.name] = self.steps_done

    def step(self) -> list[str]:
        self.admit()
        served = [job.name for job in self.running]
        self.steps_done += 1
        self.serve()
        return served


class Allocator:
    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.block_size = block_size
        self.free_blocks: deque[int] = deque(range(1, num_blocks))
        self.tables: dict[str, list[int]] = {}  # request -> its blocks, in order
        self.num_tokens: dict[str, int] = {}  # request -> tokens stored

    def allocate(self, name: str, num_tokens: int) -> bool:
        needed = blocks_needed(num_tokens, self.block_size)
        if needed > len(self.free_blocks):
            return False
        self.tables[name] = [self.free_blocks.popleft() for _ in range(needed)]
        self.num_tokens[name] = num_tokens
        return True

    def append(self, name: str) -> bool:
        table = self.tables[name]
        if self.num_tokens[name] == len(table) * self.block_size:
            if not self.free_blocks:
                return False
            table.append(self.free_blocks.popleft())
        self.num_tokens[name] += 1
        return True

    def free(self, name: str) -> None:
        self.free_blocks.extend(self.tables.pop(name))
        del self.num_tokens[name]

    def waste(self) -> int:
        reserved = sum(len(table) * self.block_size for table in self.tables.values())
        return reserved - sum(self.num_tokens.values())


class PrefixCache(SharedBlocks):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        keys: list[Hashable] = []
        parent: Hashable = cache_salt
        for block_tokens in self.full_blocks(tokens):
            parent = (parent, block_tokens)
            keys.append(parent)
        return keys

    def lookup(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[int]:
        found: list[int] = []
        for key in self.keys(tokens[:-1], cache_salt):
            if key not in self.block_of:
                break
            found.append(self.block_of[key])
        return found

    def free(self, name: str) -> None:
        for block in self.tables.pop(name):
            self.ref_count[block] -= 1
            if self.ref_count[block] == 0:
                self.free_blocks.append(block)
