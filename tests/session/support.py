"""What the tests of this folder share: a session on files in memory, and small Java files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from conflens.base.system import MemorySystem, System
from conflens.models import jdk
from conflens.models.jdk import JdkTable
from conflens.models.load import Models, load_models
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session
from conflens.session.store.cache import Cache

FIXTURES = Path(__file__).parent.parent / "fixtures" / "java"


@cache
def models() -> Models:
    return load_models()


@cache
def table() -> JdkTable:
    return jdk.packaged()


def java(name: str, package: str = "p", body: str = "") -> str:
    """A small class that reads the option ``<package>.<name>``."""
    return (
        f"package {package};\n"
        f"class {name} {{\n"
        f'    int value = Integer.getInteger("{package}.{name}");\n'
        f"    {body}\n"
        f"}}\n"
    )


def session(
    system: System,
    options: SessionOptions | None = None,
    cache: Cache | None = None,
    published: list[Analysis] | None = None,
) -> Session:
    options = options or SessionOptions(cache=False, workers=0)
    note = None if published is None else published.append
    return Session(system, models(), table(), options, note, cache)


def living_and_fresh(steps: Sequence[Mapping[str, str]]) -> Iterator[tuple[Analysis, Analysis]]:
    """Yield what a session says after each step but the first, and what a new one says; a step gives files their texts."""
    first, *more = steps
    system = MemorySystem(first)
    living = session(system)
    living.scan()
    for files in more:
        for path, text in files.items():
            system.write(path, text)
        living.files_changed(list(files))
        yield living.rebuild(), session(system).scan()


def project(*names: str) -> MemorySystem:
    """A project with one small class for each name, in package ``p`` below ``src``."""
    return MemorySystem({f"src/p/{name}.java": java(name) for name in names})


def lowered(session: Session) -> list[str]:
    """The simple names of the files lowered since the last question."""
    names = [path.rpartition("/")[2].removesuffix(".java") for path in session.lowered_files()]
    return sorted(names)
