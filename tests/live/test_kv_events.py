"""KV events as vLLM publishes them: MessagePack over ZeroMQ, numbered."""

import threading
import time

import msgspec
import zmq

from bridging import bridge, some_requests
from engine.live.bridge.options import Replica
from pretended import answering, serving


def test_blocks_stored_and_removed_are_told_by_numbers_and_losses_as_gaps() -> None:
    context = zmq.Context()
    publisher = context.socket(zmq.PUB)
    port = publisher.bind_to_random_port("tcp://127.0.0.1")
    over = threading.Event()

    def publish() -> None:
        stored = {"type": "BlockStored", "block_hashes": [b"one", b"two"], "token_ids": [1, 2], "block_size": 1}
        removed = {"type": "BlockRemoved", "block_hashes": [b"two"]}
        number = 0
        while not over.is_set():
            payload = msgspec.msgpack.encode([1.0, [stored, removed, {"type": "AllBlocksCleared"}], 0])
            publisher.send_multipart([b"", number.to_bytes(8, "big"), payload])
            publisher.send_multipart([b"", b"rubbish", b"\xff"])
            number += 3
            time.sleep(0.05)

    thread = threading.Thread(target=publish)
    thread.start()
    try:
        replicas = (Replica("one", None, f"tcp://127.0.0.1:{port}"),)
        with (
            serving(answering(0.02), version='{"version": "0.32.0"}') as server,
            bridge(server.url, replicas=replicas) as page,
        ):
            assert "kv_events" in page.ask("GET", "/api/backend")[1]["gives"]
            events = page.run(some_requests(10, gap=60_000_000))
    finally:
        over.set()
        thread.join()
        context.destroy(linger=0)
    told = [value for value in events if value.get("event") == "kv"]
    assert [(value["stored"], value["removed"], value["cleared"]) for value in told[:3]] == [
        ([0, 1], [], False),
        ([], [1], False),
        ([], [], True),
    ]
    assert [value["lost"] for value in events if value.get("event") == "gap"][:2] == [2, 2]
