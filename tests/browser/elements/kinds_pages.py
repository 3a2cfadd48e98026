"""One check of every kind, as an instructor writes it, for the page that the tests answer."""

from __future__ import annotations

from collections.abc import Callable

from coursekit.checks.compile import compile_check
from coursekit.evaluate import shared
from coursekit.snippets import Ran

MULTI = """\
id: breaks-reuse
kind: multi
---
Which of these break the reuse of a cached document?

- [x] Another adapter
  > Other weights make other numbers.
  >
  > Missed: an adapter changes the weights.
- [x] A changed first token
  > Everything after it has another beginning.
  >
  > Missed: what a page holds depends on all before it.
- [ ] A larger limit
  > A limit on the answer is no part of the prompt.

## Hint
What does the key hold?
"""
ORDER = """\
id: look-first
kind: order
---
In which order do you compare?

1. arrival mix
   > What came is compared first.
2. queue time
3. cached tokens
4. step time
"""
GRID = """\
id: two-slots-grid
kind: grid
cells: a, b, c, –
key: [["a", "b"], ["a", "b"], ["c", "b"], [None, "b"]]
---
Who holds which slot?

| step | slot 1 | slot 2 |
|---|---|---|
| 1 | **a** | **b** |
| 2 | a | b |
| 3 | c | b |
| 4 | – | b |

- [x] filled
  > c came in as soon as a was done.
- [ ] 2, slot 1 = c
  > a still holds its slot.
- [ ] otherwise
  > Who is done first?
"""
FIELDS = GRID.replace("cells: a, b, c, –\n", "").replace("two-slots-grid", "two-slots-fields")
TEXT = """\
id: block-table
kind: text
confidence: yes
---
Which record says where a request's pages are?

- [x] Block table
  > Yes.
- [x] `/pages? tables?/`
  > Yes: vLLM says block.
- [ ] free queue
  > That lists what nobody holds.
- [ ] otherwise
  > Every request has one.
"""
EXPLAIN = """\
id: own-words
kind: explain
---
Why one page short?

## Model answer
Each request rounds up alone.

## Rubric
- says that a page belongs to one request
- says that each rounds up alone
"""
PREDICT = """\
id: when-c
kind: predict
---
What does it print?

- [x] `3`
  > Yes.
- [ ] `5`
  > That is the fixed batch.

## Run
```python
print(3)
```

## Explanation
The step that ends a request still belongs to it.
"""
COMPUTED = """\
id: waste-of-two
kind: number
unit: token slots
draw: a = 17 from range(17, 24); page = 16 from (16, 32)
where: 2 * reserved_slots(a, page) != reserved_slots(2 * a, page)
variants: 3
---
Two requests of 17{= a =} tokens, pages of 16{= page =}. How many token slots?

- [x] 64 = `2 * reserved_slots(a, page)`
  > Each rounds up by itself.
- [ ] rounds once: 48 = `reserved_slots(2 * a, page)`
  > That rounds once.
- [ ] otherwise
  > Take one request first.
"""

EVERY = {
    "breaks-reuse": MULTI,
    "look-first": ORDER,
    "two-slots-grid": GRID,
    "two-slots-fields": FIELDS,
    "block-table": TEXT,
    "own-words": EXPLAIN,
    "when-c": PREDICT,
    "waste-of-two": COMPUTED,
}


def checks(*, sources: dict[str, str] | None = None, run: Callable[[str], Ran] = lambda _: Ran("3\n")) -> str:
    """The HTML of the checks, in the order given; a fault in one fails the test that asked."""
    page = []
    for source in (sources or EVERY).values():
        block = compile_check(source, shared().value, run=run)
        assert not block.faults, block.faults
        page.append(block.html)
    return "\n".join(page)
