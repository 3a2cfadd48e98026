"""The preview's server: pages carry one script more, which reloads them and shows what is wrong."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from coursekit.author.preview import preview_site
from coursekit.author.state import PreviewState
from coursekit.build import loaded_parts
from coursekit.project import Project
from coursekit.serve.answer import Answer, Mounts, answer
from coursekit.serve.ports import open_server
from coursekit.serve.server import FileHandler, FileServer

SCRIPT_ADDRESS = "/__author__/reload.js"
EVENTS_ADDRESS = "/__author__/events"
TAG = f'<script type="module" src="{SCRIPT_ADDRESS}"></script>'.encode()
PING_SECONDS = 10


def open_preview(project: Project, state: PreviewState, host: str, port: int) -> FileServer:
    """A server of the preview that listens; it tells open pages of what `state` hears."""
    handler = type("Handler", (AuthorHandler,), {"state": state})
    return open_server(host, port, partial(answer, mounts=mounts(project)), handler)


def mounts(project: Project) -> Mounts:
    """The site as the preview serves it: modules and styles straight from where they are edited."""
    return [
        *((f"/{address}/", folder) for address, folder in loaded_parts(project)),
        ("/assets/course/", project.browser),
        ("/assets/", project.overrides / "assets"),
        ("/__author__/", Path(__file__).parent),
        ("/", preview_site(project)),
    ]


class AuthorHandler(FileHandler):
    """Answers as the site's server does, with the reloading script in every page."""

    state: PreviewState

    def do_GET(self) -> None:
        """Send a page, a file, or the stream of events."""
        if self.path == EVENTS_ADDRESS:
            self._send_events()
            return
        answer = self.server.respond(self.path, self.headers)
        if answer.file and answer.file.suffix == ".html" and not self.path.startswith("/lab/"):
            self._send_page(answer, answer.file)
        else:
            super().do_GET()

    def _send_page(self, answer: Answer, file: Path) -> None:
        before, end, after = file.read_bytes().rpartition(b"</body>")
        page = before + TAG + end + after
        headers = {name: value for name, value in answer.headers.items() if name != "ETag"}
        headers |= {"Content-Length": str(len(page)), "Cache-Control": "no-store"}
        self.send_head(Answer(answer.status, headers))
        self.wfile.write(page)

    def _send_events(self) -> None:
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "Connection": "close"}
        self.send_head(Answer(200, headers))
        seen = 0
        while True:
            news = self.state.after(seen, PING_SECONDS)
            if news:
                seen, text = news
                self.wfile.write(f"data: {text}\n\n".encode())
            else:  # so that a page that has gone is noticed
                self.wfile.write(b": still here\n\n")
