"""The simplest thing that works: a lesson's baseline, and what random tests compare the engine with."""

from engine.naive.batching import continuous_batch, static_batches

__all__ = ["continuous_batch", "static_batches"]
