"""Mistakes that students make, each as a class that inherits from the solution, and the hint it must get.

Never part of the built site. The tests hand in every one of them. A class replaces only what is wrong with it.
"""

from collections import deque
from collections.abc import Hashable, Sequence

from engine.blocks import blocks_needed
from labs.founding.solution import Allocator, Batcher, Job, PrefixCache

# Batcher


class FixedBatches(Batcher):
    def admit(self) -> None:
        if not self.running:
            super().admit()


class ServesFirst(Batcher):
    def step(self) -> list[str]:
        served = [job.name for job in self.running]
        self.steps_done += 1
        self.serve()
        self.admit()
        return served


class LosesWhoFindsNoSlot(Batcher):
    def admit(self) -> None:
        while self.waiting:
            job = self.waiting.popleft()
            if len(self.running) < self.slots:
                self.running.append(job)


class LateSlot(Batcher):
    def step(self) -> list[str]:
        self.admit()
        self.running = [job for job in self.running if job.left > 0]
        served = [job.name for job in self.running]
        self.steps_done += 1
        self.serve()
        return served

    def serve(self) -> None:
        for job in self.running:
            job.left -= 1
            if job.left == 0:
                self.finished[job.name] = self.steps_done


class OneIf(Batcher):
    def admit(self) -> None:
        if self.waiting and len(self.running) < self.slots:
            self.running.append(self.waiting.popleft())


class OneSlotTooMany(Batcher):
    def admit(self) -> None:
        while self.waiting and len(self.running) <= self.slots:
            self.running.append(self.waiting.popleft())


class OneStepPerSlot(Batcher):
    def step(self) -> list[str]:
        self.admit()
        self.steps_done += 1
        served = []
        for _ in range(self.slots):
            served += [job.name for job in self.running]
            self.serve()
        return served


class OnlyLooks(Batcher):
    def admit(self) -> None:
        while self.waiting and len(self.running) < self.slots:
            first = self.waiting[0]
            self.running.append(Job(first.name, first.left))


class NotesAndKeeps(Batcher):
    def serve(self) -> None:
        self.running = [job for job in self.running if job.left > 0]
        for job in self.running:
            job.left -= 1
            if job.left == 0:
                self.finished[job.name] = self.steps_done


class WalksTheList(Batcher):
    def serve(self) -> None:
        for job in self.running:
            job.left -= 1
            if job.left == 0:
                self.running.remove(job)
                self.finished[job.name] = self.steps_done


class NeverLeaves(Batcher):
    def serve(self) -> None:
        for job in self.running:
            job.left -= 1


class OneStepMore(Batcher):
    def serve(self) -> None:
        for job in list(self.running):
            if job.left == 0:
                self.running.remove(job)
                self.finished[job.name] = self.steps_done
            job.left -= 1


class BelowZero(Batcher):
    def serve(self) -> None:
        for job in list(self.running):
            job.left -= 1
            if job.left < 0:
                self.running.remove(job)
                self.finished[job.name] = self.steps_done


class CountsFromZero(Batcher):
    def step(self) -> list[str]:
        self.admit()
        served = [job.name for job in self.running]
        self.serve()
        self.steps_done += 1
        return served


class OneStepLess(Batcher):
    def serve(self) -> None:
        for job in list(self.running):
            job.left -= 1
            if job.left <= 1:
                self.running.remove(job)
                self.finished[job.name] = self.steps_done


class NotesNothing(Batcher):
    def serve(self) -> None:
        for job in list(self.running):
            job.left -= 1
            if job.left == 0:
                self.running.remove(job)


class ShortestFirst(Batcher):
    def admit(self) -> None:
        self.waiting = deque(sorted(self.waiting, key=lambda job: job.left))
        super().admit()


class NewestFirst(Batcher):
    def admit(self) -> None:
        while self.waiting and len(self.running) < self.slots:
            self.running.append(self.waiting.pop())


class TakesTurns(Batcher):
    def admit(self) -> None:
        self.waiting.extend(self.running)
        self.running = []
        super().admit()


class HandsNothingBack(Batcher):
    def step(self) -> None:  # type: ignore[override]
        super().step()


class PopsFromAnEmptyQueue(Batcher):
    def admit(self) -> None:
        while len(self.running) < self.slots:
            self.running.append(self.waiting.popleft())


# Allocator


class LendsBlockZero(Allocator):
    def __init__(self, num_blocks: int, block_size: int) -> None:
        super().__init__(num_blocks, block_size)
        self.free_blocks = deque(range(num_blocks))


class ForgetsTheAnswer(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        super().allocate(name, num_tokens)
        return None  # type: ignore[return-value]


class KeepsTheLastBlock(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        fits = blocks_needed(num_tokens, self.block_size) < len(self.free_blocks)
        return fits and super().allocate(name, num_tokens)


class TakesWhatIsThere(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        needed = min(blocks_needed(num_tokens, self.block_size), len(self.free_blocks))
        self.tables[name] = [self.free_blocks.popleft() for _ in range(needed)]
        self.num_tokens[name] = num_tokens
        return True


class NeverAsks(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        needed = blocks_needed(num_tokens, self.block_size)
        self.tables[name] = [self.free_blocks.popleft() for _ in range(needed)]
        self.num_tokens[name] = num_tokens
        return True


class FreesTwice(Allocator):
    def free(self, name: str) -> None:
        self.free_blocks.extend(self.tables.pop(name, []))
        self.num_tokens.pop(name, None)


class CountsARefusedToken(Allocator):
    def append(self, name: str) -> bool:
        self.num_tokens[name] += 1
        if self.num_tokens[name] > len(self.tables[name]) * self.block_size:
            if not self.free_blocks:
                return False
            self.tables[name].append(self.free_blocks.popleft())
        return True


class LeaksWhenRefused(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        table = []
        for _ in range(blocks_needed(num_tokens, self.block_size)):
            if not self.free_blocks:
                return False
            table.append(self.free_blocks.popleft())
        self.tables[name] = table
        self.num_tokens[name] = num_tokens
        return True


class LeavesHalfATable(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        self.tables[name] = []
        while len(self.tables[name]) * self.block_size < num_tokens:
            if not self.free_blocks:
                return False
            self.tables[name].append(self.free_blocks.popleft())
        self.num_tokens[name] = num_tokens
        return True


class RoundsDown(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        needed = num_tokens // self.block_size
        if needed > len(self.free_blocks):
            return False
        self.tables[name] = [self.free_blocks.popleft() for _ in range(needed)]
        self.num_tokens[name] = num_tokens
        return True


class AlwaysOneMore(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        needed = num_tokens // self.block_size + 1
        if needed > len(self.free_blocks):
            return False
        self.tables[name] = [self.free_blocks.popleft() for _ in range(needed)]
        self.num_tokens[name] = num_tokens
        return True


class AddsUpFirst(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        held = sum(len(table) for table in self.tables.values())
        total = sum(self.num_tokens.values()) + num_tokens
        needed = blocks_needed(total, self.block_size) - held
        if needed > len(self.free_blocks):
            return False
        self.tables[name] = [self.free_blocks.popleft() for _ in range(needed)]
        self.num_tokens[name] = num_tokens
        return True


class BlockPerToken(Allocator):
    def append(self, name: str) -> bool:
        if not self.free_blocks:
            return False
        self.tables[name].append(self.free_blocks.popleft())
        self.num_tokens[name] += 1
        return True


class OneBlockAhead(Allocator):
    def append(self, name: str) -> bool:
        if self.num_tokens[name] + 1 >= len(self.tables[name]) * self.block_size:
            if not self.free_blocks:
                return False
            self.tables[name].append(self.free_blocks.popleft())
        self.num_tokens[name] += 1
        return True


class NoNewBlock(Allocator):
    def append(self, name: str) -> bool:
        self.num_tokens[name] += 1
        return True


class OneTokenLate(Allocator):
    def append(self, name: str) -> bool:
        if self.num_tokens[name] > len(self.tables[name]) * self.block_size:
            if not self.free_blocks:
                return False
            self.tables[name].append(self.free_blocks.popleft())
        self.num_tokens[name] += 1
        return True


class KeepsTheTable(Allocator):
    def free(self, name: str) -> None:
        self.free_blocks.extend(self.tables[name])


class GivesNothingBack(Allocator):
    def free(self, name: str) -> None:
        del self.tables[name]
        del self.num_tokens[name]


class LendsTwice(Allocator):
    def allocate(self, name: str, num_tokens: int) -> bool:
        needed = blocks_needed(num_tokens, self.block_size)
        if needed > len(self.free_blocks):
            return False
        self.tables[name] = list(self.free_blocks)[:needed]
        self.num_tokens[name] = num_tokens
        return True


class NewTableEachTime(Allocator):
    def append(self, name: str) -> bool:
        tokens = self.num_tokens[name] + 1
        if blocks_needed(tokens, self.block_size) > len(self.tables[name]) + len(self.free_blocks):
            return False
        self.free(name)
        return super().allocate(name, tokens)


class WasteFromTheTotal(Allocator):
    def waste(self) -> int:
        total = sum(self.num_tokens.values())
        return blocks_needed(total, self.block_size) * self.block_size - total


class WasteCountsFreeBlocks(Allocator):
    def waste(self) -> int:
        return super().waste() + len(self.free_blocks) * self.block_size


class NoWaste(Allocator):
    def waste(self) -> int:
        return 0


# PrefixCache


class SaltsTheLastBlock(PrefixCache):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        keys = super().keys(tokens)
        return [*keys[:-1], (cache_salt, keys[-1])] if keys else []


class SaltsFromTheSecondBlock(PrefixCache):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        keys = super().keys(tokens)
        return [*keys[:1], *((cache_salt, key) for key in keys[1:])]


class IgnoresTheSalt(PrefixCache):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        return super().keys(tokens)


class NamesPartOfABlock(PrefixCache):
    def full_blocks(self, tokens: Sequence[int]) -> list[tuple[int, ...]]:
        size = self.block_size
        return [tuple(tokens[start : start + size]) for start in range(0, len(tokens), size)]


class GoesPastAMiss(PrefixCache):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        return [(cache_salt, place, block) for place, block in enumerate(self.full_blocks(tokens))]

    def lookup(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[int]:
        keys = self.keys(tokens[:-1], cache_salt)
        return [self.block_of[key] for key in keys if key in self.block_of]


class NoParent(PrefixCache):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        return [(cache_salt, block) for block in self.full_blocks(tokens)]


class PlaceInsteadOfParent(PrefixCache):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        return [(cache_salt, place, block) for place, block in enumerate(self.full_blocks(tokens))]


class ForgetsTheOrder(PrefixCache):
    def full_blocks(self, tokens: Sequence[int]) -> list[tuple[int, ...]]:
        return [tuple(sorted(block)) for block in super().full_blocks(tokens)]


class NamesTheLength(PrefixCache):
    def full_blocks(self, tokens: Sequence[int]) -> list[tuple[int, ...]]:
        return [(len(block),) for block in super().full_blocks(tokens)]


class FindsTheLastToken(PrefixCache):
    def lookup(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[int]:
        return super().lookup([*tokens, 0], cache_salt)


class ForgetsWhatIsFree(PrefixCache):
    def free(self, name: str) -> None:
        super().free(name)
        held = {block for table in self.tables.values() for block in table}
        self.block_of = {key: block for key, block in self.block_of.items() if block in held}


class FindsNothing(PrefixCache):
    def lookup(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[int]:
        return []


class DropsTheLastBlock(PrefixCache):
    def lookup(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[int]:
        return super().lookup(tokens, cache_salt)[:-1]


class KeepsItsTable(PrefixCache):
    def free(self, name: str) -> None:
        for block in self.tables[name]:
            self.ref_count[block] -= 1
            if self.ref_count[block] == 0:
                self.free_blocks.append(block)


class KeepsCounting(PrefixCache):
    def free(self, name: str) -> None:
        self.free_blocks.extend(self.tables.pop(name))


class ForgetsTheOtherHolder(PrefixCache):
    def free(self, name: str) -> None:
        for block in self.tables.pop(name):
            self.ref_count[block] = 0
            self.free_blocks.append(block)


class FreesASharedBlock(PrefixCache):
    def free(self, name: str) -> None:
        for block in self.tables.pop(name):
            self.ref_count[block] -= 1
            self.free_blocks.append(block)


class OnlyCounts(PrefixCache):
    def free(self, name: str) -> None:
        for block in self.tables.pop(name):
            self.ref_count[block] -= 1


WRONG: tuple[tuple[type, str], ...] = (
    (FixedBatches, "waits-for-the-batch"),
    (ServesFirst, "serves-before-admitting"),
    (LosesWhoFindsNoSlot, "loses-a-job"),
    (LateSlot, "fills-the-slot-late"),
    (OneIf, "one-at-a-time"),
    (OneSlotTooMany, "too-many-slots"),
    (OneStepPerSlot, "twice-in-a-step"),
    (OnlyLooks, "stays-in-the-queue"),
    (NotesAndKeeps, "keeps-the-slot"),
    (WalksTheList, "walks-a-changing-list"),
    (NeverLeaves, "never-leaves"),
    (OneStepMore, "one-step-too-many"),
    (BelowZero, "one-step-too-many"),
    (CountsFromZero, "counts-from-zero"),
    (OneStepLess, "leaves-too-soon"),
    (NotesNothing, "not-noted"),
    (ShortestFirst, "shortest-first"),
    (NewestFirst, "newest-first"),
    (TakesTurns, "takes-the-slot-away"),
    (HandsNothingBack, "unreadable"),
    (PopsFromAnEmptyQueue, "error"),
    (LendsBlockZero, "lends-block-0"),
    (ForgetsTheAnswer, "no-answer"),
    (KeepsTheLastBlock, "refuses-what-fits"),
    (TakesWhatIsThere, "never-refuses"),
    (NeverAsks, "never-refuses"),
    (FreesTwice, "accepts-a-double-free"),
    (CountsARefusedToken, "counts-a-refused-token"),
    (LeaksWhenRefused, "leaks-when-refused"),
    (LeavesHalfATable, "leaks-when-refused"),
    (RoundsDown, "rounds-down"),
    (AlwaysOneMore, "always-one-more"),
    (AddsUpFirst, "adds-up-first"),
    (BlockPerToken, "new-block-too-soon"),
    (OneBlockAhead, "new-block-too-soon"),
    (NoNewBlock, "no-new-block"),
    (OneTokenLate, "no-new-block"),
    (KeepsTheTable, "still-in-its-table"),
    (GivesNothingBack, "blocks-not-given-back"),
    (LendsTwice, "lends-twice"),
    (NewTableEachTime, "new-table"),
    (WasteFromTheTotal, "waste-from-the-total"),
    (WasteCountsFreeBlocks, "waste-counts-free-blocks"),
    (NoWaste, "no-waste-yet"),
    (SaltsTheLastBlock, "salt-comes-late"),
    (SaltsFromTheSecondBlock, "salt-comes-late"),
    (IgnoresTheSalt, "ignores-the-salt"),
    (NamesPartOfABlock, "names-a-part-of-a-block"),
    (GoesPastAMiss, "goes-past-a-miss"),
    (NoParent, "forgets-the-beginning"),
    (PlaceInsteadOfParent, "forgets-the-beginning"),
    (ForgetsTheOrder, "forgets-the-order"),
    (NamesTheLength, "names-too-little"),
    (FindsTheLastToken, "takes-the-last-token"),
    (ForgetsWhatIsFree, "forgets-what-is-free"),
    (FindsNothing, "start"),
    (DropsTheLastBlock, "stops-too-soon"),
    (KeepsItsTable, "still-in-its-table"),
    (KeepsCounting, "keeps-counting"),
    (ForgetsTheOtherHolder, "forgets-the-other-holder"),
    (FreesASharedBlock, "frees-a-shared-block"),
    (OnlyCounts, "blocks-not-given-back"),
)
"""Each mistake and the id of the hint that names it."""
