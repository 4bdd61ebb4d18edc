"""A lock for what other threads may look at while it is replaced."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager


def new_lock() -> AbstractContextManager[object]:
    """Return a lock that a thread which has it may take again."""
    return threading.RLock()
