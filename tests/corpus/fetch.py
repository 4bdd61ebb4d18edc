"""Real projects by Maven coordinates: fetched once, unpacked into ``build/corpus/<name>/``.

``projects.toml`` is the list.  A project that is complete has a stamp holding its coordinates, so a
changed list fetches anew and a second call costs one small read.  Unpacking happens beside the final
folder, which then appears by one rename: two processes may fetch the same project at once.

Absent: versions that were not asked for.  When Maven gives none of a project's versions, that is a
:class:`FetchError` with a text for a person, never a silent gap.

``python -m corpus.fetch [NAME ...]`` fetches and prints the folders.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import attrs

HERE = Path(__file__).resolve().parent
HOUSE = HERE.parent.parent
CORPUS = HOUSE / "build" / "corpus"
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
_SECONDS = 600
_NOISE = re.compile(r"\x1b\[[0-9;]*m| in https?://\S+")


class FetchError(RuntimeError):
    """A project cannot be had; the text says why and what to do."""


@attrs.frozen
class Project:
    """One entry of ``projects.toml``."""

    name: str
    artifacts: tuple[str, ...]
    near: tuple[str, ...]
    optional: bool

    @property
    def folder(self) -> Path:
        """Where its sources are once fetched."""
        return CORPUS / self.name

    @property
    def stamp(self) -> Path:
        """The file that says which coordinates ``folder`` holds."""
        return CORPUS / ".stamps" / self.name


def projects() -> dict[str, Project]:
    """Return the list by name."""
    table = tomllib.loads((HERE / "projects.toml").read_text(encoding="utf-8"))
    return {
        entry["name"]: Project(
            entry["name"],
            tuple(entry["artifacts"]),
            tuple(entry.get("near", ())),
            entry.get("optional", False),
        )
        for entry in table["project"]
    }


def fetch(project: Project) -> Path:
    """Return the folder with the sources of ``project``, fetching them when need be."""
    wanted = "\n".join((*project.artifacts, *project.near))
    if project.stamp.is_file() and project.folder.is_dir():
        asked, _, _ = project.stamp.read_text(encoding="utf-8").partition("\n\n")
        if asked == wanted:
            return project.folder
    jars = CORPUS / ".jars"
    jars.mkdir(parents=True, exist_ok=True)
    project.stamp.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{project.name}-", dir=CORPUS) as scratch:
        whole = Path(scratch) / "whole"
        used = []
        for index, artifact in enumerate(project.artifacts):
            coordinates, jar = _jar(artifact, project.near if index == 0 else (), jars)
            used.append(coordinates)
            several = len(project.artifacts) > 1
            unpack(jar, whole / artifact.split(":")[1] if several else whole)
        if project.folder.exists():
            shutil.move(project.folder, Path(scratch) / "old")
        try:
            whole.rename(project.folder)
        except OSError:
            if not project.folder.is_dir():
                raise
    project.stamp.write_text("\n\n".join((wanted, "\n".join(used))) + "\n", encoding="utf-8")
    return project.folder


def binary(coordinates: str) -> Path:
    """Return the jar of ``GROUP:NAME:VERSION`` itself, to be run; fetched when need be."""
    _, name, version = coordinates.split(":")
    jars = CORPUS / ".jars"
    jars.mkdir(parents=True, exist_ok=True)
    jar = jars / f"{name}-{version}.jar"
    if not (jar.is_file() and zipfile.is_zipfile(jar)):
        said = _copy(coordinates, jars, "jar")
        if not (jar.is_file() and zipfile.is_zipfile(jar)):
            raise FetchError(f"Maven could not fetch {coordinates}: {said}")
    return jar


def sources(coordinates: str) -> Path:
    """Return the ``-sources`` jar of ``GROUP:NAME:VERSION``; fetched when need be."""
    jars = CORPUS / ".jars"
    jars.mkdir(parents=True, exist_ok=True)
    return _jar(coordinates, (), jars)[1]


def unpack(jar: Path, target: Path) -> None:
    """Unpack ``jar`` into ``target``; an entry that would leave it is a :class:`FetchError`."""
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(jar) as archive:
        for entry in archive.infolist():
            name = PurePosixPath(entry.filename)
            if name.is_absolute() or ".." in name.parts or "\\" in entry.filename:
                raise FetchError(f"{jar.name} has an entry outside its folder: {entry.filename}")
            place = target.joinpath(*name.parts)
            if entry.is_dir():
                place.mkdir(parents=True, exist_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, place.open("wb") as out:
                shutil.copyfileobj(source, out)


def _jar(artifact: str, near: tuple[str, ...], jars: Path) -> tuple[str, Path]:
    group, name, version = artifact.split(":")
    said = ""
    for candidate in (version, *near):
        jar = jars / f"{name}-{candidate}-sources.jar"
        coordinates = f"{group}:{name}:{candidate}"
        if jar.is_file() and zipfile.is_zipfile(jar):
            return coordinates, jar
        said = _copy(coordinates, jars)
        if jar.is_file() and zipfile.is_zipfile(jar):
            return coordinates, jar
    raise FetchError(
        f"Maven could not fetch the sources of {artifact} (is the machine offline?): {said}"
    )


def _copy(coordinates: str, jars: Path, kind: str = "jar:sources") -> str:
    """Ask Maven to copy an artifact into ``jars``; return what it said when it failed."""
    maven = shutil.which("mvn")
    if maven is None:
        return "there is no `mvn` on PATH"
    command = [maven, "--batch-mode", "--quiet", "-Dstyle.color=never", _COPY]
    command += [f"-Dartifact={coordinates}:{kind}", f"-DoutputDirectory={jars}"]
    try:
        done = subprocess.run(
            command,
            cwd=jars,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
            env={**os.environ, "MAVEN_OPTS": os.environ.get("MAVEN_OPTS", "-Xmx256m")},
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_SECONDS} seconds"
    if done.returncode == 0:
        return ""
    lines = [_NOISE.sub("", line) for line in (done.stdout + done.stderr).splitlines()]
    return next((line for line in lines if "ERROR" in line), "no reason given")[:300]


def main() -> int:
    """Fetch the named projects, or all; return 1 when one that must be there is missing."""
    known = projects()
    status = 0
    for name in sys.argv[1:] or known:
        if name not in known:
            print(f"no project is called {name}: {', '.join(known)}", file=sys.stderr)
            return 2
        try:
            print(fetch(known[name]).relative_to(HOUSE).as_posix())
        except FetchError as error:
            print(error, file=sys.stderr)
            status = status if known[name].optional else 1
    return status


if __name__ == "__main__":
    sys.exit(main())
