"""Run the document store in ``store/`` under JFR: with good settings, and with one setting wrong at a time.

    PYTHONPATH=tests .venv/bin/python -m living.run FOLDER [--repeat N] [--rounds N] [--only NAME ...]

``FOLDER`` receives the recordings and ``runs.json``, which says of each which option was set to what and how
long the run took.  All runs do the same work and must give the same answer.

Terms
    misconfiguration  one option with a value that makes the store slower.
    way               how options are set: ``property``, by ``-D`` on the command line, which a recording
                      holds; or ``file``, in ``conf/store.properties``, which it does not.
    good, same        runs with good settings; ``same`` is a second side for the pair without a change.

Runs take turns (good, every misconfiguration, same, and again), so that what else the machine does hits all
alike, and of several the shortest counts.  A run gets ``PATH`` and ``HOME`` and nothing else of the environment, and all run in
one folder, so that recordings differ in nothing but the settings and the node's name.

Absent: any diagnosis; ``living.score`` does that.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path

import attrs

STORE = Path(__file__).resolve().parent / "store"
ROUNDS = 40
"""Rounds of requests of a run: about four seconds on two cores."""
GOOD = "good"
SAME = "same"
SLOWER = 1.15
"""What a misconfiguration must cost, as a multiple of the good run."""
_LIMIT = 300
_MAIN = "org.example.load.Load"


class Way(StrEnum):
    """See the module's text."""

    PROPERTY = "property"
    FILE = "file"


@attrs.frozen
class Misconfiguration:
    """One option and the value that makes the store slow."""

    name: str
    option: str
    good: str
    bad: str


MISCONFIGURATIONS = (
    Misconfiguration("write-buffer", "store.write.buffer", "65536", "1"),
    Misconfiguration("journal-sync", "store.journal.sync", "false", "true"),
    Misconfiguration("compression", "store.compression.level", "3", "9"),
    Misconfiguration("cache", "store.cache.entries", "8192", "5000"),
    Misconfiguration("workers", "store.workers", "8", "1"),
    Misconfiguration("stripes", "store.lock.stripes", "32", "1"),
    Misconfiguration("batch", "store.batch.size", "64", "8"),
    Misconfiguration("backoff", "store.retry.backoff.millis", "2", "200"),
    Misconfiguration("poll", "store.feed.poll.millis", "5", "500"),
    Misconfiguration("index", "store.index.enabled", "true", "false"),
    Misconfiguration("prefetch", "store.cursor.prefetch", "64", "1"),
    Misconfiguration("checksum", "store.checksum.reads", "false", "true"),
    Misconfiguration("log-level", "store.log.level", "info", "trace"),
    Misconfiguration("admitted", "store.requests.admitted", "4096", "2"),
)


@attrs.frozen
class Run:
    """One run: ``option``, ``good`` and ``bad`` are empty for runs with good settings.

    ``seconds`` on the clock, ``computing`` of all threads: less at the mercy of what else the machine does, and no
    measure of waiting.
    """

    name: str
    way: Way
    number: int
    file: str
    option: str
    good: str
    bad: str
    seconds: float
    computing: float


class LivingError(RuntimeError):
    """The store could not be built or run; the text says why."""


def build(folder: Path) -> Path:
    """Compile the store into ``folder/classes`` with the installed JDK and return that.

    Raises ``LivingError`` without a JDK and if the sources do not compile.
    """
    classes = folder / "classes"
    sources = sorted(str(path) for path in (STORE / "src").rglob("*.java"))
    command = [_tool("javac"), "-encoding", "UTF-8", "-d", str(classes), *sources]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    if done.returncode != 0:
        raise LivingError(f"javac failed:\n{done.stderr}")
    return classes


def record(
    folder: Path,
    wrong: Misconfiguration | None,
    way: Way = Way.PROPERTY,
    *,
    name: str = "",
    number: int = 1,
    rounds: int = ROUNDS,
    node: str = "",
) -> tuple[Run, str]:
    """Run the store of ``folder/classes`` once and return the run and the store's answer; ``node`` is its name, else that
    of the recording.

    The recording is ``folder/NAME-NUMBER.jfr``, or ``NAME-file-NUMBER.jfr``.  Raises ``LivingError`` if the run
    fails, finds its own result to be wrong, or takes longer than five minutes.
    """
    name = name or (wrong.name if wrong else GOOD)
    stem = f"{name}-{number}" if way is Way.PROPERTY else f"{name}-{way}-{number}"
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(STORE / "conf", work / "conf")
    settings = {each.option: each.good for each in MISCONFIGURATIONS}
    if wrong is not None:
        settings[wrong.option] = wrong.bad
    given = [f"-Dstore.node.name={node or stem}"]
    if way is Way.PROPERTY:
        given += [f"-D{option}={value}" for option, value in settings.items()]
    elif wrong is not None:
        with (work / "conf" / "store.properties").open("a", encoding="utf-8") as stream:
            stream.write(f"{wrong.option} = {wrong.bad}\n")
    recording = folder / f"{stem}.jfr"
    command = [
        _tool("java"),
        *given,
        "-Xmx512m",
        "-Xlog:disable",
        f"-XX:StartFlightRecording:settings={STORE / 'recording.jfc'},filename={recording}",
        "-cp",
        str(folder / "classes"),
        _MAIN,
        str(rounds),
    ]
    begin, computed = time.perf_counter(), _computed()
    try:
        done = subprocess.run(
            command,
            cwd=work,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=_LIMIT,
        )
    except subprocess.TimeoutExpired:
        raise LivingError(f"{stem} took longer than {_LIMIT} s") from None
    seconds, computing = time.perf_counter() - begin, _computed() - computed
    shutil.rmtree(work, ignore_errors=True)
    if done.returncode != 0 or not recording.is_file():
        raise LivingError(f"{stem} failed:\n{done.stdout}{done.stderr}")
    option, good, bad = (wrong.option, wrong.good, wrong.bad) if wrong else ("", "", "")
    took = round(seconds, 3), round(computing, 3)
    run = Run(name, way, number, recording.name, option, good, bad, *took)
    return run, done.stdout.strip().splitlines()[-1]


def record_all(
    folder: Path,
    chosen: Sequence[Misconfiguration] = MISCONFIGURATIONS,
    ways: Sequence[Way] = tuple(Way),
    *,
    repeat: int = 3,
    rounds: int = ROUNDS,
) -> list[Run]:
    """Build, run good settings and every misconfiguration ``repeat`` times each way.

    ``runs.json`` is written after each time.  Raises ``LivingError``; also if runs disagree about the answer.
    """
    folder.mkdir(parents=True, exist_ok=True)
    build(folder)
    plan: list[tuple[str, Misconfiguration | None]] = [(GOOD, None)]
    plan += [(each.name, each) for each in chosen]
    plan += [(SAME, None)]
    runs: list[Run] = []
    answers: set[str] = set()
    for number in range(1, repeat + 1):
        for way in ways:
            for name, wrong in plan:
                run, answer = record(folder, wrong, way, name=name, number=number, rounds=rounds)
                runs.append(run)
                answers.add(answer)
                sys.stdout.write(f"{run.seconds:7.2f} s  {run.file}\n")
                sys.stdout.flush()
                if len(answers) != 1:
                    raise LivingError(f"runs disagree: {sorted(answers)}")
        listed = {"rounds": rounds, "answer": answer, "runs": [attrs.asdict(run) for run in runs]}
        text = json.dumps(listed, indent=1)
        (folder / "runs.json").write_text(f"{text}\n", encoding="utf-8")
    return runs


def read_runs(folder: Path) -> list[Run]:
    """Return what ``record_all`` wrote into ``folder``."""
    listed = json.loads((folder / "runs.json").read_text(encoding="utf-8"))
    return [Run(**{**entry, "way": Way(entry["way"])}) for entry in listed["runs"]]


def shortest(runs: Iterable[Run], name: str) -> float:
    """Return the seconds of the shortest run of that name; raise ``ValueError`` if there is none."""
    return min(run.seconds for run in runs if run.name == name)


def table(runs: Sequence[Run]) -> str:
    """Return seconds, on the clock and computing, by misconfiguration and way, against all good runs of the way."""
    head = ("", "way", "good", "bad", "times", "computing", "")
    lines = ["{:14}{:10}{:>7}{:>7}{:>7}{:>16}  every run{}".format(*head)]
    for way in Way:
        here = [run for run in runs if run.way is way]
        good = [run for run in here if not run.option]
        for name in dict.fromkeys(run.name for run in here):
            bad = [run for run in here if run.name == name]
            before, after = (min(run.seconds for run in side) for side in (good, bad))
            work = [min(run.computing for run in side) for side in (good, bad)]
            every = " ".join(f"{run.seconds:.2f}" for run in bad)
            note = "  NOT SLOWER" if bad[0].option and after < SLOWER * before else ""
            lines.append(
                f"{name:14}{way:10}{before:7.2f}{after:7.2f}{after / before:7.2f}"
                f"{work[0]:8.2f}{work[1]:8.2f}  {every}{note}"
            )
    return "\n".join(lines)


def _computed() -> float:
    """Return the seconds that the processes ended so far have computed."""
    times = os.times()
    return times.children_user + times.children_system


def _tool(name: str) -> str:
    """Return ``javac`` or ``java`` of ``JAVA_HOME``, else of ``PATH``."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(name, path=str(Path(home, "bin"))) if home else None
    found = found or shutil.which(name)
    if found is None:
        raise LivingError(f"no {name}: a JDK 17 or newer must be on PATH or in JAVA_HOME")
    return found


def _environment() -> dict[str, str]:
    """Return all that a run sees of the environment, so that recordings hold no secrets."""
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


def main(arguments: Sequence[str] | None = None) -> int:
    """Record what the command line asks for; return 1 if it fails or a misconfiguration is not slower."""
    parser = argparse.ArgumentParser(prog="living.run", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each kind (default 3)")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"rounds of a run (default {ROUNDS})"
    )
    parser.add_argument("--way", type=Way, choices=list(Way), action="append")
    parser.add_argument("--only", nargs="+", choices=[each.name for each in MISCONFIGURATIONS])
    given = parser.parse_args(arguments)
    chosen = [each for each in MISCONFIGURATIONS if not given.only or each.name in given.only]
    ways = given.way or list(Way)
    try:
        runs = record_all(
            given.folder.resolve(), chosen, ways, repeat=given.repeat, rounds=given.rounds
        )
    except LivingError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    text = table(runs)
    sys.stdout.write(f"{text}\n")
    return 1 if "NOT SLOWER" in text else 0


if __name__ == "__main__":
    sys.exit(main())
