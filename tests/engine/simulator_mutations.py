"""Wrong rules of the simulator: of its clock, its cost models, policies, doors and metrics; and wrong short cuts.

Those of the scheduler are in `mutations.py`, and are tried in the same way.
"""

from mutations import Mutation

SIMULATOR_MUTATIONS = (
    # ---- the clock and what comes and goes, step by step
    Mutation(
        "a client leaves before whoever arrives at the same time",
        "simulate/step_by_step.py",
        "            if arrival <= departure:",
        "            if arrival < departure:",
    ),
    Mutation(
        "a wait that is limited also ends requests that run",
        "simulate/step_by_step.py",
        '(departure.kind == WAITED_TOO_LONG and request.status != "waiting")',
        "False",
    ),
    Mutation(
        "a last prompt chunk of one token counts as a decode",
        "simulate/work.py",
        "if num_tokens == 1 and samples and computed >= request.num_prompt_tokens:",
        "if num_tokens == 1 and samples:",
    ),
    Mutation(
        "a first token is handed over when its step begins",
        "simulate/step_by_step.py",
        "self.records.append(FirstToken(end, request.id, index))",
        "self.records.append(FirstToken(self.now - 1, request.id, index))",
    ),
    Mutation(
        "whoever has finished stays in the crowd",
        "simulate/step_by_step.py",
        "                self.crowd.leave(request)\n                self.records.append(_end",
        "                self.records.append(_end",
    ),
    Mutation(
        "whoever gave up stays in the crowd",
        "simulate/step_by_step.py",
        "        self.crowd.leave(request)\n        record =",
        "        record =",
    ),
    # ---- jumps over steps
    Mutation(
        "a jump goes one step past the first end",
        "simulate/decoding.py",
        "most = step - v + 1",
        "most = step - v + 2",
    ),
    Mutation(
        "a jump takes blocks that aren't there",
        "simulate/decoding.py",
        "            if free < 0:",
        "            if free < -1:",
    ),
    Mutation(
        "a phase is off by one",
        "simulate/decoding.py",
        "phase = -base % self.block_size",
        "phase = (1 - base) % self.block_size",
    ),
    Mutation(
        "whole cycles deal their blocks by request and not by step",
        "simulate/decoding.py",
        "table += opened[place::count]",
        "table += opened[place * cycles : (place + 1) * cycles]",
    ),
    Mutation(
        "whoever missed a step is taken to be as far as all others",
        "simulate/decoding.py",
        "self.join(live, live.base - 1)",
        "self.join(live, live.base)",
    ),
    Mutation(
        "those who missed a step are put back from the last to the first",
        "simulate/fast.py",
        "for live in self.missed:",
        "for live in reversed(self.missed):",
    ),
    Mutation(
        "answers that others may quote are named by request and not by step",
        "simulate/decoding.py",
        "sorted(filled, key=lambda one: one[:3])",
        "filled",
    ),
    Mutation(
        "an arrival doesn't end a jump",
        "simulate/fast.py",
        "until = self._until() if self.line or num_running >= self.seats else self.next_event",
        "until = self.next_departure",
    ),
    Mutation(
        "the queue stays shut when somebody leaves",
        "simulate/fast.py",
        "        self.pool.release(live.table, live.num_registered, sealed)\n        self.is_shut = False\n",
        "        self.pool.release(live.table, live.num_registered, sealed)\n",
    ),
    Mutation(
        "the queue is taken for shut though a prompt took the budget",
        "simulate/admitting.py",
        "bool(line) and (self.chunked or not chunks) and self._stays_shut()",
        "bool(line) and self._stays_shut()",
    ),
    Mutation(
        "the queue is taken for shut though an answer may be quoted",
        "simulate/admitting.py",
        "(self.whole_prompt_fits and not self.decoding.namers)",
        "self.whole_prompt_fits",
    ),
    Mutation(
        "the watermark also counts for whoever is alone",
        "simulate/admitting.py",
        "(self.watermark if self.running else 0)",
        "self.watermark",
    ),
    Mutation(
        "a free block that is hit costs nothing",
        "simulate/admitting.py",
        "cost += self.cache.num_pinned(hits)",
        "cost += 0 * self.cache.num_pinned(hits)",
    ),
    Mutation(
        "a hit may cover a whole prompt",
        "simulate/admitting.py",
        "most = (live.num_known - 1) // self.block_size",
        "most = live.num_known // self.block_size",
    ),
    Mutation(
        "an unregistered block is kept when its request ends",
        "simulate/pools.py",
        "self._stack += table[num_sealed:]",
        "self._stack += table[num_sealed + 1 :]",
    ),
    Mutation(
        "of two equal blocks the later one is hit",
        "simulate/pools.py",
        "next(iter(blocks))",
        "next(reversed(blocks))",
    ),
    Mutation(
        "salts don't keep beginnings apart",
        "simulate/names.py",
        "salt = arrival.cache_salt or None",
        "salt = None",
    ),
    Mutation(
        "a victim forgets how far it was",
        "simulate/fast.py",
        "live.max_reached = max(live.max_reached, live.num_computed_tokens)",
        "live.max_reached = live.num_computed_tokens",
    ),
    # ---- what a step costs
    Mutation(
        "prompt tokens are charged as sequences",
        "cost.py",
        "num_prefill_tokens * self.prefill_token_ps",
        "num_prefill_tokens * self.decode_seq_ps",
    ),
    Mutation(
        "cached tokens don't grow while one decodes",
        "cost.py",
        "            picoseconds += increase\n",
        "",
    ),
    Mutation(
        "all steps of a jump last as long as its first, where they have a formula",
        "cost.py",
        "return done, now + done * (2 * first + increase * (done - 1)) // 2",
        "return done, now + done * first",
    ),
    Mutation(
        "prompts choose no experts",
        "cost.py",
        "unread_experts(num_prefill_tokens + num_decode_seqs,",
        "unread_experts(num_decode_seqs,",
    ),
    # ---- metrics
    Mutation(
        "the time per token counts the first token too",
        "metrics/latency.py",
        "(whole - value) / (count - 1)",
        "(whole - value) / count",
    ),
    Mutation(
        "the time to the first token is counted from admission",
        "metrics/latency.py",
        "return None if request.first_token is None else request.first_token - request.arrived",
        "return None if request.first_token is None else request.first_token - (request.admitted or 0)",
    ),
    Mutation(
        "a percentile is rounded down",
        "metrics/percentiles.py",
        "max(1, -(-_share(percent) * count // 1))",
        "max(1, _share(percent) * count // 1)",
    ),
    Mutation(
        "the interval of a percentile is open on one side only",
        "metrics/percentiles.py",
        "tail = float((1 - Fraction(str(confidence))) / 2)",
        "tail = float(1 - Fraction(str(confidence)))",
    ),
    Mutation(
        "recomputed tokens are counted up to where the request is, not to where it was",
        "metrics/tokens.py",
        "again += max(0, min(end, before) - start)",
        "again += max(0, end - start) if before else 0",
    ),
    Mutation(
        "goodput forgets those who were refused",
        "metrics/goodput.py",
        "good = [is_good(request, limits) for request in requests]",
        'good = [is_good(request, limits) for request in requests if request.outcome == "finished"]',
    ),
    Mutation(
        "a shared block is held twice",
        "metrics/memory.py",
        "len(tables.holders), tables",
        "sum(tables.holders.values()), tables",
    ),
    Mutation(
        "an answer's token serves as much as a prompt's",
        "metrics/fairness.py",
        "OUTPUT_WEIGHT: Final = 2",
        "OUTPUT_WEIGHT: Final = 1",
    ),
    Mutation(
        "what a tenant got alone counts as a gap",
        "metrics/fairness.py",
        "if amount and tenant in self.busy:\n            for other in self.busy:",
        "if amount:\n            for other in [*self.busy, *self.total]:",
    ),
    # ---- policies
    Mutation(
        "a tenant that was away keeps its old counter",
        "policies/fairness.py",
        "self.counters[tenant] = max(self.counters[tenant], level)",
        "self.counters[tenant] = max(self.counters[tenant], 0)",
    ),
    Mutation(
        "a fair head stays one step too long where counters tie",
        "policies/fairness.py",
        "steps if not rest and line[0].order < head.order else steps + 1",
        "steps + 1",
    ),
    Mutation(
        "a quantum is used up when it is reached",
        "policies/feedback.py",
        "if self._used[name] > QUANTUM << self._level[name]",
        "if self._used[name] >= QUANTUM << self._level[name]",
    ),
    Mutation(
        "patience ends a moment too late",
        "policies/ageing.py",
        "self._by_arrival[0][0] + self.patience <= now",
        "self._by_arrival[0][0] + self.patience < now",
    ),
    Mutation(
        "no deadline is the most urgent one",
        "policies/ranks.py",
        "return NO_DEADLINE if request.deadline is None else request.deadline, request.order",
        "return 0 if request.deadline is None else request.deadline, request.order",
    ),
    Mutation(
        "fewest hits go first",
        "policies/prefix_match.py",
        "(-len(hits(request)), request.order)",
        "(len(hits(request)), request.order)",
    ),
    # ---- at the door
    Mutation(
        "a queue holds one more than it may",
        "admission.py",
        "if crowd.num_waiting < self.most:",
        "if crowd.num_waiting <= self.most:",
    ),
    Mutation(
        "a budget looks at the prompt alone",
        "admission.py",
        "asked = request.num_prompt_tokens + (request.max_tokens or 0)",
        "asked = request.num_prompt_tokens",
    ),
    Mutation(
        "who doesn't fit is overtaken under strict admission",
        "admission.py",
        "        if waiting.entries and waiting.head() is head:\n            return\n",
        "        yield from [one for one in waiting if one is not head]\n",
    ),
)
