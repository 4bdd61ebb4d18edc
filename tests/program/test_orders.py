"""What is found out about a program does not depend on what was asked before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conflens.facts import ir
from conflens.flow.library import Library
from conflens.flow.rows import Rows
from conflens.flow.transfer import Transfer
from conflens.flow.uses import Uses
from conflens.options.cuts import Cut
from conflens.options.roles import Role, Roles
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType
from conflens.program.values import Values
from flow.support import member, models, program

LINKS = 300

METHODS = """
  A next() { return this; }
  A over(int one, A two) { return two; }
  A over(int one, String two) { return null; }
"""


def _chain(link: str) -> str:
    """A method that assigns locals without a type, each made of the one before."""
    made = " ".join(f"var a{one + 1} = {link.replace('@', f'a{one}')};" for one in range(LINKS))
    return f"class A {{ {METHODS} void m(boolean c) {{ var a0 = new A(); {made} }} }}"


def _types(source: str, order: Callable[[list[int]], list[int]]) -> list[JavaType | None]:
    made = program(source)
    context = Context.of(made, member(made, "m"))
    values = list(range(len(context.code)))
    for value in order(values):
        context.type_of(value)
    return [context.type_of(value) for value in values]


def _backwards(values: list[int]) -> list[int]:
    return values[::-1]


@pytest.mark.parametrize(
    "link",
    [
        "@.next()",
        "c ? @ : null",
        "c ? null : @",
        "over(3, @)",
        "(A[]) null == null ? @ : @.next()",
    ],
)
def test_types_of_locals_made_of_each_other(link: str) -> None:
    source = _chain(link)
    forwards = _types(source, list)
    assert forwards.count(JavaType("A")) > LINKS
    assert _types(source, _backwards) == forwards


FIELDS = """
class A {
  Source settings; Source one; Source two; Source three; Source four; Source five;
  A(Source config, Source other) {
    settings = one; one = two; two = settings; three = config; two = three; four = two; five = four; settings = other;
  }
  void local(Source config) {
    Source a = config; Source b = a; Source c = b; Source d = c; Source e = d; Source f = e; a = f; one = e; f = two;
  }
  void use() { one.get("k"); two.get("k"); three.get("k"); four.get("k"); five.get("k"); settings.get("k"); }
}
class Source { String get(String name) { return name; } }
"""


def _no_line(context: Context, cut: Cut) -> bool:
    return False


def _loads(made: Program) -> list[tuple[MemberRef, int]]:
    refs = [made.ref("A.java", number) for number in range(len(made.files["A.java"].members))]
    return [
        (ref, value)
        for ref in refs
        for value, instr in enumerate(Context.of(made, ref).code)
        if isinstance(instr, ir.Load | ir.Name)
    ]


def test_roles_of_fields_that_are_given_each_other() -> None:
    made = program(FIELDS)
    values = _loads(made)

    def roles(asked: list[tuple[MemberRef, int]]) -> dict[tuple[MemberRef, int], Role]:
        judge = Roles(made, models(), Values(made, models()), _no_line)
        return {place: judge.of(Context.of(made, place[0]), place[1]) for place in asked}

    alone = {place: roles([place])[place] for place in values}
    assert roles(values) == roles(values[::-1]) == alone
    assert len(set(alone.values())) > 1


KEYED = """
import java.util.*;
class A {
  Map<String, String> map = new HashMap<>();
  void one(String a) { two(a); }
  void two(String b) { three(b); }
  void three(String c) { four(c); }
  void four(String d) { map.get(d); }
}
"""


def test_the_parameters_that_name_cells() -> None:
    made = program(KEYED)
    names = ["one", "two", "three", "four"]
    values = Values(made, models())
    rows = Rows(made, models())

    def keyed(asked: list[str]) -> dict[str, frozenset[int]]:
        uses = Uses(made, models(), values, rows)
        library = Library(rows, Transfer(rows, values), None, uses.code)  # type: ignore[arg-type]
        return {name: library.keyed(member(made, name)) for name in asked}

    alone = {name: keyed([name])[name] for name in names}
    assert keyed(names) == keyed(names[::-1]) == alone
    assert alone["two"] and not alone["one"]
