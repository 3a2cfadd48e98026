"""What the course's pages ask of the engine: plain data in, plain data out, for the page's Python worker.

Everything that a page shows can be had without a page as well: from `engine.simulate`, `engine.readers` and the
command line.
"""
