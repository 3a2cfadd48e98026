"""Where the socket stands that recorders come to: whose it may be, and what isn't put out of its way."""

import socket
from contextlib import AbstractContextManager
from pathlib import Path

from bridging import bridge
from engine.live.recorder_wire import is_safe
from pretended import Server, serving
from recording import recorder


def known() -> AbstractContextManager[Server]:
    """A pretended server of the release whose recorder is known."""
    return serving(version='{"version": "0.32.0"}')


def why_none(path: Path) -> str:
    """Why a bridge that was told of `path` has no recorder, in its words."""
    with known() as server, bridge(server.url, recorder_path=path) as page:
        return {lack["what"]: str(lack["why"]) for lack in page.ask("GET", "/api/backend")[1]["lacks"]}["the recorder"]


def test_a_folder_where_others_can_write_is_no_place_for_the_recorders_socket(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    assert not is_safe(shared)
    assert not is_safe(tmp_path / "missing")
    assert "others can write" in why_none(shared / "r")
    shared.chmod(0o1777)
    assert is_safe(shared)


def test_the_recorders_socket_can_be_opened_by_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "private" / "r"
    with serving() as server, bridge(server.url, recorder_path=path) as page:
        page.ask("GET", "/api/backend")
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
    assert not path.exists()


def test_a_file_in_the_sockets_place_stays(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    assert "notes.txt is no socket, and stays as it is; name another place with --recorder" in why_none(notes)
    assert notes.read_text() == "mine"


def test_what_a_killed_bridge_left_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    assert path.is_socket()
    with known() as server, bridge(server.url, recorder_path=path) as page, recorder(page, path):
        assert page.ask("GET", "/api/backend")[1]["kind"] == "recorder"


def test_a_path_that_is_too_long_for_a_socket_is_told_with_the_mend(tmp_path: Path) -> None:
    name = "r" * 120
    told = f"{name}: AF_UNIX path too long; name another place, a short one, with --recorder"
    assert told in why_none(tmp_path / name)
