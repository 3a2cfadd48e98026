"""The bridge: a small server on this machine, between a page and a model server.

It runs a workload at exact times, tells what happens as it happens, and lets nobody in without the token that
it printed. It asks one model server, the one that it was started for, and is no proxy for any other address.
"""
