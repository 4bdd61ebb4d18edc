"""What an expression is found to be does not depend on who asked first, nor on how deep it was asked."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from session.support import session


def _user(name: str, asked: str) -> str:
    return f"package p; class {name} {{ void m() {{ /**/ Integer.getInteger({asked}, 3); }} }}"


def _constants(count: int) -> str:
    rest = "".join(
        f'static final String C{one} = C{one - 1} + ".c{one}"; ' for one in range(1, count + 1)
    )
    return f'package p; class C {{ static final String C0 = "c0"; {rest} }}'


def _methods(count: int) -> str:
    rest = "".join(
        f'static String c{one}() {{ return c{one - 1}() + ".c{one}"; }} '
        for one in range(1, count + 1)
    )
    return f'package p; class C {{ static String c0() {{ return "c0"; }} {rest} }}'


CIRCLE = (
    'package p; class C { static String x(boolean b) { return b ? "p" : y(b); }'
    ' static String y(boolean b) { return b ? "q" : x(b); } }'
)
FIELDS = (
    'package p; class C { static final String X = "p" + C.Y; static final String Y = "q" + C.X; }'
)


@pytest.mark.parametrize("edited", ["A", "B"])
@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        (_constants(14), "C.C14", "C.C10"),
        (_constants(30), "C.C30", "C.C20"),
        (_methods(14), "C.c14()", "C.c10()"),
        (CIRCLE, "C.x(true)", "C.y(true)"),
        (FIELDS, "C.X", "C.Y"),
    ],
    ids=["constants", "many constants", "methods", "methods in a circle", "fields in a circle"],
)
def test_after_an_edit_names_are_those_of_a_new_session(
    code: str, one: str, other: str, edited: str
) -> None:
    texts = {"p/C.java": code, "p/A.java": _user("A", one), "p/B.java": _user("B", other)}
    system = MemorySystem(dict(texts))
    living = session(system)
    living.scan()
    path = f"p/{edited}.java"
    system.write(path, texts[path].replace("/**/", "int more = 1;"))
    living.files_changed([path])
    assert living.rebuild().options == session(system).scan().options


def test_a_name_is_the_same_in_whatever_order_files_are_read() -> None:
    def names(first: str, second: str) -> list[str]:
        texts = {
            "p/C.java": _constants(14),
            "p/A.java": _user("A", first),
            "p/B.java": _user("B", second),
        }
        found = session(MemorySystem(texts)).scan().options.options
        return sorted(option.name for option in found)

    assert names("C.C14", "C.C10") == names("C.C10", "C.C14")
