"""The engine of *Inside the Batch*: a scheduler, a page allocator and a prefix cache in plain Python.

It makes the decisions of vLLM 0.32.0, step for step, and needs nothing but the standard library. Import what
you want from its module; each begins with the rules that it follows:

- `engine.settings` and `engine.request`: what an engine is set to, and what is asked of it
- `engine.scheduler`: who gets tokens in the next step; `engine.policies` and `engine.admission` help
- `engine.kv_cache`: room for tokens, from `engine.blocks` and `engine.prefix`
- `engine.workload`: what arrives, drawn from a seed
- `engine.simulate`: a whole run, as an `engine.trace`, with time from `engine.cost`
- `engine.readers`: files that people have, as workloads and traces
- `engine.metrics`: what a trace says in numbers
- `engine.views`: a trace as a picture, a table and words
- `engine.naive`: the simplest thing that works
- `engine.replay`, `engine.outcome`, `engine.cli`: the comparison with vLLM, also as `python -m engine`
"""

__version__ = "0.1.0"
