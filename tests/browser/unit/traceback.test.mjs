import assert from "node:assert/strict";
import { test } from "node:test";
import { shorten } from "../../../site-build/browser/lib/traceback.js";

const RUNTIME = `Traceback (most recent call last):
  File "/lib/python314.zip/_pyodide/_base.py", line 600, in eval_code_async
    await CodeRunner(
    ...<9 lines>...
    .run_async(globals, locals)
  File "/lib/python314.zip/_pyodide/_base.py", line 411, in run_async
    coroutine = eval(self.code, globals, locals)`;

test("the runtime's own frames are left out, the student's stay with their marks", () => {
  const code = "def half(n):\n    return n / 0\n\nhalf(3)";
  const traceback = `${RUNTIME}
  File "snippet.py", line 4, in <module>
    half(3)
    ~~~~^^^
  File "snippet.py", line 2, in half
    return n / 0
           ~~^~~
ZeroDivisionError: division by zero
`;
  assert.deepEqual(shorten(traceback, code), {
    text: `Your code, line 4
    half(3)
    ~~~~^^^
Your code, line 2, in half
    return n / 0
           ~~^~~
ZeroDivisionError: division by zero`,
    last: "ZeroDivisionError: division by zero",
    line: 2,
  });
});

test("a line that Python couldn't find is taken from the code that ran", () => {
  const { text } = shorten('Traceback (most recent call last):\n  File "snippet.py", line 2, in <module>\nNameError: no\n', "a = 1\n  b");
  assert.equal(text, "Your code, line 2\n    b\nNameError: no");
});

test("where the engine raised, its last frame stays", () => {
  const traceback = `${RUNTIME}
  File "snippet.py", line 1, in <module>
    pool.allocate(9)
  File "/lib/python3.14/site-packages/engine/blocks.py", line 30, in allocate
    return self._take(n)
  File "/lib/python3.14/site-packages/engine/blocks.py", line 41, in _take
    raise ValueError(f"{n} blocks asked, 2 free")
ValueError: 9 blocks asked, 2 free`;
  assert.deepEqual(shorten(traceback, "pool.allocate(9)"), {
    text: `Your code, line 1
    pool.allocate(9)
engine/blocks.py, line 41, in _take
    raise ValueError(f"{n} blocks asked, 2 free")
ValueError: 9 blocks asked, 2 free`,
    last: "ValueError: 9 blocks asked, 2 free",
    line: 1,
  });
});

test("frames of the standard library between the student's and the error are left out", () => {
  const traceback = `${RUNTIME}
  File "snippet.py", line 1, in <module>
    json.loads("{")
  File "/lib/python314.zip/json/decoder.py", line 345, in decode
    obj, end = self.raw_decode(s)
json.decoder.JSONDecodeError: Expecting property name`;
  assert.equal(shorten(traceback, 'json.loads("{")').text, 'Your code, line 1\n    json.loads("{")\njson.decoder.JSONDecodeError: Expecting property name');
});

test("a syntax error shows its line and the place in it", () => {
  const traceback = `Traceback (most recent call last):
  File "/lib/python314.zip/_pyodide/_base.py", line 285, in _parse_and_compile_gen
    mod = compile(source, filename, mode, flags | ast.PyCF_ONLY_AST)
  File "snippet.py", line 2
    print("a"
         ^
SyntaxError: '(' was never closed`;
  assert.deepEqual(shorten(traceback, 'x = 1\nprint("a"'), {
    text: `Your code, line 2
    print("a"
         ^
SyntaxError: '(' was never closed`,
    last: "SyntaxError: '(' was never closed",
    line: 2,
  });
});

test("repeated frames keep Python's own count", () => {
  const traceback = `${RUNTIME}
  File "snippet.py", line 3, in <module>
    f()
  File "snippet.py", line 2, in f
    f()
  [Previous line repeated 973 more times]
RecursionError: maximum recursion depth exceeded`;
  assert.match(shorten(traceback, "def f():\n    f()\nf()").text, /\[Previous line repeated 973 more times\]\nRecursionError/);
});

test("a chain keeps both errors and says which came first; the mark is the last one's", () => {
  const traceback = `${RUNTIME}
  File "snippet.py", line 2, in <module>
    {}["a"]
KeyError: 'a'

During handling of the above exception, another exception occurred:

${RUNTIME}
  File "snippet.py", line 4, in <module>
    raise ValueError("b")
ValueError: b`;
  const short = shorten(traceback, 'try:\n    {}["a"]\nexcept KeyError:\n    raise ValueError("b")');
  assert.equal(
    short.text,
    `Your code, line 2
    {}["a"]
KeyError: 'a'

During handling of the above exception, another exception occurred:

Your code, line 4
    raise ValueError("b")
ValueError: b`,
  );
  assert.equal(short.line, 4);
  assert.equal(short.last, "ValueError: b");
});

test("a message of several lines stays whole, its notes included", () => {
  const traceback = `${RUNTIME}
  File "snippet.py", line 1, in <module>
    check()
AssertionError: 3 blocks are lost:
    7, 8, 9
a note`;
  const short = shorten(traceback, "check()");
  assert.equal(short.text, "Your code, line 1\n    check()\nAssertionError: 3 blocks are lost:\n    7, 8, 9\na note");
  assert.equal(short.last, "AssertionError: 3 blocks are lost:");
});

test("what looks like no traceback is shown as it is", () => {
  assert.deepEqual(shorten("something odd\nhappened", ""), { text: "something odd\nhappened", last: "something odd", line: null });
});

test("an error without a frame of the student's still shows what went wrong", () => {
  assert.deepEqual(shorten(`${RUNTIME}\nMemoryError`, "x"), { text: "MemoryError", last: "MemoryError", line: null });
});
