"""Where folders get their sessions from: the real file system, or none for files without a folder."""

from __future__ import annotations

from collections.abc import Callable

from conflens.base.system import MemorySystem
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session, open_session

_NICE = 5
"""Workers yield to the editor and to other servers."""


def make_session(path: str | None, publish: Callable[[Analysis], None]) -> Session:
    """Return the session of the folder at ``path``; see ``state.SessionFactory``."""
    if path is not None:
        options = SessionOptions(nice=_NICE, interactive=True, sensitivity=True)
        return open_session(path, options, publish)
    options = SessionOptions(cache=False, workers=0, interactive=True)
    return Session(MemorySystem({}), load_models(), jdk.packaged(), options, publish)


def labels() -> dict[str, str]:
    """Return the words for the domains of options."""
    return {row.domain: row.label for row in load_models().domains}
