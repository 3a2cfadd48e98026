"""Runs the code on its input as a program. An error leaves as one JSON line, with the line of the code.

What it is given is a limit in seconds of processor time, after which the process ends.
"""

import json
import signal
import sys
import traceback

NAME = "<snippet>"
FAILED = 3
"""The exit status that says: a complaint was written. Other statuses come from elsewhere."""


def main() -> int:
    """Run; 0 where the code came to its end, `FAILED` where it didn't."""
    signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1]))
    try:
        exec(compile(sys.stdin.read(), NAME, "exec"), {"__name__": "__main__"})
    except SyntaxError as error:
        return complain(f"SyntaxError: {error.msg}", error.lineno or 1)
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == NAME]
        return complain(f"{type(error).__name__}: {error}", lines[-1] or 1)
    return 0


def complain(error: str, line: int) -> int:
    """Write the complaint and give the exit status of a failure."""
    sys.stdout.flush()
    print(json.dumps({"error": error, "line": line}), file=sys.stderr)
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
