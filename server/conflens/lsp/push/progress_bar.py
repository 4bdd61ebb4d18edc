"""The progress bar of a request that takes long (``threads``)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lsprotocol import types

from conflens.lsp.push.publisher import Publisher


class Bar:
    """A progress bar under the token that the client gave with its request, if it gave one."""

    def __init__(self, publisher: Publisher, token: Any, title: str) -> None:
        """Begin it."""
        self._publisher = publisher
        self._loop = publisher.loop
        self._token: str | int | None = token if isinstance(token, (str, int)) else None
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
