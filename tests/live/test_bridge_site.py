"""The course as the bridge serves it: compressed where a browser takes it, and nothing that isn't in its folder."""

import gzip
import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridging import Page, bridge
from patience import PATIENCE
from pretended import serving

LONG = "a lesson " * 500
SCRIPT = "export const one = 1;\n" * 200
BROTLI = b"pretended brotli"
"""The bridge hands copies on as they are."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "site"
    (folder / "live").mkdir(parents=True)
    (folder.parent / "secret.txt").write_text("secret", "utf-8")
    for name, text in (("index.html", "home"), ("live/index.html", LONG), ("a.mjs", SCRIPT), ("404.html", "nothing")):
        (folder / name).write_text(text, "utf-8")
    for name, text in (("live/index.html", LONG), ("a.mjs", SCRIPT)):
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        (folder / f"{name}.br").write_bytes(BROTLI)
    # Copies that lead elsewhere, or are none.
    (folder / "index.html.gz").symlink_to(folder.parent / "secret.txt")
    (folder / "index.html.br").mkdir()
    (folder / "out.txt").symlink_to(folder.parent / "secret.txt")
    # The folder itself may be reached by another name.
    (folder.parent / "named").symlink_to(folder)
    return folder.parent / "named"


@pytest.fixture(scope="module")
def page(site: Path) -> Iterator[Page]:
    with serving() as server, bridge(server.url, site=site) as found:
        yield found


def ask(page: Page, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, bytes and headers of an answer, as they come over the wire."""
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
    try:
        connection.request(method, path, None, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/live/", "/a.mjs"])
def test_a_copy_is_sent_to_whoever_takes_it(page: Page, path: str) -> None:
    status, plain, headers = ask(page, path)
    assert (status, "content-encoding" in headers, headers["vary"]) == (200, False, "Accept-Encoding")
    kinds, tags = {headers["content-type"]}, {headers["etag"]}
    for accepted, encoding in (("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip")):
        status, sent, headers = ask(page, path, Accept_Encoding=accepted)
        assert (status, headers["content-encoding"], headers["vary"]) == (200, encoding, "Accept-Encoding")
        assert int(headers["content-length"]) == len(sent) < len(plain) / 4
        assert (sent == BROTLI) if encoding == "br" else (gzip.decompress(sent) == plain)
        kinds.add(headers["content-type"])
        tags.add(headers["etag"])
    assert len(kinds) == 1
    assert len(tags) == 3, "each encoding is a body of its own"
    for accepted in ("identity", "zstd", "br;q=0", ""):
        assert ask(page, path, Accept_Encoding=accepted)[1] == plain


def test_what_wasnt_modified_isnt_sent_again_and_a_head_has_no_body(page: Page) -> None:
    first = ask(page, "/live/", Accept_Encoding="br")[2]
    status, sent, headers = ask(page, "/live/", Accept_Encoding="br", If_None_Match=first["etag"])
    assert (status, sent, headers["etag"], headers["vary"]) == (304, b"", first["etag"], "Accept-Encoding")
    assert "content-encoding" not in headers
    assert ask(page, "/live/", Accept_Encoding="gzip", If_None_Match=first["etag"])[0] == 200
    assert ask(page, "/live/", If_None_Match=first["etag"])[0] == 200
    status, sent, headers = ask(page, "/live/", "HEAD", Accept_Encoding="br")
    assert (status, sent, headers["content-encoding"]) == (200, b"", "br")
    assert int(headers["content-length"]) == len(BROTLI)


def test_a_browser_asks_again_before_it_takes_what_it_has(page: Page) -> None:
    assert ask(page, "/live/", Accept_Encoding="br")[2]["cache-control"] == "no-cache"
    assert ask(page, "/")[2]["cache-control"] == "no-cache"


def test_what_isnt_a_copy_in_the_folder_is_never_sent(page: Page) -> None:
    for accepted in ("gzip", "br", "gzip, br"):
        status, sent, headers = ask(page, "/", Accept_Encoding=accepted)
        assert (status, sent) == (200, b"home")
        assert not {"content-encoding", "vary"} & set(headers)


@pytest.mark.parametrize(
    "path",
    [
        "/out.txt", "/index.html.gz", "/../secret.txt", "/%2e%2e/secret.txt", "/live/..%2f..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt", "//secret.txt", "/live/..%5c..%5csecret.txt", "/a.mjs%00.txt", "/" + "a" * 5_000,
        "/%c0%ae%c0%ae/secret.txt", "/%252e%252e/secret.txt", "/%ff",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_folder(page: Page, path: str) -> None:
    for accepted in ("identity", "gzip, br"):
        status, sent, headers = ask(page, path, Accept_Encoding=accepted)
        assert status == 404, sent
        assert b"secret" not in sent
        assert headers["x-content-type-options"] == "nosniff"


def test_a_copy_that_is_asked_for_by_its_name_is_bytes(page: Page) -> None:
    status, sent, headers = ask(page, "/a.mjs.br", Accept_Encoding="br")
    assert (status, sent, headers["content-type"]) == (200, BROTLI, "application/octet-stream")
