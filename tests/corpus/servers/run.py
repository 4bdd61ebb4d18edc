"""Fetch the programs, build their workloads and record runs: good ones, equal ones, and some with one option wrong.

    PYTHONPATH=tests python -m corpus.servers.run FOLDER [--only NAME ...] [--repeat N]

A run is started with all options that are ever set wrong given as system properties, so that a recording holds their
values.  Runs take turns, so that what else the machine does hits all alike.  What is there already is not made again.
What a run took, by the clock and by the processor, is kept in ``times.tsv``; ``--plain`` only takes these times, without
a recording, and ``--costs`` shows what was taken.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

from corpus.servers.programs import PROGRAMS, Program

WORKLOADS = Path(__file__).resolve().parent / "workloads"
GOOD, SAME = "good", "same"
REPEAT = 3
TIMES = "times.tsv"
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_LIMIT = 600


def prepare(program: Program, folder: Path) -> None:
    """Fetch jars and sources, and build the workload; ``folder`` is the program's."""
    if (folder / "ready").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pom.xml").write_text(_pom(program))
    _call(["mvn", "-q", "-B", _COPY, f"-DoutputDirectory={folder / 'lib'}"], folder)
    sources = ["-Dclassifier=sources", "-Dmdep.failOnMissingClassifierArtifact=false"]
    _call(["mvn", "-q", "-B", _COPY, *sources, f"-DoutputDirectory={folder / 'jars'}"], folder)
    for jar in (folder / "jars").glob("*.jar"):
        if jar.name.startswith(program.sources):
            with zipfile.ZipFile(jar) as archive:
                archive.extractall(folder / "src" / jar.stem.removesuffix("-sources"))
    own = folder / "src" / "servers"
    own.mkdir(parents=True, exist_ok=True)
    files = [WORKLOADS / "Settings.java", WORKLOADS / f"{program.main}.java"]
    for file in files:
        shutil.copy(file, own)
    options = ["-nowarn", "-d", str(folder / "classes"), "-cp", str(folder / "lib" / "*")]
    _call(["javac", *options, *map(str, files)], folder)
    (folder / "ready").touch()


def _pom(program: Program) -> str:
    parts = []
    for artifact in program.artifacts:
        group, name, version = artifact.split(":")
        parts.append(
            f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
            f"<version>{version}</version></dependency>"
        )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>corpus</groupId><artifactId>servers</artifactId><version>1</version>"
        f"<dependencies>{''.join(parts)}</dependencies></project>"
    )


def record(program: Program, folder: Path, name: str, number: int, *, plain: bool = False) -> None:
    """Do one run, and record it unless ``plain``; ``name`` is ``good``, ``same`` or the option that is wrong."""
    file = folder / f"{name}-{number}.jfr"
    if file.exists() and not plain:
        return
    given = {wrong.option: wrong.good for wrong in program.wrong}
    given |= {wrong.option: wrong.bad for wrong in program.wrong if wrong.option == name}
    work = folder / "work"
    work.mkdir(exist_ok=True)
    made = folder / "running.jfr"
    command = ["java", "-Xmx512m"]
    if not plain:
        command.append(f"-XX:StartFlightRecording:settings=profile,filename={made}")
    command += [f"-D{option}={value}" for option, value in given.items()]
    command += ["-cp", f"{folder / 'classes'}:{folder / 'lib' / '*'}"]
    clock, processor = time.perf_counter(), _processor()
    _call([*command, f"servers.{program.main}", program.size], work)
    clock, processor = time.perf_counter() - clock, _processor() - processor
    if not plain:
        made.rename(file)
    with (folder / TIMES).open("a", encoding="utf-8") as times:
        times.write(
            f"{name}\t{number}\t{clock:.2f}\t{processor:.2f}\t{'plain' if plain else 'recorded'}\n"
        )


def _processor() -> float:
    """Return the processor time of the processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def costs(folder: Path) -> str:
    """Return what each run of a program took in the middle, and how much more than a good one, as a table."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for line in (folder / TIMES).read_text("utf-8").splitlines():
        name, _, clock, processor, _ = line.split("\t")
        rows.setdefault(name, []).append((float(clock), float(processor)))
    middle = {
        name: tuple(statistics.median(one[at] for one in taken) for at in (0, 1))
        for name, taken in rows.items()
    }
    good = middle[GOOD]
    return "\n".join(
        f"{folder.name:12}{name:40}{len(rows[name]):3} runs"
        f"{clock:7.1f} s ({clock / good[0] - 1:+.0%}){processor:7.1f} s CPU ({processor / good[1] - 1:+.0%})"
        for name, (clock, processor) in middle.items()
    )


def _call(command: Sequence[str], folder: Path) -> None:
    with (folder / "errors.log").open("wb") as errors:
        subprocess.run(
            command,
            cwd=folder,
            check=True,
            timeout=_LIMIT,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Record what is missing."""
    parser = argparse.ArgumentParser(prog="corpus.servers.run")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=[each.name for each in PROGRAMS])
    parser.add_argument("--repeat", type=int, default=REPEAT)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--costs", action="store_true")
    given = parser.parse_args(arguments)
    for program in PROGRAMS:
        if given.only and program.name not in given.only:
            continue
        folder = given.folder.resolve() / program.name
        if given.costs:
            if (folder / TIMES).exists():
                sys.stdout.write(f"{costs(folder)}\n")
            continue
        prepare(program, folder)
        for number in range(1, given.repeat + 1):
            for name in (GOOD, *(wrong.option for wrong in program.wrong), SAME):
                record(program, folder, name, number, plain=given.plain)
                sys.stdout.write(f"{program.name} {name} {number}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
