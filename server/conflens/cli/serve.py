"""``conflens serve``: run the language server until its client leaves."""

from __future__ import annotations

import argparse

from conflens.cli.main import BadInputError
from conflens.lsp.server import serve_stdio, serve_tcp, serve_websocket


def run(arguments: argparse.Namespace) -> int:
    """Serve on the transport that was asked for; return the exit code of the protocol.

    A port that cannot be had, or an address that is not this machine's own, is bad input.
    """
    try:
        if arguments.tcp is not None:
            return serve_tcp(*arguments.tcp)
        if arguments.ws is not None:
            return serve_websocket(*arguments.ws)
        return serve_stdio()
    except OSError as error:
        raise BadInputError(f"cannot serve: {error.strerror or error}") from error
    except ValueError as error:
        raise BadInputError(f"cannot serve: {error}") from error
