"""How long tests wait, and how they do.

No test looks at a clock: it waits ``until`` what it expects is so, or counts what was done.  ``PATIENCE`` only ends a test that
waits for what never comes.  It is generous, grows with the load of the machine, and is the one number of its kind;
``CONFLENS_TEST_PATIENCE`` sets it.  How cost grows is a ratio of CPU times, and the best of many tries counts (``proportion``).

The server has limits of its own: a request waits 0.15 s for the analysis of the text that it asks about and is then answered
from an older one.  On a slow machine that gives other answers.  ``raise_limits`` sets them to ``PATIENCE``: in the process of the
tests (``conftest``), and in servers that are started as ``python -m patience serve --stdio`` instead of ``-m conflens``.
A test of such a limit sets it itself: by ``monkeypatch``, for a server in ``CONFLENS_TEST_LIMITS`` (``chosen``).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module

PATIENCE = float(
    os.environ.get("CONFLENS_TEST_PATIENCE")
    or 120 * min(5.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
)
"""Seconds."""

LIMITS = (
    ("conflens.lsp.state", "FRESH_SECONDS"),
    ("conflens.lsp.notifications.configuration", "_PULL_SECONDS"),
    ("conflens.lsp.requests.rename", "WAIT_SECONDS"),
    ("conflens.lsp.server", "_STOP_SECONDS"),
    ("conflens.lsp.server", "_DRAIN_SECONDS"),
    ("conflens.lsp.wire.sockets", "_FIRST_SECONDS"),
    ("conflens.session.snapshots.capture", "TOOL_SECONDS"),
    ("conflens.session.snapshots.snapshots", "STOP_SECONDS"),
    ("conflens.session.store.cache", "_BUSY_SECONDS"),
    ("conflens.session.verdicts.forests", "SECONDS"),
    ("conflens.session.workers.pool", "_START_SECONDS"),
)
"""Modules, and their constants that say for how many seconds something is waited for."""


_CHOSEN = "CONFLENS_TEST_LIMITS"


def raise_limits() -> None:
    """Set every limit on waiting to ``PATIENCE``, and what the environment chooses to that."""
    for module, name in LIMITS:
        _set(module, name, PATIENCE)
    for path, seconds in json.loads(os.environ.get(_CHOSEN, "{}")).items():
        module, _, name = path.rpartition(".")
        _set(module, name, seconds)


def _set(module: str, name: str, seconds: float) -> None:
    found = import_module(module)
    assert isinstance(getattr(found, name), float), f"{module} has no seconds {name}"
    setattr(found, name, seconds)


def chosen(limits: Mapping[str, float]) -> dict[str, str]:
    """Return what the environment of a server says so that constants (``module.NAME``) are set in it."""
    return {_CHOSEN: json.dumps(dict(limits))} if limits else {}


def until(there: Callable[[], object], what: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end, f"after {PATIENCE:.0f} s it is not so: {what}"
        time.sleep(0.01)


def proportion(large: Callable[[], object], small: Callable[[], object], limit: float) -> float:
    """Return how many times the CPU time of ``small`` ``large`` takes; looks again while that is above ``limit``.

    Whatever else runs can only make a try dearer, so the cheapest of each is nearest to the truth.
    """
    much = little = float("inf")
    for _ in range(30):
        much, little = min(much, _spent(large)), min(little, _spent(small))
        if much < limit * little:
            break
    return much / little


def _spent(run: Callable[[], object]) -> float:
    begun = time.thread_time()
    run()
    return time.thread_time() - begun


if __name__ == "__main__":
    raise_limits()
    sys.exit(import_module("conflens.cli.main").program())
