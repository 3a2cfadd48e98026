"""The side of the link that asks: `running` starts a run and follows it, whatever happens to the network.

`link` knows the bridge's endpoints, `sse` reads its stream, `gathering` makes a trace of what came. Requests go
through `native` in an ordinary Python and through `page` in a browser's.
"""
