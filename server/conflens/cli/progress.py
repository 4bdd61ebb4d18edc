"""A progress bar on standard error that keeps out of the way.

It appears only on a terminal and only after a second: shorter work needs none (Nielsen's limits), and a
log file wants none.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

_SECONDS = 1.0


class Progress:
    """Called with (files done, files in all), or other parts; a context manager that removes the bar."""

    def __init__(self, text: str = "reading Java files") -> None:
        """Start the clock; ``text`` stands beside the bar."""
        self._text = text
        self._start = time.monotonic()
        self._wanted = sys.stderr.isatty()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` parts are done."""
        if not self._wanted:
            return
        if self._bar is None:
            if time.monotonic() - self._start < _SECONDS:
                return
            self._open()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total or None)

    def __enter__(self) -> Progress:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()

    def _open(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - most runs never show a bar
        from rich.progress import Progress as Bar  # noqa: PLC0415 - most runs never show a bar

        self._bar = Bar(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._text)
        self._bar.start()
