"""Parts of the calm while somebody types by themselves: when it ends, and what is carried from the last sound text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import attrs
from lsprotocol import types

from conflens.base.text import Encoding
from conflens.lsp.workspace.documents import Edit
from conflens.lsp.workspace.last_valid_text import Sound
from conflens.lsp.workspace.typing_suppression import Quiet, typed_line
from conflens.lsp.workspace.view import Shift
from conflens.session.analysis import Analysis
from ide.toy import project

SOUND = "class A {\n  int a;\n  int b;\n}\n"
BROKEN = "class A {\n  static fin\n  int a;\n  int b;\n}\n"


@attrs.define
class Timer:
    call: Callable[..., object]
    arguments: tuple[object, ...]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@attrs.define
class Loop:
    """Keeps timers until they are told to run."""

    timers: list[Timer] = attrs.field(factory=list)

    def call_later(self, _: float, call: Callable[..., object], *arguments: object) -> Timer:
        self.timers.append(Timer(call, arguments))
        return self.timers[-1]

    def run(self) -> None:
        timers, self.timers = self.timers, []
        for timer in timers:
            if not timer.cancelled:
                timer.call(*timer.arguments)


def on(loop: Loop) -> asyncio.AbstractEventLoop:
    return cast(Any, loop)


def analysis(text: str) -> Analysis:
    return project({"A.java": text}).analysis


def item(line: int, code: str = "x") -> types.Diagnostic:
    at, to = (types.Position(line=line, character=at) for at in (2, 8))
    return types.Diagnostic(types.Range(at, to), "words", code=code)


def lines(items: tuple[types.Diagnostic, ...] | None) -> list[int]:
    return [one.range.start.line for one in items or ()]


def test_new_findings_on_the_edited_line_are_reported_after_the_pause() -> None:
    over: list[str] = []
    loop = Loop()
    quiet = Quiet(on(loop), over.append)
    found = (item(1, "old"), item(1, "new"), item(2, "new"))
    assert quiet.diagnostics("a", found, ()) == found
    quiet.typed("a", 1)
    assert quiet.diagnostics("a", found, [item(1, "old")]) == (found[0], found[2])
    assert quiet.diagnostics("b", found, ()) == found
    quiet.typed("a", 1)  # the next key begins the pause anew
    assert [timer.cancelled for timer in loop.timers] == [True, False]
    loop.run()
    assert over == ["a"]
    assert quiet.diagnostics("a", found, ()) == found
    quiet.typed("a", 1)
    loop.run()
    assert over == ["a"]  # nothing was kept back
    quiet.typed("a", 1)
    quiet.closed("a")
    assert all(timer.cancelled for timer in loop.timers)


def test_which_edits_count_as_typing() -> None:
    def line(*edits: Edit) -> int | None:
        return typed_line(edits, b"", b"")

    assert line(Edit((3, 1), (3, 1), "x")) == 3
    assert line(Edit((3, 1), (3, 1), "\n    ")) == 4
    assert line(Edit((3, 1), (4, 0), "")) == 3
    assert line(Edit((3, 1), (3, 1), "x"), Edit((3, 2), (3, 2), "y")) == 3
    assert line(Edit((3, 1), (3, 1), "x"), Edit((5, 2), (5, 2), "y")) is None
    assert line(Edit((3, 1), (3, 1), "x\ny\n")) is None
    assert line(Edit((3, 1), (9, 1), "")) is None
    assert line(Edit((3, 1), (3, 1), "x" * 300)) is None
    whole = Edit(None, None, "")
    assert typed_line([whole], b"a\nb\nc\n", b"a\nbx\nc\n") == 1
    assert typed_line([whole], b"a\nb\nc\n", b"a\nb\nc\nd\ne\n") is None


def test_a_broken_file_is_answered_from_its_last_valid_text() -> None:
    loop, over = Loop(), list[str]()
    sound = Sound(on(loop), over.append)
    before, broken = analysis(SOUND), analysis(BROKEN)

    def told(text: str = BROKEN) -> tuple[types.Diagnostic, ...] | None:
        return sound.diagnostics("a", "A.java", text.encode(), Encoding.UTF16)

    sound.published("a", "A.java", broken, (item(1),))
    assert told() is None  # never sound
    sound.published("a", "A.java", before, (item(1), item(2)))
    assert told(SOUND) is None
    sound.published("a", "A.java", broken, (item(1),))
    assert lines(told()) == [2, 3]
    # Of what is being edited nothing is said.
    assert lines(told(SOUND.replace("int a", "in("))) == [2]
    assert sound.analysis("a") is before
    sound.typed("a")
    loop.run()
    assert over == ["a"]
    assert told() is None and sound.analysis("a") is None


def test_a_file_that_is_valid_again_is_answered_from_its_text() -> None:
    loop = Loop()
    sound = Sound(on(loop), lambda _: None)
    sound.published("a", "A.java", analysis(SOUND), ())
    sound.published("a", "A.java", analysis(BROKEN), ())
    sound.published("a", "A.java", analysis(SOUND), ())
    assert sound.analysis("a") is None
    assert all(timer.cancelled for timer in loop.timers)
    sound.published("a", "A.java", analysis(BROKEN), ())
    sound.closed("a")
    assert sound.diagnostics("a", "A.java", b"", Encoding.UTF8) is None


def test_text_typed_right_before_a_name_does_not_belong_to_it() -> None:
    old, new = b"int a;", b"int bbb; int a;"
    shift = Shift.of(old, new)
    assert shift.start == 4
    start, end = shift.carried(4, 5)
    assert new[start:end] == b"a"
    assert shift.carried(4, 4) == (4, 4)  # a hint stays behind what it explains
    assert shift.carried(0, 3) == (0, 3)


def test_in_a_config_file_only_findings_on_the_key_wait() -> None:
    loop, over = Loop(), list[str]()
    quiet = Quiet(on(loop), over.append)
    quiet.typed("a", 1, java=False)
    found = item(0, "unknown-option"), item(1, "unknown-option"), item(1, "invalid-value")
    assert quiet.diagnostics("a", found, ()) == (found[0], found[2])
    loop.run()
    assert over == ["a"]
    assert quiet.diagnostics("a", found, ()) == found
