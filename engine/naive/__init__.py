"""The simplest thing that works: a lesson's baseline, and what random tests compare the engine with."""

from engine.naive.batching import continuous_batch, static_batches
from engine.naive.cache import PrivateBlocks
from engine.naive.scheduler import Job, naive_schedule

__all__ = ["Job", "PrivateBlocks", "continuous_batch", "naive_schedule", "static_batches"]
