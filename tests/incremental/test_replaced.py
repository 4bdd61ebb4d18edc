"""What replaces a default that means "not set" may stand in another file: edits there redo the default."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from session.support import session

READ = 'package p; class Read { static int raw() { return Integer.getInteger("a.size", -1); } }'
USE = "package p; class Use { int size() { int t = Read.raw(); return t < 0 ? 7 : t; } }"
MORE = "package p; class More { int size() { int t = Read.raw(); return t < 0 ? 9 : t; } }"


def test_an_edit_gives_what_a_fresh_session_gives() -> None:
    system = MemorySystem({"p/Read.java": READ.encode(), "p/Use.java": USE.encode()})
    living = session(system)
    (option,) = living.scan().options.options
    assert [default.text for default in option.defaults] == ["7"]
    steps = (
        ("p/Use.java", USE.replace("? 7", "? 8"), ["8"]),
        ("p/Use.java", USE.replace("t < 0", "t < -5"), ["-1"]),
        ("p/Use.java", USE, ["7"]),
        ("p/Read.java", READ.replace("-1", "5"), ["5"]),
        ("p/Read.java", READ, ["7"]),
        ("p/Use.java", MORE.replace("More", "Use"), ["9"]),
    )
    for path, text, texts in steps:
        system.write(path, text)
        living.files_changed([path])
        after = living.rebuild().options
        assert after == session(MemorySystem(dict(system.files))).scan().options
        (option,) = after.options
        assert [default.text for default in option.defaults] == texts
