"""Operations of small Java programs, as texts."""

from __future__ import annotations

from conflens.flow.code import Code
from conflens.flow.rows import Rows
from conflens.models.load import Models, merge
from conflens.models.workspace import parse_workspace
from conflens.operations.find import Found, Operations
from conflens.program.library import LibraryType
from conflens.program.program import Program
from flow.support import jdk, models, program


def operations(made: Program, rows: Models | None = None) -> Operations:
    """Return the operations of a program by the packaged rows, or by others."""
    rows = rows or models()
    return Operations(made, rows, Rows(made, rows))


def every(made: Program, rows: Models | None = None) -> list[tuple[str, Found]]:
    """Return all operations with the names of the members they are in."""
    ops = operations(made, rows)
    return [
        (made.member(ref).name, found)
        for path, facts in made.files.items()
        for ref in (made.ref(path, number) for number in range(len(facts.members)))
        for found in ops.in_body(Code(made, ref))
    ]


def texts(*sources: str, rows: Models | None = None) -> list[str]:
    """Return ``member: kind api`` for all operations of Java sources."""
    return [f"{name}: {found.kind} {found.api}" for name, found in every(program(*sources), rows)]


def body(code: str, imports: str = "", params: str = "") -> list[Found]:
    """Return the operations of a method's statements."""
    wanted = "".join(f"import {name};" for name in imports.split())
    made = with_libraries(
        f"{wanted} class A {{ int n; void m({params}) throws Exception {{ {code} }} }}"
    )
    return [found for name, found in every(made) if name == "m"]


def apis(code: str, imports: str = "", params: str = "") -> list[str]:
    """Return ``kind api`` for the operations of a method's statements."""
    return [f"{found.kind} {found.api}" for found in body(code, imports, params)]


def with_libraries(*sources: str) -> Program:
    """Join sources with what rows say of libraries."""
    made = program(*sources)
    library = {row.type: LibraryType(row.supers, row.returns) for row in models().libraries}
    return Program.build(made.files, jdk(), library)


def spec(text: str) -> Models:
    """Return the packaged rows and those of a workspace file."""
    model, problems = parse_workspace(".conflens.toml", text)
    assert problems == ()
    return merge(models(), model)
