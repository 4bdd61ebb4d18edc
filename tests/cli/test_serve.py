"""Which token ``conflens serve`` asks its clients for."""

from __future__ import annotations

import argparse

import pytest

from conflens.cli.arguments import parse
from conflens.cli.tools import serve


def tokens(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[str | None]:
    """The token of a run with TCP, and of one with WebSocket."""
    given: list[str | None] = []

    def listen(host: str, port: int, token: str | None, announce: object) -> int:
        given.append(token)
        return 0

    monkeypatch.setattr(serve, "serve_tcp", listen)
    monkeypatch.setattr(serve, "serve_websocket", listen)
    for transport in ("--tcp", "--ws"):
        chosen: argparse.Namespace = parse(["serve", transport, "localhost:0", *arguments])
        assert serve.run(chosen) == 0
    return given


def test_without_a_given_token_each_run_has_a_random_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONFLENS_TOKEN", raising=False)
    first, second = tokens(monkeypatch)
    assert first and second and first != second and len(first) >= 32


def test_the_environment_and_the_command_line_set_the_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CONFLENS_TOKEN", "from-environment")
    assert tokens(monkeypatch) == ["from-environment"] * 2
    assert tokens(monkeypatch, "--token", "given") == ["given"] * 2
    assert tokens(monkeypatch, "--no-token") == [None] * 2
