"""From arguments to an ``Analysis``: the one place of the command line that runs a session.

What the user gave is checked first, so that bad input ends before any work.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
from collections.abc import Iterator

from conflens.base.cancel import CancelToken
from conflens.cli.errors import BadInputError
from conflens.cli.progress import Progress
from conflens.models.workspace import MAX_BYTES
from conflens.session.analysis import Analysis
from conflens.session.inputs.configuration import Settings, unusable
from conflens.session.inputs.policy import summary
from conflens.session.options import SessionOptions
from conflens.session.session import open_session


def analyse(
    arguments: argparse.Namespace, sensitivity: bool = True, token: CancelToken | None = None
) -> Analysis:
    """Scan the project that ``arguments`` name, with verdicts if asked for; raise
    :class:`BadInputError`, and ``Cancelled`` if the token says so.

    A folder without any Java file is bad input too: whoever scans the wrong folder should not
    read that all is well.
    """
    path = arguments.path
    if not os.path.isdir(path):
        reason = "is not a folder" if os.path.exists(path) else "does not exist"
        raise BadInputError(f"{path} {reason}")
    if not os.access(path, os.R_OK | os.X_OK):
        raise BadInputError(f"{path} cannot be read")
    settings = Settings(include_tests=arguments.include_tests, specs=_specs(arguments.spec))
    options = SessionOptions(
        cache=not arguments.no_cache,
        workers=arguments.workers,
        sensitivity=sensitivity,
        settings=settings,
    )
    with uncollected():
        session = open_session(path, options)
        try:
            with Progress() as progress:
                analysis = session.scan(progress, token)
        finally:
            session.dispose()
    if not analysis.stats.files:
        reasons = "; ".join(summary(analysis.left_out))
        raise BadInputError(f"no Java files below {path}{f' ({reasons})' if reasons else ''}")
    return analysis


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector of cycles off: hardly anything that is made meanwhile dies before its end."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _specs(spec: str | None) -> tuple[tuple[str, str], ...]:
    """Read the specification; one that is TOML and wrong in parts is told of by the session."""
    if spec is None:
        return ()
    try:
        with open(spec, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInputError(f"{spec}: {error.strerror or error}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{spec}: is not UTF-8 text") from error
    reason = unusable(spec, text)
    if reason is not None:
        raise BadInputError(reason)
    return ((spec, text),)
