"""Small Java programs for the tests of declared options."""

from functools import cache

from conflens.facts.lower import lower
from conflens.models.jdk import JdkTable, packaged
from conflens.models.load import Models, load_models
from conflens.options.binding import binding as bound
from conflens.options.constant_arguments import library_types
from conflens.options.declared import annotations, definitions
from conflens.options.sites import Found
from conflens.program.program import Program
from conflens.program.values import Values


@cache
def models() -> Models:
    return load_models()


@cache
def jdk() -> JdkTable:
    return packaged()


def program(*sources: str) -> Program:
    """Join sources; each file is called after its place: ``0.java``, ``1.java``."""
    files = {f"{number}.java": lower(text.encode()) for number, text in enumerate(sources)}
    return Program.build(files, jdk(), library_types(models()))


def annotated(*sources: str) -> list[Found]:
    """Return the annotated options of all sources."""
    joined = program(*sources)
    values = Values(joined, models())
    return [
        found
        for path in joined.files
        for found in annotations.find(joined, models(), values, path)
    ]


def defined(*sources: str) -> list[Found]:
    """Return the defined options of all sources."""
    joined = program(*sources)
    values = Values(joined, models())
    return [
        found
        for path in joined.files
        for found in definitions.find(joined, models(), values, path)
    ]


def bound_options(*sources: str) -> list[Found]:
    """Return the options of bound classes."""
    joined = program(*sources)
    return bound.find(joined, models(), Values(joined, models()))


def named(founds: list[Found]) -> dict[str, str | None]:
    """Return names with their defaults."""
    return {found.name: found.default for found in founds}


def only(founds: list[Found]) -> Found:
    """Return the single finding."""
    assert len(founds) == 1, [found.name for found in founds]
    return founds[0]


def shown(found: Found, *sources: str) -> str:
    """Return the source text at a finding's place."""
    text = sources[int(found.path.partition(".")[0])].encode()
    return text[found.at : found.end].decode()
