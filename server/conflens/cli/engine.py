"""From arguments to an ``Analysis``: the one place of the command line that runs a session.

What the user gave is checked first, so that bad input ends before any work.
"""

from __future__ import annotations

import argparse
import gc
import os

from conflens.cli.main import BadInputError
from conflens.cli.progress import Progress
from conflens.session.analysis import Analysis
from conflens.session.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.policy import summary
from conflens.session.session import open_session


def analyse(arguments: argparse.Namespace) -> Analysis:
    """Scan the project that ``arguments`` name; raise :class:`BadInputError`.

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
        cache=not arguments.no_cache, workers=arguments.workers, settings=settings
    )
    collecting = gc.isenabled()
    gc.disable()  # hardly anything that a scan makes dies before its end
    session = open_session(path, options)
    try:
        with Progress() as progress:
            analysis = session.scan(progress)
    finally:
        session.dispose()
        if collecting:
            gc.enable()
    if not analysis.stats.files:
        reasons = "; ".join(summary(analysis.left_out))
        raise BadInputError(f"no Java files below {path}{f' ({reasons})' if reasons else ''}")
    return analysis


def _specs(spec: str | None) -> tuple[tuple[str, str], ...]:
    if spec is None:
        return ()
    try:
        with open(spec, encoding="utf-8-sig") as file:
            return ((spec, file.read()),)
    except OSError as error:
        raise BadInputError(f"{spec}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"{spec}: is not UTF-8 text") from error
