"""What the tests of verdicts share: sessions that classify, commands that pass for classifiers, a clock."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from conflens.base.system import MemorySystem
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.sensitivity import vocabulary
from conflens.sensitivity.fitting import meaning
from conflens.sensitivity.forest import Forest
from conflens.sensitivity.judge import Judge
from conflens.sensitivity.results import SensitivityTable
from conflens.sensitivity.table import Table, packaged
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session
from conflens.session.sources.files import RealSystem
from conflens.session.verdicts.forests import Forests
from conflens.session.verdicts.judging import Judging
from patience import PATIENCE
from sensitivity.programs import body, varied
from sensitivity.tables import systems, table

A = "src/A.java"
JAVA = body('byte[] b = new byte[Integer.getInteger("x.buffer.size")];')
KEY = ("system-property", "x.buffer.size")
HANGS = (sys.executable, "-c", "import time; time.sleep(9999)")
FAILS = (sys.executable, "-c", "import sys; sys.exit('it is broken')")
KILLED = (sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
WAITS = """
import pathlib, sys, time
sys.stdin.buffer.read()
while not pathlib.Path(sys.argv[2]).exists():
    time.sleep(0.01)
sys.stdout.buffer.write(pathlib.Path(sys.argv[1]).read_bytes())
"""
SMALL = table(*systems("a", "b"))


def answered(forests: Forests) -> Forests:
    assert forests.wait(PATIENCE)
    return forests


def made(training: Table) -> bytes:
    """A forest that passes for one that was fitted from a table."""
    plain = varied()
    return Forest(plain.format, meaning(training), plain.names, plain.trees, plain.slope).write()


def writes(folder: Path, training: Table) -> tuple[tuple[str, ...], Path]:
    """A command that gives a forest once there is a file, and the file."""
    data, go = folder / "made.bin", folder / "go"
    data.write_bytes(made(training))
    return (sys.executable, "-c", WAITS, str(data), str(go)), go


def judged_session(
    system: MemorySystem | RealSystem,
    folder: Path | None,
    published: list[Analysis] | None = None,
    interactive: bool = False,
    now: Callable[[], float] = time.monotonic,
) -> Session:
    options = SessionOptions(cache=False, workers=0, interactive=interactive)
    note = None if published is None else published.append
    return Session(
        system, load_models(), jdk.packaged(), options, note, None, Judging(folder, now)
    )


def of_the_packaged(analysis: Analysis, fitted: Path) -> SensitivityTable:
    """What the forest of the packaged table says."""
    (file,) = fitted.glob("forest-*.bin")
    forest = Forest.read(file.read_bytes(), meaning(packaged()))
    assert forest is not None
    judge = Judge(forest, vocabulary.packaged())
    return judge.judged(analysis.program, analysis.options.options, analysis.flows)


class Clock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds
