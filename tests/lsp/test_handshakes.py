"""Which WebSocket handshakes are refused: malformed ones are, as those of foreign pages."""

from __future__ import annotations

import pytest

from conflens.lsp.wire.sockets import refused

PATH, HOST = "/?token=known", "127.0.0.1:80"


@pytest.mark.parametrize(
    "origin",
    ["http://localhost", "https://localhost:3000", "http://127.0.0.1:80", "HTTP://[::1]:1"],
)
def test_pages_of_this_machine_are_let_in(origin: str) -> None:
    assert refused(PATH, "known", [HOST], [origin]) is None
    assert refused(PATH, "known", [origin.partition("//")[2]], []) is None


@pytest.mark.parametrize(
    "host",
    ["[x", "[::1", "[::1].evil.com", "evil.com\\@localhost", "evil.com@localhost", "localhost:80:x",
     "127.0.0.1:80.evil.com", "0177.0.0.1", "[::ffff:1.2.3.4]", "localhost#x", ""],
)  # fmt: skip
def test_anything_around_a_host_is_foreign(host: str) -> None:
    assert "Host" in (refused(PATH, "known", [host], []) or "")
    assert "Origin" in (refused(PATH, "known", [HOST], [f"http://{host}"]) or "")


@pytest.mark.parametrize(
    "path", ["http://[::1?token=", "//[?token=x", "/", "/?token=known&token=known"]
)
def test_a_path_without_the_token_is_refused(path: str) -> None:
    assert "token" in (refused(path, "known", [HOST], []) or "")
