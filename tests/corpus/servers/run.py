"""Fetch the programs, build their workloads and record runs: good ones, equal ones, and some with one option wrong.

    PYTHONPATH=tests python -m corpus.servers.run FOLDER [--only NAME ...] [--repeat N]

A run is started with all options that are ever set wrong given as system properties, so that a recording holds their
values.  Runs take turns, so that what else the machine does hits all alike.  What is there already is not made again.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

from corpus.servers.programs import PROGRAMS, Program

WORKLOADS = Path(__file__).resolve().parent / "workloads"
GOOD, SAME = "good", "same"
REPEAT = 3
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


def record(program: Program, folder: Path, name: str, number: int) -> None:
    """Record one run; ``name`` is ``good``, ``same`` or the option that is wrong."""
    file = folder / f"{name}-{number}.jfr"
    if file.exists():
        return
    given = {wrong.option: wrong.good for wrong in program.wrong}
    given |= {wrong.option: wrong.bad for wrong in program.wrong if wrong.option == name}
    work = folder / "work"
    work.mkdir(exist_ok=True)
    made = folder / "running.jfr"
    command = ["java", "-Xmx512m", f"-XX:StartFlightRecording:settings=profile,filename={made}"]
    command += [f"-D{option}={value}" for option, value in given.items()]
    command += ["-cp", f"{folder / 'classes'}:{folder / 'lib' / '*'}"]
    _call([*command, f"servers.{program.main}", program.size], work)
    made.rename(file)


def _call(command: Sequence[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, timeout=_LIMIT, stdout=subprocess.DEVNULL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Record what is missing."""
    parser = argparse.ArgumentParser(prog="corpus.servers.run")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=[each.name for each in PROGRAMS])
    parser.add_argument("--repeat", type=int, default=REPEAT)
    given = parser.parse_args(arguments)
    for program in PROGRAMS:
        if given.only and program.name not in given.only:
            continue
        folder = given.folder.resolve() / program.name
        prepare(program, folder)
        for number in range(1, given.repeat + 1):
            for name in (GOOD, *(wrong.option for wrong in program.wrong), SAME):
                record(program, folder, name, number)
                sys.stdout.write(f"{program.name} {name} {number}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
