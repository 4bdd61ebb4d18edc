"""Work that takes long, done on a thread of its own while the loop goes on.

Cancelling the request that waits for it cancels the work, and its answer waits until the work has ended: then nothing
that it has started is left.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

if TYPE_CHECKING:
    from conflens.lsp.state.state import State

_T = TypeVar("_T")


async def in_thread(work: Callable[[], _T], cancel: Callable[[], None] | None = None) -> _T:
    """Return what ``work`` returns or raise what it raises; ``cancel`` is called if the task is cancelled."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(change: Callable[[], None]) -> None:
        def changed() -> None:
            if not future.done():
                change()

        with suppress(RuntimeError):  # the loop has ended, and nobody waits
            loop.call_soon_threadsafe(changed)

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            failure = error
            settle(lambda: future.set_exception(failure))
        else:
            settle(lambda: future.set_result(result))

    threading.Thread(target=run, name="conflens-task", daemon=True).start()
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if cancel is not None:
            cancel()
        with suppress(Exception):
            await future
        raise


class Bar:
    """A progress bar under the token that the client gave with its request, if it gave one."""

    def __init__(self, state: State, token: Any, title: str) -> None:
        """Begin it."""
        self._publisher = state.publisher
        self._loop = state.loop
        self._token: str | int | None = token if isinstance(token, str | int) else None
        self._send(types.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0))

    def told(self, message: Callable[[int, int], str]) -> Callable[[int, int], None]:
        """Return what passes (done, in all) on, from any thread, as ``message`` words it."""

        def tell(done: int, total: int) -> None:
            percentage = min(100, 100 * done // total) if total else None
            report = types.WorkDoneProgressReport(
                message=message(done, total), percentage=percentage, cancellable=True
            )
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._send, report)

        return tell

    def end(self) -> None:
        """End it; nothing is shown any more."""
        self._send(types.WorkDoneProgressEnd())
        self._token = None

    def _send(self, value: object) -> None:
        if self._token is not None:
            self._publisher.bar(self._token, value)
