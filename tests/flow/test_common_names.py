"""Fields and methods of one name in many classes: the work grows with the classes, not with their square."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.facts.lower import lower
from conflens.flow.engine import Engine
from conflens.flow.rows import Rows
from conflens.flow.walk_types import USERS
from conflens.operations.find import Operations
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from flow.support import jdk, models
from session.support import session
from steps import steps

FIELDS = """package p;
public class C{n} {{
  int size; String name;
  C{n}() {{ size = Integer.getInteger("c{n}.size", 10); this.name = System.getProperty("c{n}.name"); }}
  void run() throws Exception {{ for (int i = 0; i < size; i++) {{ Thread.sleep(size); }} }}
  void load() {{ new java.io.File(this.name).delete(); }}
}}
"""
METHODS = """package p;
public class C{n} {{
  int size;
  void setSize(int size) {{ this.size = size; }}
  int getSize() {{ return size; }}
  void init() {{ setSize(Integer.getInteger("c{n}.size", 10)); }}
  void run() throws Exception {{ for (int i = 0; i < getSize(); i++) {{ Thread.sleep(getSize()); }} }}
}}
"""


def classes(text: str, count: int) -> dict[str, str]:
    return {f"p/C{n}.java": text.format(n=n) for n in range(count)}


def engine(files: dict[str, str]) -> Engine:
    program = Program.build({path: lower(text.encode()) for path, text in files.items()}, jdk())
    rows = Rows(program, models())
    return Engine(program, models(), Operations(program, models(), rows), rows)


def fields(program: Program, name: str) -> list[MemberRef]:
    return [
        program.ref(path, number)
        for path, facts in program.files.items()
        for number, member in enumerate(facts.members)
        if member.kind == "field" and member.name == name
    ]


@pytest.mark.parametrize("text", [FIELDS, METHODS], ids=["fields", "methods"])
def test_the_work_grows_with_the_classes(text: str) -> None:
    few, many = (steps(session(MemorySystem(classes(text, n))).scan) for n in (40, 120))
    assert many < 3.3 * few


def test_writers_and_loads_of_a_name_are_looked_for_once() -> None:
    def asked(count: int) -> int:
        made = engine(classes(FIELDS, count))
        every = fields(made.program, "size")
        return steps(
            lambda: [
                (made.writers(ref), made.uses.loads(ref), made.assignments.of(ref))
                for ref in every
            ]
        )

    assert asked(120) < 3.3 * asked(40)


def test_bodies_that_only_mention_a_name_are_not_kept() -> None:
    made = engine(classes(FIELDS, 30))
    (ref, *_) = fields(made.program, "size")
    assert [user.path for user, _ in made.assignments.of(ref)] == ["p/C0.java"]
    assert {ref.path for ref in made.program.contexts} <= {"p/C0.java"}


def test_loads_and_writers_are_those_of_the_field_itself() -> None:
    files = classes(FIELDS, 5)
    files["p/Other.java"] = """package p;
class Other {
  C3 three = new C3();
  void change() { three.size++; C4 four = new C4(); four.size = three.size; }
}
"""
    made = engine(files)
    for number, ref in enumerate(fields(made.program, "size")):
        assert ref.path == f"p/C{number}.java"
        loads = [
            (code.ref.path, made.program.member(code.ref).name)
            for code, _ in made.uses.loads(ref).found
        ]
        own = [(ref.path, "run")] * 2
        assert loads == own + ([("p/Other.java", "change")] * 2 if number == 3 else [])
        stores = [user.path for user, _ in made.assignments.of(ref)]
        assert stores == [ref.path] + (["p/Other.java"] if number in (3, 4) else [])
        assert made.writers(ref)[0] == (2 if number in (3, 4) else 1)


def test_of_more_users_than_are_looked_through_the_nearest_come_first() -> None:
    made = engine(classes(FIELDS, USERS // 2 + 20))
    every = fields(made.program, "size")
    for ref in (every[0], every[-1]):
        found = made.uses.loads(ref)
        assert [code.ref.path for code, _ in found.found] == [ref.path] * 2
        assert not found.complete
        assert ref.path in found.files


def test_an_edit_patches_who_assigns_a_name() -> None:
    files = classes(FIELDS, 4)
    before = engine(files)
    every = fields(before.program, "size")
    for ref in every:
        before.assignments.of(ref)
    text = files["p/C2.java"].replace("Thread.sleep(size)", "Thread.sleep(size); size = i")
    after = before.program.with_files({"p/C2.java": lower(text.encode())})
    rows = Rows(after, models())
    now = Engine(after, models(), Operations(after, models(), rows), rows)
    run = next(
        after.ref("p/C2.java", number)
        for number, member in enumerate(after.files["p/C2.java"].members)
        if member.name == "run"
    )
    now.take(before, frozenset({"size"}), {run}, frozenset())
    fresh = engine({**files, "p/C2.java": text})
    for ref in every:
        assert now.assignments.of(ref) == fresh.assignments.of(ref)
        assert now.writers(ref) == fresh.writers(ref)
    assert [user.number for user, _ in now.assignments.of(every[2])] == [
        user.number for user, _ in fresh.assignments.of(every[2])
    ]
    assert len(now.assignments.of(every[2])) == 2
    assert Context.of(after, run).code
