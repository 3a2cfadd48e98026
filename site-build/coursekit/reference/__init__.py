"""The engine's reference: pages built from its docstrings, signatures and source."""
