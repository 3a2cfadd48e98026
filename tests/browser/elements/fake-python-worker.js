// Stands in for Python in the tests of the snippet element: it speaks the worker's protocol and acts on a
// few words in the code. Python itself is tested on the built site.
const send = (message) => self.postMessage(message);
const BROKEN = `Traceback (most recent call last):
  File "/lib/python314.zip/_pyodide/_base.py", line 411, in run_async
    coroutine = eval(self.code, globals, locals)
  File "snippet.py", line 2, in <module>
    print(nothing)
          ^^^^^^^
NameError: name 'nothing' is not defined
`;

let stopped = () => {};

async function run(code) {
  if (code.includes("loop")) {
    send({ type: "output", stream: "out", text: "looping\n" });
    await new Promise((resolve) => (stopped = resolve));
    return send({ type: "done", outcome: "stopped", traceback: "" });
  }
  if (code.includes("stuck")) return undefined;
  if (code.includes("nothing")) return send({ type: "done", outcome: "error", traceback: BROKEN });
  for (const [, text] of code.matchAll(/print\("(.*?)"\)/g)) send({ type: "output", stream: "out", text: `${text}\n` });
  if (code.includes("warn")) send({ type: "output", stream: "err", text: "careful\n" });
  return send({ type: "done", outcome: "ok", traceback: "" });
}

self.addEventListener("message", ({ data }) => {
  if (data.type === "start") {
    send({ type: "progress", loaded: 3e6, total: 8e6 });
    setTimeout(() => send({ type: "ready" }), 150);
  }
  if (data.type === "run") run(data.code);
  if ("courseStop" in data) stopped();
});
