"""Wrong rules: small changes to the engine that a careless hand could make, each of which a test must catch.

`test_mutations.py` makes a copy of the engine for each and lets `kill.py` look for what catches it.
"""

from typing import NamedTuple


class Mutation(NamedTuple):
    """One wrong rule, as a change to one file of the engine."""

    rule: str
    """What the engine would do, in a sentence."""
    file: str
    old: str
    new: str


MUTATIONS = (
    # ---- the budget and its cap
    Mutation(
        "a running prompt ignores what is left of the budget",
        "scheduler.py",
        "num_tokens = min(num_tokens, cap, budget)",
        "num_tokens = min(num_tokens, cap)",
    ),
    Mutation(
        "a running prompt ignores the long-prefill cap",
        "scheduler.py",
        "num_tokens = min(num_tokens, cap, budget)",
        "num_tokens = min(num_tokens, budget)",
    ),
    Mutation(
        "an admitted prompt ignores the long-prefill cap",
        "scheduler.py",
        "num_tokens = min(gap, draft.cap)",
        "num_tokens = gap",
    ),
    Mutation(
        "the cap is applied to a lone request",
        "scheduler.py",
        "if cap == 0 or num_requests <= 1:",
        "if cap == 0 or num_requests < 1:",
    ),
    Mutation(
        "the adaptive cap is the lower of the two",
        "scheduler.py",
        "cap = max(cap, settings.max_num_batched_tokens // num_requests)",
        "cap = min(cap, settings.max_num_batched_tokens // num_requests)",
    ),
    Mutation(
        "only running requests count for the cap",
        "scheduler.py",
        "len(self.running) + len(self.waiting)",
        "len(self.running)",
    ),
    # ---- who gives way
    Mutation("FCFS takes the head of the running list", "policies/policy.py", "return len(running) - 1", "return 0"),
    Mutation(
        "priority takes the most important request",
        "policies/policy.py",
        "return max(range(len(running)), key=lambda",
        "return min(range(len(running)), key=lambda",
    ),
    Mutation(
        "a tie of priorities goes to the later arrival",
        "policies/ranks.py",
        "return request.priority, request.arrival_time, request.order",
        "return request.priority, -request.arrival_time, -request.order",
    ),
    Mutation(
        "several victims wait in the wrong order",
        "policies/queues.py",
        "self.put_back = self.entries.appendleft",
        "self.put_back = self.entries.append",
    ),
    Mutation(
        "a taken-back row doesn't return its tokens",
        "scheduler.py",
        "draft.budget += num_tokens",
        "draft.budget += 0 * num_tokens",
    ),
    Mutation("a victim keeps its row", "scheduler.py", "del draft.entries[place]", "assert place >= 0"),
    Mutation(
        "a victim further up the list lets somebody be skipped",
        "scheduler.py",
        "draft.index -= 1",
        "draft.index -= 0",
    ),
    Mutation(
        "those behind a request that fell victim to itself still get the step",
        "scheduler.py",
        "                    if room is None:\n                        break",
        "                    if room is None:\n                        continue",
    ),
    Mutation("somebody is admitted in a step that preempted", "scheduler.py", "if not draft.preempted:", "if draft:"),
    Mutation(
        "a chunk that is taken back keeps its hashes",
        "scheduler.py",
        "if not self.settings.keep_stale_hashes:",
        "if self.settings.keep_stale_hashes:",
    ),
    # ---- admission
    Mutation(
        "the full-prompt check is off by one",
        "kv_cache.py",
        "+ watermark <= self.pool.num_free_blocks",
        "+ watermark < self.pool.num_free_blocks",
    ),
    Mutation(
        "the full-prompt check forgets the answer of a preempted request",
        "kv_cache.py",
        "num_tokens = min(request.num_tokens, self._settings.max_model_len)",
        "num_tokens = min(request.num_prompt_tokens, self._settings.max_model_len)",
    ),
    Mutation(
        "the full-prompt check looks at the first chunk alone",
        "kv_cache.py",
        "if self._settings.scheduler_reserve_full_isl:",
        "if not self._settings:",
    ),
    Mutation("hits are counted as new blocks", "kv_cache.py", "self._block_size) - len(hits)", "self._block_size)"),
    Mutation("pins are forgotten", "kv_cache.py", " + self.pool.num_pinned(hits)", ""),
    Mutation("the watermark is ignored", "kv_cache.py", " + watermark <=", " <="),
    Mutation(
        "the watermark holds though nobody runs",
        "kv_cache.py",
        "self.watermark_blocks if anyone_runs else 0",
        "self.watermark_blocks",
    ),
    Mutation(
        "the watermark leaves the null block out",
        "kv_cache.py",
        "settings.watermark * settings.num_blocks",
        "settings.watermark * settings.num_lendable_blocks",
    ),
    Mutation(
        "one request too many is seated", "scheduler.py", "len(self.running) >= seats", "len(self.running) > seats"
    ),
    Mutation(
        "max_num_active_seqs is ignored",
        "settings.py",
        "if self.max_num_active_seqs is None else self.max_num_active_seqs",
        "if self.max_num_active_seqs != 0 else 1",
    ),
    Mutation(
        "a prompt is cut though chunked prefill is off",
        "scheduler.py",
        " and not self.settings.enable_chunked_prefill:",
        " and not self.settings:",
    ),
    Mutation(
        "a head that doesn't fit lets the next one pass",
        "scheduler.py",
        "            self._admit(request, draft)\n",
        "            if not self._admit(request, draft):\n"
        "                self.waiting.add(self.waiting.pop())\n                break\n",
    ),
    Mutation("a prompt of max_model_len tokens is let in", "admission.py", "if length == most:", "if length < 0:"),
    # ---- prefixes
    Mutation(
        "the last block of a cached prompt isn't computed again",
        "kv_cache.py",
        "most = (request.num_tokens - 1) // self._block_size",
        "most = request.num_tokens // self._block_size",
    ),
    Mutation(
        "a block's hash leaves its parent out",
        "prefix.py",
        "content = parent + packed[start : start + width]",
        "content = packed[start : start + width]",
    ),
    Mutation(
        "the salt enters the second block", "prefix.py", "if index == 0 and cache_salt", "if index == 1 and cache_salt"
    ),
    Mutation("the salt is left out", "prefix.py", "if index == 0 and cache_salt", "if index < 0 and cache_salt"),
    Mutation(
        "a lookup gives the block that was registered last",
        "prefix.py",
        "hits.append(next(iter(blocks)))",
        "hits.append(next(reversed(blocks)))",
    ),
    Mutation(
        "a lookup steps over a block that is missing",
        "prefix.py",
        "            if blocks is None:\n                break",
        "            if blocks is None:\n                continue",
    ),
    Mutation(
        "full blocks are registered a step late",
        "kv_cache.py",
        "self.seal(request, min(num_tokens, request.num_tokens))",
        "self.seal(request, min(num_tokens, request.num_computed_tokens))",
    ),
    # ---- blocks
    Mutation(
        "the free queue lends from its back",
        "blocks.py",
        "self._free.popitem(last=False)",
        "self._free.popitem(last=True)",
    ),
    Mutation(
        "a request's blocks are freed head first",
        "blocks.py",
        "for block_id in reversed(block_ids):",
        "for block_id in block_ids:",
    ),
    Mutation(
        "blocks without a hash go to the back",
        "blocks.py",
        "free.move_to_end(block_id, last=False)",
        "free.move_to_end(block_id, last=True)",
    ),
    Mutation(
        "blocks with a hash go to the front too",
        "blocks.py",
        "if self.block_hash[block_id] is None:\n                    to_front",
        "if block_id:\n                    to_front",
    ),
    Mutation(
        "a hit doesn't raise the count of holders",
        "blocks.py",
        "self.ref_count[block_id] += 1",
        "self.ref_count[block_id] = 1",
    ),
    Mutation("a hit stays in the free queue", "blocks.py", "del self._free[block_id]", "assert self._free"),
    Mutation(
        "a reused block keeps its hash",
        "blocks.py",
        "if self.block_hash[block_id] is not None:",
        "if self.block_hash[block_id] == b'':",
    ),
    Mutation(
        "a double free is let pass",
        "blocks.py",
        "self._refuse_double_free(block_ids)",
        "return",
    ),
    # ---- tokens
    Mutation(
        "a request gets one token too many",
        "request.py",
        "if self.num_known_tokens >= self._max_total_tokens:",
        "if self.num_known_tokens > self._max_total_tokens:",
    ),
    Mutation(
        "a stop token doesn't end a request", "request.py", "if token_id in self._stop_token_ids:", "if token_id < 0:"
    ),
    Mutation(
        "finished requests are freed in the reverse order",
        "scheduler.py",
        "in zip(plan.entries, token_ids, strict=True):",
        "in reversed(list(zip(plan.entries, token_ids, strict=True))):",
    ),
    # ---- asynchronous scheduling
    Mutation(
        "an end by length costs a row in vain",
        "asynchronous.py",
        "request.max_total_tokens - 1",
        "request.max_total_tokens",
    ),
    Mutation(
        "a victim's placeholders stay",
        "asynchronous.py",
        "victim.num_placeholders = 0",
        "victim.num_placeholders += 0",
    ),
    Mutation(
        "a token in flight is hashed as if it were known",
        "asynchronous.py",
        "request.num_computed_tokens - request.num_placeholders",
        "request.num_computed_tokens",
    ),
)
