"""Whether the sources are of something that is started, not only called by others."""

from __future__ import annotations

from conflens.base.paths import is_test_path
from conflens.facts.model import Modifier
from conflens.program.program import Program


def has_main(program: Program) -> bool:
    """Tell whether a class outside of tests has a static ``main``."""
    return any(
        member.name == "main" and member.modifiers & Modifier.STATIC
        for path, facts in program.files.items()
        if not is_test_path(path)
        for member in facts.members
    )
