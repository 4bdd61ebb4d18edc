"""Entry point: the choice of a command, and what ends a process.

Of the project only the arguments are imported here; a command's own imports happen when it is chosen.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from conflens.cli.arguments import parse
from conflens.cli.errors import BAD_INPUT, INTERRUPTED, BadInputError
from conflens.cli.output import guard_errors, warn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    _fill_gaps()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        chosen = parse(arguments)
        command = importlib.import_module(f"conflens.cli.{chosen.module}")
        status = int(command.run(chosen))
    except BadInputError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    return status


def program() -> NoReturn:
    """Run the command line as a process of its own.

    The process ends without taking its objects apart: after a scan that would cost as much as parsing.  For the same reason
    nothing looks for cycles among them; commands that run for long turn that on again.
    """
    status = 1
    gc.disable()
    guard_errors()
    try:
        status = main()
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _fill_gaps() -> None:
    """Stand in for standard streams that were closed by whoever started this process.

    Otherwise the next file to be opened would take their numbers.  What is written to a closed standard output fails, as it
    would without this; where messages go does not matter.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, open(number, mode, encoding="utf-8"))  # noqa: SIM115


def _complain(reason: str) -> int:
    warn(reason)
    return BAD_INPUT
