"""The server sends what a good static host sends."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from coursekit.serve.answer import Answer, answer, find
from coursekit.serve.ports import open_server

FILES = {
    "index.html": "home",
    "404.html": "not here",
    "lessons/founding/index.html": "lesson",
    "lessons/founding/index.html.br": "br",
    "lessons/founding/index.html.gz": "gz",
    "lessons/notes.txt": "notes",
    "lab/files/founding.ipynb": "{}",
    "lab/api/contents/all.json": "{}",
    "lab/build/100.1d14ca4.js": "chunk",
    "assets/stylesheets/main.618322db.min.css": "css",
    "assets/a-defaced.svg": "<svg/>",
    "py/0123456789ab/pyodide.asm.wasm": "wasm",
    "py/0123456789ab/python.mjs": "module",
    "wheels/0123456789ab/inside_the_batch-0.1.0-py3-none-any.whl": "wheel",
    "assets/course/course.js": "entry",
    "assets/a name.svg": "<svg/>",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "secret.txt").write_text("not of the site")
    return tmp_path / "site"


def ask(site: Path, target: str, **headers: str) -> Answer:
    return answer(target, {name.replace("_", "-"): value for name, value in headers.items()}, [("/", site)])


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("/", "home"),
        ("/index.html", "home"),
        ("/lessons/founding/", "lesson"),
        ("/lessons/founding/?from=home#top", "lesson"),
        ("/assets/a%20name.svg", "<svg/>"),
    ],
)
def test_an_address_finds_its_file(site: Path, target: str, text: str) -> None:
    said = ask(site, target)
    assert said.status == 200
    assert said.file is not None
    assert said.file.read_text() == text


@pytest.mark.parametrize(
    "target",
    ["/nothing", "/lessons/", "/lessons/notes.txt/", "/../secret.txt", "/%2e%2e/secret.txt", "/a%00b", "secret.txt"],
)
def test_what_is_not_there_is_not_found(site: Path, target: str) -> None:
    said = ask(site, target)
    assert (said.status, said.file and said.file.name) == (404, "404.html")


def test_a_page_without_its_slash_is_sent_on_with_its_query(site: Path) -> None:
    said = ask(site, "/lessons/founding?a=b")
    assert (said.status, said.headers["Location"]) == (301, "founding/?a=b")


@pytest.mark.parametrize(
    ("target", "type_"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/py/0123456789ab/pyodide.asm.wasm", "application/wasm"),
        ("/py/0123456789ab/python.mjs", "text/javascript; charset=utf-8"),
        ("/lab/files/founding.ipynb", "application/json"),
        ("/wheels/0123456789ab/inside_the_batch-0.1.0-py3-none-any.whl", "application/zip"),
    ],
)
def test_types(site: Path, target: str, type_: str) -> None:
    assert ask(site, target).headers["Content-Type"] == type_


@pytest.mark.parametrize(
    ("target", "is_for_ever"),
    [
        ("/", False),
        ("/lessons/founding/", False),
        ("/assets/course/course.js", False),
        ("/lab/files/founding.ipynb", False),
        ("/lab/api/contents/all.json", False),
        ("/lab/build/100.1d14ca4.js", True),
        ("/assets/stylesheets/main.618322db.min.css", True),
        ("/assets/a-defaced.svg", False),
        ("/py/0123456789ab/python.mjs", True),
        ("/wheels/0123456789ab/inside_the_batch-0.1.0-py3-none-any.whl", True),
    ],
)
def test_only_what_carries_a_hash_is_kept_for_ever(site: Path, target: str, is_for_ever: bool) -> None:
    kept = ask(site, target).headers["Cache-Control"]
    assert kept == ("public, max-age=31536000, immutable" if is_for_ever else "no-cache")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("GZIP", "gzip"),
        ("identity", None),
        ("brotli", None),
        ("br;q=oops, gzip;q=1.2.3", None),
        ("", None),
    ],
)
def test_the_best_encoding_that_is_accepted(site: Path, accepted: str, encoding: str | None) -> None:
    said = ask(site, "/lessons/founding/", Accept_Encoding=accepted)
    assert said.headers.get("Content-Encoding") == encoding
    assert said.headers["Vary"] == "Accept-Encoding"
    assert said.headers["Content-Type"] == "text/html; charset=utf-8"
    assert said.headers["Content-Length"] == str(said.file.stat().st_size if said.file else None)


def test_what_was_not_modified_is_not_sent_again(site: Path) -> None:
    first = ask(site, "/lessons/founding/", Accept_Encoding="br").headers["ETag"]
    plain = ask(site, "/lessons/founding/").headers["ETag"]
    assert first != plain, "two encodings are two bodies"
    again = ask(site, "/lessons/founding/", Accept_Encoding="br", If_None_Match=f'"other", W/{first}')
    assert (again.status, again.file, again.headers["ETag"]) == (304, None, first)
    (site / "lessons/founding/index.html").write_text("a new lesson")
    assert ask(site, "/lessons/founding/", Accept_Encoding="br", If_None_Match=first).status == 200


def test_built_again_with_the_same_bytes_is_not_modified(site: Path) -> None:
    tag = ask(site, "/").headers["ETag"]
    (site / "index.html").unlink()
    (site / "index.html").write_text("home")
    assert ask(site, "/", If_None_Match=tag).status == 304


def test_the_first_folder_that_has_a_file_wins(site: Path, tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    (tmp_path / "live" / "course.js").write_text("as edited")
    mounts = [("/assets/course/", tmp_path / "live"), ("/", site)]
    assert find("/assets/course/course.js", mounts) == tmp_path / "live" / "course.js"
    assert find("/index.html", mounts) == site / "index.html"


@pytest.fixture
def connection(site: Path) -> Iterator[http.client.HTTPConnection]:
    server = open_server("127.0.0.1", 0, partial(answer, mounts=[("/", site)]))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    yield connection
    connection.close()
    server.shutdown()
    thread.join()
    server.server_close()


def test_one_connection_carries_many_requests(connection: http.client.HTTPConnection) -> None:
    connection.connect()
    socket = connection.sock
    for target, status, body in [("/", 200, b"home"), ("/nothing", 404, b"not here"), ("/lessons/founding", 301, b"")]:
        connection.request("GET", target)
        response = connection.getresponse()
        assert (response.status, response.read()) == (status, body)
        assert connection.sock is socket


def test_a_head_has_no_body(connection: http.client.HTTPConnection) -> None:
    connection.request("HEAD", "/")
    response = connection.getresponse()
    assert (response.status, response.getheader("Content-Length"), response.read()) == (200, "4", b"")


def test_nothing_can_be_put_there(connection: http.client.HTTPConnection) -> None:
    connection.request("POST", "/", body="x")
    assert connection.getresponse().status == 501


def test_no_page_is_isolated(connection: http.client.HTTPConnection) -> None:
    connection.request("GET", "/")
    sent = {name.lower() for name, _ in connection.getresponse().getheaders()}
    assert not sent & {"cross-origin-opener-policy", "cross-origin-embedder-policy"}, "WebKitGTK hangs with them"
