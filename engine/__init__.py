"""The engine of Inside the Batch: a scheduler, a page allocator and a prefix cache in plain Python."""

__version__ = "0.1.0"
