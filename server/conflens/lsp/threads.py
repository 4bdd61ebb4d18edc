"""Work that takes long, done on a thread of its own while the loop goes on.

Cancelling the request that waits for it cancels the work, and its answer waits until the work has ended: then nothing
that it has started is left.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

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
