"""How fast the engine decides, measured on a workload that looks like a busy server."""
