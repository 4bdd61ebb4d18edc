"""Which class of a supertype a simple name means (JLS 8.5): what is not inherited hides nothing."""

from __future__ import annotations

import pytest

from conflens.program.types import JavaType
from options.bound_support import program as joined

OUTER = "package a; public class Part { int size() { return 1; } }\n"
BASE = "package {0}; public {1} Base {{ {2} class Part {{ }} }}\n"


def meant(base: str, user: str = "package a; class User extends {0} { Part part; }\n") -> str:
    """Return the type of a field of a class that extends ``Base``."""
    package = base.partition(";")[0].removeprefix("package ")
    program = joined(OUTER, base, user.replace("{0}", f"{package}.Base"))
    (field,) = (
        program.ref("2.java", number)
        for number, member in enumerate(program.files["2.java"].members)
        if member.name == "part"
    )
    type_ = program.field_type(field)
    assert isinstance(type_, JavaType)
    return type_.name


@pytest.mark.parametrize(
    ("package", "modifiers"),
    [("a", "private"), ("a", "private static"), ("b", ""), ("b", "static")],
)
def test_a_class_that_is_not_inherited_hides_none(package: str, modifiers: str) -> None:
    assert meant(BASE.format(package, "class", modifiers)) == "a.Part"
    deeper = "package a; class Middle extends {0} { } class User extends Middle { Part part; }\n"
    assert meant(BASE.format(package, "class", modifiers), deeper) == "a.Part"


@pytest.mark.parametrize(
    ("package", "modifiers"),
    [("a", ""), ("a", "static"), ("b", "public"), ("b", "protected static")],
)
def test_a_class_that_is_inherited_hides_one_outside(package: str, modifiers: str) -> None:
    assert meant(BASE.format(package, "class", modifiers)) == f"{package}.Base.Part"


def test_a_class_in_an_interface_is_inherited() -> None:
    base = BASE.format("b", "interface", "")
    user = "package a; class User implements {0} { Part part; }\n"
    assert meant(base, user) == "b.Base.Part"
