# The founding lab. What stands above the first cell is for authors; the notebook is made from the cells.
#
# ruff: noqa: B018 - a cell shows the value of its last line

# %% [markdown]
# # A batch, a pool, a prefix
#
# Three short tasks, one from each part of the lesson: finish a **batcher**, an **allocator** and a **prefix
# cache**. Each begins with a guess, and each has a cell that grades it.
#
# Run a cell with **Shift+Enter**. Change whatever you like: *Start over* above the notebook brings the
# original back, and *Stop* ends a cell that doesn't end by itself.

# %%
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from inspect import getsource

from engine.blocks import blocks_needed, internal_waste, reserved_slots
from engine.naive import continuous_batch, static_batches
from labs.founding import grade
from labs.founding.shared_blocks import SharedBlocks
from labs.kit.predict import predict

# %% [markdown]
# ## 1. A continuous batcher
#
# Three jobs, two slots: **a** needs two steps, **b** four, **c** one. First the bus: nobody gets on until
# everybody has got off. After how many steps is **c** done? Replace `None` by your guess.

# %% id="guess-fixed"
jobs = {"a": 2, "b": 4, "c": 1}
my_guess = None

predict(
    my_guess,
    static_batches(jobs, slots=2).finish_steps()["c"],
    "It waits for b as well, though a's slot is free.",
)

# %%
static_batches(jobs, slots=2)

# %% [markdown]
# Now the escalator: a slot that falls free is filled before the next step. After how many steps is **c** done?

# %% id="guess-continuous"
my_guess = None

predict(
    my_guess,
    continuous_batch(jobs, slots=2).finish_steps()["c"],
    "It takes the slot that a leaves.",
)

# %% [markdown]
# **Your turn.** Two methods are missing.
#
# - `admit` fills the free slots. Whoever has waited longest comes first.
# - `serve` takes one step off what every job in `running` still needs. A job that needs nothing more leaves
#   `running`, and `finished` notes how many steps are done.
#
# `step` is there already: it calls them in the right order.


# %% id="batcher"
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
        """Move jobs from `waiting` to `running` while there is a free slot."""
        # Yours: two lines.

    def serve(self) -> None:
        """Give every running job one step. Who is done leaves, noted in `finished`."""
        # Yours: five lines.

    def step(self) -> list[str]:
        """One step: fill the slots, serve, and say who was served."""
        self.admit()
        served = [job.name for job in self.running]
        self.steps_done += 1
        self.serve()
        return served


# %% [markdown]
# Try it on the three jobs. When it is right, it prints the batch of each step, and then **a** at 2, **b** at
# 4 and **c** at 3.

# %% id="try-batcher"
batcher = Batcher(slots=2)
for name, steps in jobs.items():
    batcher.add(name, steps)
for _ in range(5):
    print(batcher.step())
batcher.finished

# %% [markdown]
# Now let it be graded: on these three jobs and on many small random workloads. If one goes wrong, you get the
# **smallest** that does, with a picture of the step where it happened.
#
# Stuck? Do that smallest workload by hand, on paper, before you open the hint.

# %% id="grade-batcher"
grade.batcher(Batcher)

# %% [markdown]
# ## 2. An allocator of pages
#
# The KV cache is lent in blocks, also called pages. Three requests hold 17, 31 and 33 tokens, and a block has
# room for 16. How many token slots do they reserve together?

# %% id="guess-reserved"
requests = {"a": 17, "b": 31, "c": 33}
my_guess = None

predict(
    my_guess,
    sum(reserved_slots(n, 16) for n in requests.values()),
    "32 + 32 + 48: each request rounds up alone.",
)

# %% [markdown]
# And how many of these slots are **wasted**, that is, reserved and holding no token?

# %% id="guess-waste"
my_guess = None

predict(
    my_guess,
    sum(internal_waste(n, 16) for n in requests.values()),
    "15 + 1 + 15, each in a last block.",
)

# %% [markdown]
# The engine counts blocks in one line. Any part of it can be read like this, or with `blocks_needed??`.

# %%
print(getsource(blocks_needed))

# %% [markdown]
# **Your turn.** Begin at the top, and grade as often as you like: what is missing is named first.
#
# - Which blocks can be lent? `num_blocks` counts block 0, the *null block*, which never is.
# - `allocate` is **all or nothing**: if the blocks aren't all there, it takes none and answers `False`.
# - `waste` adds up the slots in the tables and takes off the tokens stored.
# - `append` stores one token more. It needs a new block only when the last one is full.
# - `free` gives the blocks back. Somebody who holds nothing can't free anything: that raises `KeyError`.


# %% id="allocator"
class Allocator:
    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.block_size = block_size
        self.free_blocks: deque[int] = deque()  # Yours: which blocks can be lent?
        self.tables: dict[str, list[int]] = {}  # request -> its blocks, in order
        self.num_tokens: dict[str, int] = {}  # request -> tokens stored

    def allocate(self, name: str, num_tokens: int) -> bool:
        """Bring in a request. False, and nothing changed, if there are too few blocks."""
        return False  # Yours: six lines.

    def waste(self) -> int:
        """Slots that are reserved and hold no token."""
        return 0  # Yours: two lines.

    def append(self, name: str) -> bool:
        """Store one token more. False, and nothing changed, if there is no block for it."""
        return False  # Yours: seven lines.

    def free(self, name: str) -> None:
        """End a request. Its blocks can be lent again; KeyError if it holds none."""
        # Yours: two lines.


# %% [markdown]
# Try it. When it is right, you see seven blocks in three tables and a waste of 31.

# %% id="try-allocator"
pool = Allocator(num_blocks=9, block_size=16)
for name, tokens in requests.items():
    print(name, pool.allocate(name, tokens), pool.tables.get(name))
pool.waste()

# %% [markdown]
# Stuck? Say aloud what `free_blocks` and `tables` hold before and after the call in the picture. Then look
# for the line of yours that should have made the difference.

# %% id="grade-allocator"
grade.allocator(Allocator)

# %% [markdown]
# ## 3. A prefix, shared, and two tenants apart
#
# Two requests with the same beginning need it computed only once: the second takes over the blocks of the
# first. In whole blocks, and not to the very end, because something has to go through the model.
#
# A prompt of 12 tokens comes twice. Blocks have room for 4. How many of its tokens does the second one
# **find**?

# %% id="guess-found"
my_guess = None

predict(
    my_guess,
    (12 - 1) // 4 * 4,
    "Three blocks match. The last is computed again: it gives the next token.",
)

# %% [markdown]
# Here is a pool whose blocks can stand in several tables. Read `admit`. It needs `keys` and `lookup`, and they
# are missing, as is `free`.

# %%
print(getsource(SharedBlocks))

# %% [markdown]
# **Your turn.**
#
# - `keys` names the content of each full block. Keys and values depend on everything before them, so a key is
#   made from **the key before it** and the block's own tokens. The first has none before it: there the
#   tenant's `cache_salt` goes. A pair `(parent, block_tokens)` will do; a server squeezes it into a hash.
# - `lookup` goes along the keys of all tokens **but the last** and collects blocks until a key is missing.
# - `free` takes the request out of `tables`. Each of its blocks loses one holder in `ref_count`; who reaches
#   0 goes back to `free_blocks`.


# %% id="prefix"
class PrefixCache(SharedBlocks):
    def keys(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[Hashable]:
        """One key for every full block."""
        return []  # Yours: six lines. What does `self.full_blocks(tokens)` give?

    def lookup(self, tokens: Sequence[int], cache_salt: str | None = None) -> list[int]:
        """The blocks that can be taken over, from the beginning on."""
        return []  # Yours: six lines.

    def free(self, name: str) -> None:
        """End a request: each of its blocks loses a holder."""
        # Yours: four lines.


# %% [markdown]
# Try it: one document, two requests of tenant *oak*, one of tenant *elm*. When it is right, **b** finds two
# blocks and **c** none.

# %% id="try-prefix"
cache = PrefixCache(num_blocks=20, block_size=4)
document = [7, 7, 2, 5, 3, 1, 8, 8]
for name, last, tenant in (("a", 4, "oak"), ("b", 6, "oak"), ("c", 4, "elm")):
    found = cache.admit(name, [*document, last], tenant)
    print(name, "found", found, "blocks; its table is", cache.tables[name])

# %% [markdown]
# Stuck? Print `cache.keys(...)` for the two prompts of the smallest workload. Where they have to share, are the
# keys equal? Where they mustn't, do they differ?

# %% id="grade-prefix"
grade.prefix(PrefixCache)

# %% [markdown]
# ## Done?
#
# Each task that passes is noted in this browser, with the version of the lab and of the engine. Whether you
# have *understood* it is yours to say: **Mark complete** in the lesson is a different thing.
#
# If you have five minutes more, break one of your classes on purpose and guess which workload comes back.
