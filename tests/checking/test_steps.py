"""What checking looks at grows with the length of a file, not with its square: counted, not timed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from checking.test_placeholders import MAIN, looked
from conflens.base.span import Place
from conflens.checking import placeholder_values, recognition
from conflens.checking.harmless import Judge
from conflens.checking.placeholders import findings, referenced
from conflens.checking.recognition import Recognised
from conflens.checking.results import Edit, Fix
from conflens.documents.configfiles.arguments.lines import assignments_of
from conflens.documents.configfiles.model import Format
from conflens.documents.configfiles.parsing import parse
from conflens.options.model import OptionTable


class Counting(tuple[Any, ...]):
    """Counts what is taken of it one by one."""

    taken = 0

    def __iter__(self) -> Iterator[Any]:
        for one in super().__iter__():
            Counting.taken += 1
            yield one


class Text(str):
    """Counts the characters that are searched."""

    searched = 0

    def find(self, *args: Any) -> int:
        found = super().find(*args)
        end = found if found >= 0 else args[2] if len(args) > 2 else len(self)
        Text.searched += end - (args[1] if len(args) > 1 else 0)
        return found


def removals(path: str, format_: Format, count: int) -> int:
    text = b"".join(b"WORKERS=%d\n" % (number % 2) for number in range(count))
    file = parse(path, format_, text)
    file = attrs.evolve(file, assignments=Counting(file.assignments))
    judge = Judge(path, text, file)
    Counting.taken = 0
    for one in tuple.__iter__(file.assignments):
        edit = Edit(Place(path, one.start, one.end), "")
        assert judge._of_removal(Fix("Remove this line", (edit,))) is not None
    return Counting.taken


@pytest.mark.parametrize(
    ("path", "format_"), [("a.properties", Format.PROPERTIES), (".env", Format.ENVIRONMENT)]
)
def test_a_removal_looks_at_what_it_removes(path: str, format_: Format) -> None:
    assert removals(path, format_, 400) <= 2 * removals(path, format_, 200)


@pytest.mark.parametrize("name", ["A", "AB", "A.B", "B", "HOME", "X", "A-B", "L" * 250])
def test_what_a_reference_names_is_found_as_by_a_search(name: str) -> None:
    text = f"X=$AB/x\nY=${{A.B:-c}}\nZ=$A-B$HOME/bin\nW=${{{'L' * 250}}}\n".encode()
    judge = Judge(".env", text, parse(".env", Format.ENVIRONMENT, text))
    found = re.search(rb"\$\{?" + re.escape(name.encode()) + rb"\b", text) is not None
    assert judge._is_referred(name.encode()) is found


def test_names_that_placeholders_mean_are_collected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 200
    text = "".join(f"app.x{n}=${{app.x{n + 1}}}\n" for n in range(count)).encode()
    file = parse("a.properties", Format.PROPERTIES, text)
    recognised = Recognised.of({"a.properties": file}, OptionTable.of([], []))
    calls = 0
    loose = recognition.loose

    def counted(name: str) -> str:
        nonlocal calls
        calls += 1
        return loose(name)

    monkeypatch.setattr(recognition, "loose", counted)
    found = [recognised.refers(f"app.X-{n}", referenced, relaxed=True) for n in range(count)]
    assert found == [False, *[True] * (count - 1)]
    assert calls <= 2 * count + 1


def test_here_documents_of_one_line_are_looked_for_once() -> None:
    found = []
    for count in (300, 600):
        Text.searched = 0
        text = Text("#!/bin/sh\ncat" + " <<EOF" * count + "\n" + "EOF\n" * count + "A=1\n")
        assert [one.name for one in assignments_of(text)] == ["A"]
        found.append(Text.searched)
    assert found[1] <= 3 * found[0]


def test_here_documents_without_spaces_are_read_one_after_another() -> None:
    count = 5_000
    text = "#!/bin/sh\ncat " + "<<'E'" * count + "\n" + "E\n" * count + "A=1\n"
    assert [one.name for one in assignments_of(text)] == ["A"]


@pytest.mark.parametrize("value", ["${k1:${k2:${app.port:3}}}", "${k2:${app.port:3}}"])
def test_what_sets_a_name_is_found_once(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    looked_at: list[int] = []
    scalar = placeholder_values._scalar
    monkeypatch.setattr(
        placeholder_values, "_scalar", lambda one: looked_at.append(1) or scalar(one)
    )

    def count(number: int) -> int:
        text = "app.name=a\napp.port=3\nk2=4\n" + f"k1={value}\n" * number
        subject = looked({MAIN: text})
        looked_at.clear()
        list(findings(subject, MAIN))
        return len(looked_at)

    assert 0 < count(400) < 6 * count(100)
