"""Whoever keeps a result asks through `program.asking` who uses a name, so that the result is made again when that changes."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "server" / "conflens"

UNKEPT = {
    "options/binding/loads.py": "a body that calls a method is looked at again when one of its name is declared otherwise",
    "options/binding/members.py": "what is bound is found again when declarations differ",
    "options/binding/never_read.py": "where options begin is found again after every edit",
    "options/binding/rules.py": "what is bound is found again when declarations differ",
    "options/conflicts.py": "conflicts are found again after every edit",
    "options/reads/named_accessors.py": "accessors are found again when declarations differ",
    "options/reads/wrappers.py": "the index of wrappers is made again after every edit",
    "options/declared/deprecation.py": "what calls supersede is found again after every edit",
    "options/incremental/body_diff.py": "two programs are compared",
    "options/incremental/flow_analysis.py": "two programs are compared",
    "options/learned/learner.py": "each file is learned from by its content",
    "program/assignments.py": "it is patched from one program to the next; who asks it notes the name",
    "program/surfaces.py": "two programs are compared",
}
"""Modules that ask a program who uses a name, and why nothing that rests on the answer can be stale."""


def _asked_directly(tree: ast.AST) -> list[int]:
    """The lines on which somebody other than `asking` is asked for the users of a name, or for what overrides a method."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("users", "mentions", "overriders", "overridden")
        and ast.unparse(node.value).split(".")[-1].lstrip("_")
        in ("program", "before", "after", "previous")
    ]


@pytest.mark.parametrize("folder", ["options", "program"])
def test_who_uses_a_name_is_asked_where_it_is_noted(folder: str) -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): lines
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        if path.name != "asking.py"
        and (lines := _asked_directly(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert set(found) == {path for path in UNKEPT if path.startswith(folder)}, found


def test_the_check_sees_calls_and_references_to_the_method() -> None:
    tree = ast.parse("a = self._program.users('x')\nb = map(program.mentions, names)\n")
    assert _asked_directly(tree) == [1, 2]
    assert (
        _asked_directly(ast.parse("a = values.asking.users('x')\nb = table.users(facts)\n")) == []
    )
