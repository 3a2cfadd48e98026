"""The live link: a workload run by a real server, its decisions as a trace.

    import engine.live
    trace = await engine.live.run(workload)

The client needs nothing but Python and is all that a browser has of the link. The bridge and the recorder run
beside the server: `python -m engine.live --vllm URL`.
"""

from engine.live.client.gathering import LiveTrace
from engine.live.client.link import Link, LinkError
from engine.live.client.running import latest, run

__all__ = ["Link", "LinkError", "LiveTrace", "latest", "run"]
