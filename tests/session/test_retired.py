"""What analyses hold is freed when they are replaced and nobody looks at them: without the collector of cycles."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from conflens.session.options import SessionOptions
from conflens.session.session import open_session

READER = """class A{n} {{
    int size = Integer.getInteger("app.size{n}", 10);
    void run() {{ if (size > 3) {{ byte[] room = new byte[size]; B.use(room); }} }}
}}
"""


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def write(root: Path, number: int, text: str = READER) -> None:
    (root / f"A{number}.java").write_text(text.format(n=number), encoding="utf-8")


def test_a_replaced_program_is_freed_by_the_next_rebuild(tmp_path: Path) -> None:
    (tmp_path / "B.java").write_text("class B { static void use(byte[] room) {} }\n", "utf-8")
    write(tmp_path, 0)
    session = open_session(str(tmp_path), SessionOptions())
    programs = []
    # New files, so that each program is made from nothing; then an edit that only patches it.
    for number in (1, 2, 3):
        programs.append(weakref.ref(session.scan().program))
        write(tmp_path, number)
        session.files_changed([f"A{number}.java"])
    held = session.scan()
    write(tmp_path, 1, READER.replace("3)", "4)"))
    session.files_changed(["A1.java"])
    assert session.scan() is not held
    assert [program() for program in programs] == [None] * 3
    assert len(held.options.options) == 4
    patched = weakref.ref(held.program)
    del held
    for room in ("5)", "6)"):
        write(tmp_path, 1, READER.replace("3)", room))
        session.files_changed(["A1.java"])
        session.scan()
    assert patched() is None
    assert len(session.scan().options.options) == 4
    session.dispose()


def test_a_released_session_is_freed_when_nothing_uses_it(tmp_path: Path) -> None:
    (tmp_path / "B.java").write_text("class B { static void use(byte[] room) {} }\n", "utf-8")
    write(tmp_path, 0)
    session = open_session(str(tmp_path), SessionOptions())
    held = session.scan()
    write(tmp_path, 0, READER.replace("3)", "4)"))
    session.files_changed(["A0.java"])
    last = session.scan()
    alive = [weakref.ref(one) for one in (session, held.program, last.program, last)]
    session.dispose()
    session.release()
    del session
    assert last.program.contexts  # still being looked at
    del last
    assert [one() is None for one in alive] == [True, False, False, True]  # bodies are shared
    del held
    assert [one() for one in alive] == [None] * 4
