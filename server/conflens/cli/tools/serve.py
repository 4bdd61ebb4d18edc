"""``conflens serve``: run the language server until its client leaves.

On TCP and WebSocket the client must present a token.  It is random and printed, unless ``--token`` or
the environment (``CONFLENS_TOKEN``, which other users of the machine cannot see in the list of
processes) gives one.
"""

from __future__ import annotations

import argparse
import gc
import os
import secrets

from conflens.cli.errors import BadInputError
from conflens.cli.output import emit_lines
from conflens.lsp.server import serve_stdio, serve_tcp, serve_websocket

_TOKEN = "CONFLENS_TOKEN"
_TOKEN_BYTES = 24


def run(arguments: argparse.Namespace) -> int:
    """Serve on the transport that was chosen; return the exit code of the protocol.

    A port that cannot be had, or an address that is not this machine's own, is bad input.
    """
    gc.enable()
    try:
        if arguments.tcp is not None:
            host, port = arguments.tcp
            return serve_tcp(host, port, _token(arguments), _announce)
        if arguments.ws is not None:
            host, port = arguments.ws
            return serve_websocket(host, port, _token(arguments), _announce)
    except OSError as error:
        raise BadInputError(f"cannot serve: {error.strerror or error}") from error
    except ValueError as error:
        raise BadInputError(f"cannot serve: {error}") from error
    if arguments.token is not None or arguments.no_token:
        raise BadInputError("--token and --no-token need --tcp or --ws")
    return serve_stdio()


def _token(arguments: argparse.Namespace) -> str | None:
    if arguments.no_token:
        return None
    token: str | None = arguments.token
    if token is None:
        token = os.environ.get(_TOKEN) or secrets.token_urlsafe(_TOKEN_BYTES)
    if not token:
        raise BadInputError("the token is empty; --no-token serves without one")
    return token


def _announce(line: str) -> None:
    emit_lines([line])
