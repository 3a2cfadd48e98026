"""How fast the trace player opens, scrolls and zooms, in Chromium, and how much memory a large trace takes.

Times are the page's own clock's, and the *processor time* of the page's main thread, which tells the same on a
machine that others load. Frames a second can't be more than the screen's sixty; what a frame costs the processor
says how many there could be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count, islice
from statistics import median
from typing import Any

from playwright.sync_api import CDPSession, Page

from engine.simulate.scenario import Scenario

FRAMES = 120
MOVES = 40
POOL = 1_000_000
"""Blocks; a hundred requests hold a hundred each, and as many that are gone have left theirs in the cache."""
LARGE = {"num_requests": 10_000, "prompt_tokens": 200, "output_tokens": 100}
"""Ten thousand requests of a hundred rows each: a million rows."""

_FIRST = """async ([module, text]) => {
  const painted = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  await import(module);
  const player = document.body.appendChild(document.createElement("trace-player"));
  const start = performance.now();
  await player.open(text);
  await painted();
  const taken = performance.now() - start;
  player.remove();
  return taken;
}"""

_OPEN = """async () => {
  const painted = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: "longtask" });
  window.player = document.body.appendChild(document.createElement("trace-player"));
  const start = performance.now();
  await player.open(large);
  await painted();
  const taken = performance.now() - start;
  await painted();
  return { taken, longest: window.longest };
}"""

_FRAMES = """async ([frames, how]) => {
  const node = player.shadowRoot.querySelector(".timeline-scroll");
  const { left, top, width } = node.getBoundingClientRect();
  const wheel = { ctrlKey: true, clientX: left + width / 2, clientY: top + 90, bubbles: true, cancelable: true };
  const acts = {
    scroll: (frame) => (node.scrollTop += frame % 40 < 30 ? 300 : -500),
    zoom: (frame) => node.dispatchEvent(new WheelEvent("wheel", { ...wheel, deltaY: frame % 60 < 40 ? -30 : 60 })),
  };
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  const start = performance.now();
  for (let number = 0; number < frames; number += 1) {
    acts[how](number);
    await frame();
  }
  return (1000 * frames) / (performance.now() - start);
}"""

_POOL = """async (text) => {
  window.player = document.body.appendChild(document.createElement("trace-player"));
  player.setAttribute("views", "timeline blocks prefix queue meters why");
  await player.open(text);
  const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  do await frame(); while (player.shadowRoot.querySelector("[data-coming]"));
}"""

_MOVES = """async ([moves, step]) => {
  const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  for (let move = 0; move < moves; move += 1) {
    player.go({ step: step + move });
    await frame();
  }
}"""


def trace_text(num_requests: int, prompt_tokens: int, output_tokens: int) -> str:
    """A trace of the simulator that many requests long, as a file holds it."""
    traffic = {"arrivals": "poisson", "rate": 30, "seed": 5, "num_requests": num_requests}
    lengths = {"prompt_tokens": prompt_tokens, "output_tokens": output_tokens}
    settings = {"num_blocks": 4000, "max_model_len": 2048, "max_num_seqs": 64}
    scenario = {"name": "bench", "settings": settings, "traffic": traffic | lengths}
    return Scenario.from_mapping(scenario).trace().to_jsonl()


def pool_text(num_blocks: int) -> str:
    """A trace of a large pool, its blocks handed out far from each other, as they are in one that is long at work."""
    settings = {"num_blocks": num_blocks, "block_size": 16, "enable_prefix_caching": True}
    records: list[dict[str, Any]] = [
        {"format": "inside-the-batch.trace", "schema": 1, "name": "pool", "source": "simulated", "settings": settings}
    ]
    blocks = (1 + number * 7919 % (num_blocks - 1) for number in count())
    names = [f"r{number}" for number in range(200)]
    arrival = {"event": "arrived", "at": 0, "num_prompt_tokens": 1600, "max_tokens": 64}
    records += [arrival | {"id": name} for name in names]
    for step, name in enumerate(names):
        rows = [[name, 1600, 0, "new", list(islice(blocks, 100))]]
        records.append({"event": "step", "step": step, "at": step, "rows": rows})
    ended = {"event": "finished", "at": 200, "reason": "length", "num_output_tokens": 1, "step": 199}
    records += [ended | {"id": name} for name in names[:100]]
    for step in range(200, 200 + 2 * MOVES):
        rows = [[name, 1, 1400 + step, "running", [] if step % 16 else [next(blocks)]] for name in names[100:]]
        records.append({"event": "step", "step": step, "at": step, "rows": rows})
    return "".join(f"{json.dumps(record)}\n" for record in records)


def measure(page: Page, module: str, rounds: int) -> dict[str, Any]:
    """What is measured of the player whose module stands at the address `module`; `page` is one of its origin."""
    return {
        "first": measure_first(page, module, rounds),
        "large": measure_large(page, module, rounds),
        "pool": measure_pool(page, module),
    }


def measure_first(page: Page, module: str, rounds: int) -> dict[str, float]:
    """The first drawing of 100 requests: milliseconds by the clock and of the processor, medians."""
    devtools = _devtools(page)
    text = trace_text(100, 200, 100)
    measured = [_cost(devtools, page, _FIRST, [module, text]) for _ in range(rounds)]
    return {
        "ms": round(median(taken for _, taken in measured), 1),
        "processor_ms": round(median(1000 * cost for cost, _ in measured), 1),
    }


def measure_large(page: Page, module: str, rounds: int) -> dict[str, Any]:
    """Opening a million rows once, then frames of scrolling and of zooming, and the memory that it takes."""
    devtools = _devtools(page)
    page.evaluate("(module) => import(module).then(() => null)", module)
    before = _memory(devtools)
    text = trace_text(**LARGE)
    page.evaluate("(text) => { window.large = new File([text], 'large.trace.jsonl'); }", text)
    cost, opened = _cost(devtools, page, _OPEN)
    frames = {how: _frames(devtools, page, how, rounds) for how in ("scroll", "zoom")}
    return {
        "file_mb": round(len(text) / 1e6, 1),
        "open_ms": round(opened["taken"]),
        "open_processor_ms": round(1000 * cost),
        "longest_task_ms": round(opened["longest"]),
        "memory_mb": round((_memory(devtools) - before) / 1e6, 1),
        "frames": frames,
    }


def measure_pool(page: Page, module: str) -> dict[str, float]:
    """A move of the moment by a step, with every view open, in a pool of a million blocks: processor milliseconds."""
    devtools = _devtools(page)
    page.evaluate("(module) => import(module).then(() => { globalThis.player?.remove(); })", module)
    page.evaluate(_POOL, pool_text(POOL + 1))
    page.evaluate(_MOVES, [1, 200])
    cost, _ = _cost(devtools, page, _MOVES, [MOVES, 201])
    return {"processor_ms": round(1000 * cost / MOVES, 1)}


def _devtools(page: Page) -> CDPSession:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    return devtools


def _frames(devtools: CDPSession, page: Page, how: str, rounds: int) -> dict[str, float]:
    measured = [_cost(devtools, page, _FRAMES, [FRAMES, how]) for _ in range(rounds)]
    return {
        "a_second": round(median(rate for _, rate in measured), 1),
        "processor_ms": round(median(1000 * cost / FRAMES for cost, _ in measured), 2),
    }


def _cost(devtools: CDPSession, page: Page, script: str, given: Any = None) -> tuple[float, Any]:
    """Seconds of the main thread's processor time that a script took, and what it gave."""
    started = _processor(devtools)
    found = page.evaluate(script, given)
    return _processor(devtools) - started, found


def _processor(devtools: CDPSession) -> float:
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def _memory(devtools: CDPSession) -> float:
    """Bytes of the page's heap and of the arrays beside it, once what nobody needs is gone."""
    devtools.send("HeapProfiler.collectGarbage")
    usage = devtools.send("Runtime.getHeapUsage")
    return float(usage["usedSize"] + usage.get("backingStorageSize", 0))


def lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    first, large = measured["first"], measured["large"]
    yield "trace player, in Chromium"
    yield (
        f"  100 requests: first drawing {first['ms']} ms after the module is there "
        f"({first['processor_ms']} ms of processor time)"
    )
    yield (
        f"  10,000 requests, a million rows ({large['file_mb']} MB): open in {large['open_ms']:,} ms "
        f"({large['open_processor_ms']:,} ms of processor time), the longest task {large['longest_task_ms']} ms, "
        f"{large['memory_mb']} MB of memory"
    )
    for how, frames in large["frames"].items():
        yield f"  {how}: {frames['a_second']} frames a second, {frames['processor_ms']} ms of processor time each"
    yield f"  a move by a step in a pool of a million blocks, all views open: {measured['pool']['processor_ms']} ms"
