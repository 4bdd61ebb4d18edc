"""How request handlers are declared, and the one wrapper around them.

A handler is a plain function of the server's state and the parameters, in a file of its own
family.  Its kind says how it runs:
  ``view``     answers from the analysis of the text the request was made on, if that comes within
               a moment; on a position outside of the stretch that is being edited at once; it may be a coroutine
               that gives its turn up between its steps;
  ``state``    needs no document and answers at once from whatever analyses there are;
  ``command``  as ``state``, but run by ``workspace/executeCommand`` with a list of arguments;
  ``task``     is a coroutine that has something long done elsewhere; cancelling the request cancels it.
All kinds but the last are cheap, run on the loop in turns (``turns``), hold no state, and may be retried.  Nothing they raise
reaches the client unanswered: our cancellation becomes the protocol's.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled

from conflens.base.cancel import Cancelled
from conflens.lsp.state import State
from conflens.lsp.wire.messages import plain
from conflens.lsp.workspace.view import View

logger = logging.getLogger(__name__)


class Kind(StrEnum):
    """How a handler runs; see the module text."""

    VIEW = "view"
    STATE = "state"
    COMMAND = "command"
    TASK = "task"


@attrs.frozen
class Request:
    """A handler as declared."""

    method: str
    kind: Kind
    run: Callable[[Any, Any, Any], Any]
    options: object


def on_view(
    method: str, options: object = None
) -> Callable[[Callable[[State, View, Any], Any]], Request]:
    """Declare a handler ``(state, view, params) -> result`` of a request on a document."""
    return lambda run: Request(method, Kind.VIEW, run, options)


def on_state(
    method: str, options: object = None
) -> Callable[[Callable[[State, None, Any], Any]], Request]:
    """Declare a handler ``(state, None, params) -> result`` of a request on no document."""
    return lambda run: Request(method, Kind.STATE, run, options)


def on_command(name: str) -> Callable[[Callable[[State, None, list[object]], Any]], Request]:
    """Declare a handler ``(state, None, arguments) -> result`` of a command of the server."""
    return lambda run: Request(name, Kind.COMMAND, run, None)


def on_task(
    method: str,
) -> Callable[[Callable[[State, Any], Awaitable[Any]]], Request]:
    """Declare a coroutine ``(state, params) -> result`` of a request that takes long."""
    return lambda run: Request(
        method, Kind.TASK, lambda state, _, params: run(state, params), None
    )


def handler_of(request: Request, state: Callable[[], State]) -> Callable[[Any], Awaitable[Any]]:
    """Return what pygls calls; without an analysis yet the answer is empty (``None``)."""

    async def handle(params: Any) -> Any:
        try:
            if request.kind is Kind.TASK:
                return plain(await request.run(state(), None, params))
            here = state()
            await here.turns.mine()
            if request.kind is not Kind.VIEW:
                return plain(request.run(here, None, params))
            position = getattr(params, "position", None)
            view = await here.view(params.text_document.uri, position)
            if view is None:
                return None
            found = request.run(here, view, params)
            return plain(await found if inspect.isawaitable(found) else found)
        except Cancelled:
            raise JsonRpcRequestCancelled("the work was cancelled") from None
        except JsonRpcException:
            raise
        except Exception:
            logger.exception("%s failed", request.method)
            text = f"{request.method} failed; the log has the details"
            code = types.ErrorCodes.InternalError.value
            raise JsonRpcException(text, code) from None

    return handle
