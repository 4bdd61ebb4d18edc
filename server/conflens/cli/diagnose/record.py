"""``conflens record``: record a running JVM for a while, into a file that ``conflens diagnose`` reads.

The recording runs on a thread of its own and the signals that end a program only tell it to stop, so that it is
never left behind in the JVM; until it is stopped further signals are ignored, here and in the tools that stop it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

from conflens.base.cancel import Cancelled
from conflens.base.ending_signals import END, INTERRUPT, handled
from conflens.cli.errors import OK, BadInputError
from conflens.cli.output import check_writable, emit_lines
from conflens.cli.progress import Progress
from conflens.diagnosis.report import legible
from conflens.session.snapshots.capture import Capture, CaptureFailure, JavaProcess, java_processes

_WAIT_SECONDS = 0.1
_LISTED = 8


def run(arguments: argparse.Namespace) -> int:
    """List JVMs, or record one."""
    try:
        if arguments.list:
            emit_lines(_row(process) for process in java_processes())
            return OK
        if arguments.process is None:
            raise BadInputError("name the JVM to record (conflens record --list shows them)")
        if arguments.output is not None:
            check_writable(arguments.output)
        process = chosen(arguments.process, java_processes())
        capture = Capture(process.pid, arguments.seconds)
        try:
            file = _recorded(capture)
            output = arguments.output or _free(file.name)
            _keep(file, output)
        finally:
            capture.close()
    except CaptureFailure as failure:
        raise BadInputError(str(failure)) from failure
    emit_lines([f"{arguments.seconds} s of {_row(process)} are in {legible(output)}"])
    return OK


def chosen(named: str, processes: Sequence[JavaProcess]) -> JavaProcess:
    """Return the JVM that a process id or (a part of) a name means; raises :class:`BadInputError`."""
    if named.isascii() and named.isdigit():
        found = [process for process in processes if process.pid == int(named)]
    else:
        found = [process for process in processes if process.name == named]
        if not found:
            lower = named.lower()
            found = [process for process in processes if lower in process.name.lower()]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(map(_row, (found or processes)[:_LISTED]))
    if found:
        raise BadInputError(f"'{named}' could be several: {listed}; name one by its process id")
    known = f"there are {listed}" if processes else "there is none of this user"
    raise BadInputError(f"'{named}' is no JVM that runs; {known}")


def _row(process: JavaProcess) -> str:
    return f"{process.pid} {legible(process.name)}"


def _recorded(capture: Capture) -> Path:
    """Record, and return the file; a signal to end raises ``KeyboardInterrupt`` once the recording is stopped."""
    outcome: list[Path | BaseException] = []
    passed = 0.0
    ended = False

    def tell(seconds: float) -> None:
        nonlocal passed
        passed = seconds

    def work() -> None:
        try:
            outcome.append(capture.run(tell))
        except BaseException as error:  # it is raised where somebody waits for it
            outcome.append(error)

    def end(number: int) -> None:
        nonlocal ended
        ended = True
        capture.cancel()

    thread = threading.Thread(target=work, daemon=True)
    signals = handled((*INTERRUPT, *END), end)
    with signals, Progress(f"recording process {capture.pid} (seconds)") as progress:
        thread.start()
        while thread.is_alive():
            thread.join(_WAIT_SECONDS)
            progress(int(passed), capture.seconds)
    (result,) = outcome
    if ended or isinstance(result, Cancelled):
        raise KeyboardInterrupt
    if isinstance(result, BaseException):
        raise result
    return result


def _free(name: str) -> str:
    """Return the name, or one like it that no file has."""
    stem, suffix = os.path.splitext(name)
    number = 1
    while os.path.exists(name):
        number += 1
        name = f"{stem}-{number}{suffix}"
    return name


def _keep(file: Path, output: str) -> None:
    try:
        shutil.move(file, output)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInputError(f"{output} cannot be written: {reason}") from error
