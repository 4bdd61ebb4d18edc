"""Small Java programs for tests of flows and of what follows from them."""

from __future__ import annotations

from functools import cache

from conflens.facts import ir
from conflens.facts.lower import lower
from conflens.models.jdk import JdkTable, packaged
from conflens.models.load import Models, load_models
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef


@cache
def jdk() -> JdkTable:
    """Return the packaged table, read once."""
    return packaged()


@cache
def models() -> Models:
    """Return the packaged rows, read once."""
    return load_models()


def program(*sources: str) -> Program:
    """Join Java sources named ``A.java``, ``B.java``, …"""
    files = {f"{chr(65 + n)}.java": lower(text.encode()) for n, text in enumerate(sources)}
    return Program.build(files, jdk())


def call(made: Program, name: str) -> tuple[MemberRef, int]:
    """Return the first call of a method, in order of files and members."""
    for path, facts in made.files.items():
        for number in range(len(facts.members)):
            ref = made.ref(path, number)
            for index, instr in enumerate(Context.of(made, ref).code):
                if isinstance(instr, ir.Call) and instr.name == name:
                    return ref, index
    raise AssertionError(f"no call of {name}")


def member(made: Program, name: str) -> MemberRef:
    """Return the first member with a name."""
    for path, facts in made.files.items():
        for number, found in enumerate(facts.members):
            if found.name == name:
                return made.ref(path, number)
    raise AssertionError(f"no member {name}")
