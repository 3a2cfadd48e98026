"""What the browser's archives leave out, and why.

Patterns are matched with `fnmatch` against names inside an archive; `*` matches across folders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

STDLIB_UNUSED = (
    # twins in Python of modules that Pyodide has in C
    "_pyio.py", "_pydatetime.py", "_pydecimal.py", "_pylong.py",
    # need processes, sockets, a terminal, a file lock or another system
    "multiprocessing/*", "concurrent/futures/process.py", "concurrent/futures/interpreter.py",
    "ftplib.py", "imaplib.py", "poplib.py", "smtplib.py", "mailbox.py", "netrc.py", "nturl2path.py",
    "xmlrpc/*", "wsgiref/*", "http/server.py", "http/cookiejar.py", "http/cookies.py", "webbrowser.py",
    "curses/*", "pty.py", "tty.py", "dbm/*", "shelve.py", "_android_support.py", "_apple_support.py",
    "_ios_support.py", "_osx_support.py", "ctypes/macholib/*", "ensurepip/*", "venv/*", "zipapp.py",
    "asyncio/windows*", "asyncio/proactor_events.py", "encodings/mac_*", "encodings/cp*", "encodings/iso*",
    "encodings/koi8*", "encodings/big5*", "encodings/euc*", "encodings/gb*", "encodings/shift*",
    "encodings/johab.py", "encodings/hz.py", "encodings/hp_roman8.py", "encodings/kz1048.py",
    "encodings/ptcp154.py", "encodings/tis_620.py", "encodings/palmos.py", "encodings/mbcs.py", "encodings/oem.py",
    # tools of another day
    "idlelib/*", "lib2to3/*", "pydoc_data/*", "tkinter/*", "turtle*", "test/*", "*/test/*", "*/tests/*",
    "pickletools.py", "xml/sax/*", "plistlib.py", "optparse.py", "antigravity.py", "this.py", "__phello__/*",
    "_pyrepl/windows*", "_pyrepl/unix*", "_pyrepl/console.py", "profiling/*", "compileall.py", "py_compile.py",
)  # fmt: skip
"""Of the standard library: what can't work in a browser, and what no lesson's code would miss."""

# The console codec of zip files' names.
STDLIB_KEPT = ("encodings/cp437.py", "encodings/cp1252.py", "encodings/iso8859_1.py")

NOTEBOOK_UNUSED = (
    # IPython in a terminal, and prompt_toolkit with it; `overlay/` says so where it is asked for
    "IPython/terminal/[!_ep]*", "IPython/terminal/ptutils.py", "IPython/terminal/prompts.py",
    "IPython/terminal/pt_inputhooks/[!_]*", "IPython/sphinxext/*", "IPython/core/profileapp.py",
    "IPython/core/historyapp.py", "IPython/lib/demo.py", "IPython/lib/deepreload.py",
    "IPython/lib/latextools.py", "IPython/utils/_process_win32*", "IPython/utils/_process_posix.py",
    "IPython/utils/_process_cli.py", "*/tests/*", "*/testing/plugin/*",
    # colours for languages and looks that no cell shows
    "pygments/lexers/[!_p]*", "pygments/lexers/_[!_m]*", "pygments/lexers/p[!y]*", "pygments/styles/[!_dgmp]*",
    "pygments/styles/d[!e]*", "pygments/styles/paraiso*", "pygments/styles/perldoc.py", "pygments/styles/manni.py",
    "pygments/styles/material.py", "pygments/styles/murphy.py", "pygments/styles/gh_dark.py",
    "pygments/formatters/[!_ht]*", "pygments/cmdline.py", "pygments/sphinxext.py",
    # what installers need
    "*.dist-info/*", "*.data/*", "*.pyi", "*/py.typed",
)  # fmt: skip
"""Of the packages that the notebook's kernel needs."""


def kept(files: Mapping[str, bytes], unused: Iterable[str], needed: Iterable[str] = ()) -> dict[str, bytes]:
    """The files that no pattern of `unused` names, and those that a pattern of `needed` does."""
    unused, needed = tuple(unused), tuple(needed)
    return {name: data for name, data in files.items() if _matches(name, needed) or not _matches(name, unused)}


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
