"""Variables of templates that the program fills in itself: ``topic.replace("${username}", user)``.

Code that holds the whole reference as a text knows the variable.  What asks a library to resolve a reference
(``resolvePlaceholders("${db.url}")``) reads an option instead: role rows say by which words a call's name begins (``on = ["resolver"]``).
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.models.schema import RoleRow
from conflens.program.program import Program

HINT = "variable"
"""Members that hold a text which starts like a reference (``facts.model.FileFacts.hints``)."""


def variables(program: Program, roles: Iterable[RoleRow]) -> frozenset[str]:
    """Return the names of the variables that code of a program knows."""
    resolves = tuple(row.word for row in roles if "resolver" in row.on)
    found: set[str] = set()
    for path, facts in program.files.items():
        for number in facts.hints.get(HINT, ()) if not is_test_path(path) else ():
            code = program.body(program.ref(path, number)).code
            resolved = {
                arg
                for call in code
                if isinstance(call, ir.Call) and call.name.startswith(resolves)
                for arg in call.args
            }
            found.update(
                instr.value[2:-1]
                for place, instr in enumerate(code)
                if isinstance(instr, ir.Const)
                and place not in resolved
                and instr.value.startswith("${")
                and instr.value.find("}") == len(instr.value) - 1
            )
    return frozenset(found)
