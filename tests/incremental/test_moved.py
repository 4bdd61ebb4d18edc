"""Two versions of a body laid side by side: what is matched, what lies in the gap, and what tells others."""

from __future__ import annotations

import msgspec
import pytest

from conflens.facts import ir
from conflens.options.incremental.body_diff import (
    BOUNDS,
    OFFSETS,
    PARTS,
    SLOTS,
    TEXTS,
    VALUES,
    Shift,
)
from incremental.tracing import Edited

CLASS = """package p;
class A {{
    int held;
    boolean on = Boolean.getBoolean("a.on");
    int get() {{
        {getter}
    }}
    void m(java.util.List<String> list, A other) {{
        {body}
    }}
}}
"""
BODY = "if (on) { list.add(null); Thread.yield(); } other.held = 1;"


def test_every_field_of_every_instruction_is_classified() -> None:
    kinds = [*ir.Instr.__args__, ir.Case, ir.Catch]  # type: ignore[attr-defined]
    groups = (SLOTS, VALUES, BOUNDS, PARTS, OFFSETS, TEXTS)
    for kind in kinds:
        for name in kind.__struct_fields__:
            if not (kind is ir.Const and name == "value"):
                assert sum(name in group for group in groups) == 1, (kind, name)


def test_fields_classified_as_numbers_are_numbers() -> None:
    for kind in (*ir.Instr.__args__, ir.Case, ir.Catch):  # type: ignore[attr-defined]
        for field in msgspec.structs.fields(kind):
            if kind is ir.Const and field.name == "value":
                continue
            if field.name in SLOTS | VALUES | BOUNDS:
                assert field.type in (int, tuple[int, ...]), (kind, field.name)
            elif field.name in TEXTS:
                assert field.type in (str, bool, tuple[str, ...]) or field.name in ("body", "up")


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (BODY, f"int a = 1; {BODY}", True),
        (f"int a = 1; int b = a; {BODY}", f"int b = 1; {BODY}", True),
        (BODY, BODY.replace("null", '"x"'), False),
        (BODY, BODY.replace("= 1", "= 2"), True),
        (BODY, f"String s = list.toString(); {BODY}", True),
        (BODY, f"list.clear(); {BODY}", False),
        (BODY, f"held = 3; {BODY}", False),
        (BODY, f"this.get(); {BODY}", False),
        (BODY, f"byte[] b = new byte[list.size()]; {BODY}", False),
        (BODY, f"return; {BODY}", False),
        (f"var a = 1; {BODY}", f'var a = "x"; {BODY}', False),
        (f"int n = 2; byte b = 1; {BODY}", f"int a = 1; int n = 2; byte b = 1; {BODY}", True),
        (f"int a = 1; int n = 2; byte b = 1; {BODY}", f"int n = 2; byte b = 1; {BODY}", True),
    ],
)
def test_inert_and_other_changes(old: str, new: str, kept: bool) -> None:
    getter = "return held;"
    program = Edited({"p/A.java": CLASS.format(getter=getter, body=old)})
    traced = program.edit("p/A.java", CLASS.format(getter=getter, body=new))
    assert traced.program.memo is program.program.memo
    assert traced.table == program.fresh()
    assert traced.table.options
    assert (traced.redone == frozenset()) is kept


SETTLED = """package p;
class A {{
    void m() {{
        run(Integer.getInteger("a.size"), false);
    }}
    static void run(int size, boolean quick) {{
        {first}
        if (quick) {{
            {idle}
            return;
        }}
        Thread.yield();
        {last}
        byte[] made = new byte[size];
    }}
}}
"""


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ({}, {"first": "int a = 1;"}, True),
        ({"last": "int b = 1;"}, {}, True),
        ({}, {"first": "quick = true;"}, False),
        ({}, {"last": "if (size > 3) { return; }"}, False),
    ],
)
def test_changes_of_a_body_of_which_a_part_never_runs(
    old: dict[str, str], new: dict[str, str], kept: bool
) -> None:
    empty = {"first": "", "idle": "", "last": ""}
    program = Edited({"p/A.java": SETTLED.format(**(empty | old))})
    traced = program.edit("p/A.java", SETTLED.format(**(empty | new)))
    assert traced.table == program.fresh()
    assert traced.table.options
    assert (traced.redone == frozenset()) is kept


def test_shifts_of_one_place_are_merged() -> None:
    first, second = Shift(3, 3, 2), Shift(4, 5, 3)
    (both,) = first.then(second)
    assert [both.of(index) for index in range(-1, 6)] == [-1, 0, 1, 2, 8, 9, 10]
    apart = first.then(Shift(7, 7, 1))
    assert apart == (first, Shift(7, 7, 1))
