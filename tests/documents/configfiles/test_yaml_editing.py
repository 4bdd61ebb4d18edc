"""Names given anew, keys added and written at a cursor: exactly that changes, and comments stay."""

import random
import re
from collections import Counter

import pytest

from conflens.documents.configfiles.model import Assignment, Change, Context, ContextKind, Kind
from conflens.documents.configfiles.yaml import dialect as yaml
from documents.configfiles.yaml_support import (
    CASSANDRA,
    KUBERNETES,
    QUARKUS,
    SPRING,
    ours,
    parse,
    told,
)

_TEXTS = (SPRING, CASSANDRA, KUBERNETES, QUARKUS)


def _applied(text: str, *changes: Change) -> str:
    for change in sorted(changes, key=lambda one: one.start, reverse=True):
        text = text[: change.start] + change.text + text[change.end :]
    return text


def _one(text: str, name: str) -> Assignment:
    return next(one for one in parse(text) if one.name == name)


def _renamed(text: str, old: str, new: str) -> str | None:
    changes = yaml.renamed(text, _one(text, old), new)
    return None if changes is None else _applied(text, *changes)


def _comments(text: str) -> Counter[str]:
    return Counter(re.findall(r"(?m)#.*?$", text))


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        ("a:\n  b: 1 # c\n", "a.b", "a.x", "a:\n  x: 1 # c\n"),
        ("a:\n  b: 1\n", "a.b", "x.b", "x:\n  b: 1\n"),
        ("a:\n  b: 1\n  c: 2\n", "a", "x", "x:\n  b: 1\n  c: 2\n"),
        ("a.b.c: 1\nd: 2\n", "a.b.c", "a.x", "a.x: 1\nd: 2\n"),
        ('"a": {b: 1, c: 2}\n', "a.b", "a.x", '"a": {x: 1, c: 2}\n'),
        ('"a b": 1\n', "a b", "c d", '"c d": 1\n'),
        ("a:\n- b: 1\n  c: 2\n", "a[0].b", "a[0].x", "a:\n- x: 1\n  c: 2\n"),
        ('"%dev.a.b": 1\n', "a.b", "a.c", '"%dev.a.c": 1\n'),
        # Moved below a section that is there (rewrite-spring#1047).
        (
            "# r\nold:\n  # why\n  key: 1\n  other: 2\nnew:\n  x: 3\n",
            "old.key",
            "new.key",
            "# r\nold:\n  other: 2\nnew:\n  x: 3\n  # why\n  key: 1\n",
        ),
        ("old:\n  key: 1\nnew:\n  x: 3\nz: 1\n", "old.key", "new.a.key", "new:\n  x: 3\n  a:\n    key: 1\nz: 1\n"),
        ("a:\n  b:\n    c: 1\n  d: 2\n", "a.b.c", "a.c", "a:\n  d: 2\n  c: 1\n"),
        ("a:\n  b: 1", "a.b", "a.b2.c", "a:\n  b2:\n    c: 1"),
        ("a:\r\n  b: |\r\n    x\r\n     y\r\n  c: 1\r\n", "a.b", "d.e.f", "a:\r\n  c: 1\r\nd:\r\n  e:\r\n    f: |\r\n      x\r\n       y\r\n"),
        ("a:\n  b:\n    c:\n    - 1\n    - 2\n  e: 1\n", "a.b.c", "a.c", "a:\n  e: 1\n  c:\n  - 1\n  - 2\n"),
        ("a:\n  s:\n    x: 1\n    # c\n    y: 2\n  t: 1\n", "a.s", "s", "a:\n  t: 1\ns:\n  x: 1\n  # c\n  y: 2\n"),
        # A key that a reader takes for something else than a text.
        ("a:\n  b: 1\n", "a.b", "a.null", 'a:\n  "null": 1\n'),
        ("a:\n  b: 1\n", "a.b", "a.on", 'a:\n  "on": 1\n'),
        ("a:\n  b: 1\n", "a.b", "a.8080", 'a:\n  "8080": 1\n'),
        ("a:\n  'b': 1\n", "a.b", "a.Yes", 'a:\n  "Yes": 1\n'),
        ("a:\n  b: 1\nc:\n  d: 1\n", "a.b", "c.2024-01-01", 'c:\n  d: 1\n  "2024-01-01": 1\n'),
        ("a:\n  b: 1\n", "a.b", "a.2fa", "a:\n  2fa: 1\n"),
        ("a:\n  b: 1\n---\na:\n  b: 2\n  c: 3\n", "a.b", "z.b", "z:\n  b: 1\n---\na:\n  b: 2\n  c: 3\n"),
        ("p:\n  s: 4\nc: # c\n  f: 1\n  # left\nx: 1\n", "c.f", "p.f", "p:\n  s: 4\n  f: 1\n# c\n  # left\nx: 1\n"),
        ("c: # c\n  f: 1\np:\n  s: 4\n", "c.f", "p.f", "# c\np:\n  s: 4\n  f: 1\n"),
    ],
)  # fmt: skip
def test_a_name_is_replaced(before: str, old: str, new: str, after: str) -> None:
    assert _renamed(before, old, new) == after


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("a: {b: 1, c: 2}\nd: 1\n", "a.b", "d2.b"),
        ("x: &x {b: 1}\ny:\n  <<: *x\n", "y.b", "y.c"),
        ("x: &x\n  b: 1\ny:\n  <<: *x\n", "x.b", "x.c"),
        ("a:\n  b: 1\n  c: 2\n", "a.b", "a.c"),
        ("a:\n- b: 1\n", "a[0].b", "c"),
        ("a:\n  b: &x 1\n  d: 2\nc: *x\n", "a.b", "e.b"),
        ("a:\n  b: 1\n  d: 2\nc: {e: 1}\n", "a.b", "c.b"),
        ("a:\n  b: 1\n  d: 2\nc: 5\n", "a.b", "c.b"),
    ],
)
def test_edits_that_would_affect_other_keys_are_refused(text: str, old: str, new: str) -> None:
    assert _renamed(text, old, new) is None


@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("number", range(len(_TEXTS)))
def test_a_rename_changes_only_one_name(number: int, crlf: bool) -> None:
    text = _TEXTS[number].replace("\n", "\r\n") if crlf else _TEXTS[number]
    done = 0
    for one in parse(text):
        if one.merged or one.kind is Kind.SECTION:
            continue
        parent = one.name.rpartition(".")[0]
        for new in (
            f"{parent}.fresh" if parent else "fresh",
            "fresh.key",
            "server.fresh",
            f"{one.name}X",
            "data.f.g.h",
        ):
            changes = yaml.renamed(text, one, new)
            if changes is None:
                continue
            done += 1
            after = _applied(text, *changes)
            expected = Counter(ours(text))
            expected.subtract([told(one)])
            expected.update([(one.document, new, told(one)[2])])
            assert Counter(ours(after)) == +expected
            assert _comments(after) == _comments(text)
            assert not crlf or "\n" not in after.replace("\r\n", "")
    assert done >= 10


@pytest.mark.parametrize(
    ("before", "name", "comment", "after"),
    [
        ("", "a.b", "", "a:\n  b: 5\n"),
        ("# c\n", "a", "why", "# c\n# why\na: 5\n"),
        ("a:\n    b: 1\nc: 2\n", "a.d", "x\ny", "a:\n    b: 1\n    # x\n    # y\n    d: 5\nc: 2\n"),
        ("a:\r\n  b:\r\n    c: 1\r\nd: 2", "a.b.e.f", "", "a:\r\n  b:\r\n    c: 1\r\n    e:\r\n      f: 5\r\nd: 2"),
        ("a: 1", "b", "", "a: 1\nb: 5"),
        ("a:\nb: 1\n", "a.c", "", "a:\n  c: 5\nb: 1\n"),
        ("a.b.c: 1\nd.e: 2\n", "a.b.x", "", "a.b.c: 1\na.b.x: 5\nd.e: 2\n"),
        ("on: 1\n---\nspring.config.activate.on-profile: x\na:\n  b: 1\n", "a.c", "", "on: 1\na:\n  c: 5\n---\nspring.config.activate.on-profile: x\na:\n  b: 1\n"),
        ("a:\n  - 1\n  - 2\nc: 1\n", "d", "", "a:\n  - 1\n  - 2\nc: 1\nd: 5\n"),
    ],
)  # fmt: skip
def test_a_key_is_added(before: str, name: str, comment: str, after: str) -> None:
    change = yaml.added(before, name, "5", comment)
    assert change is not None
    assert _applied(before, change) == after


@pytest.mark.parametrize(
    "text", ["a: {b: 1}\n", "a: 1\n", "a.c: 1\n", "a:\n- 1\n", "[1]\n", "a:\n  c: 2\n", "{x: 1}\n"]
)
def test_no_key_is_added_where_none_is_allowed(text: str) -> None:
    assert yaml.added(text, "a.c", "5") is None


@pytest.mark.parametrize("text", _TEXTS)
def test_adding_changes_nothing_else(text: str) -> None:
    chance = random.Random(1)
    sections = [one.name for one in parse(text) if one.kind is Kind.SECTION] + ["quite"]
    done = 0
    for value in (
        "5",
        "",
        "a: b",
        "x # y",
        "- z",
        "null ",
        "@v@",
        "'q'",
        "a\nb",
        "*",
        "[a]",
        "{}",
        "é",
        "yes",
    ):
        name = f"{chance.choice(sections)}.new.key"
        change = yaml.added(text, name, value, "because")
        if change is None:
            continue
        done += 1
        after = _applied(text, change)
        left = Counter(ours(after))
        left.subtract(ours(text))
        assert [(one[1], one[2]) for one in (+left)] == [(name, value)]
        assert not _comments(text) + Counter(["# because"]) - _comments(after)
    assert done >= 2


@pytest.mark.parametrize(
    ("marked", "name", "after"),
    [
        ("a:\n    x: 1\n    <|>\n", "a.b.c", "a:\n    x: 1\n    b:\n        c: \n"),
        ("se<|>\n", "server.port", "server:\n  port: \n"),
        ("a:\n  b<|>: 1\n", "a.bc", "a:\n  bc: 1\n"),
        ("l:\n- a: 1\n- <|>\n", "l[1].x.y", "l:\n- a: 1\n- x:\n    y: \n"),
        ("a: {b<|>}\n", "a.bc", "a: {bc: }\n"),
        ("a.b: 1\nc<|>\n", "a.c", "a.b: 1\na.c: \n"),
        ("m:\r\n  <|>\r\n", "m.n.[x.y]", 'm:\r\n  n:\r\n    "[x.y]": \r\n'),
        ("server:\n  port: 1\ns<|>\n", "server.host.x", None),
    ],
)  # fmt: skip
def test_a_key_is_written_at_a_cursor(marked: str, name: str, after: str | None) -> None:
    offset = marked.index("<|>")
    text = marked.replace("<|>", "")
    found = yaml.context(text, offset)
    assert found.kind is ContextKind.KEY
    written = yaml.key_text(text, found, name)
    assert (written and text[: found.start] + written + text[found.end :]) == after


def test_a_name_that_belongs_elsewhere_is_not_written() -> None:
    assert yaml.key_text("a:\n  \n", Context(ContextKind.KEY, parents=("a",)), "b.c") is None


@pytest.mark.parametrize(
    ("value", "style", "written"),
    [
        ("5", "", "5"), ("5", '"', "5"), ("true", "'", "true"), ("true", "", "true"), ("a: b", "", '"a: b"'),
        ("a #b", "", '"a #b"'), ("a#b", "", "a#b"), ("", "", '""'), ("it's", "'", "it''s"), ("*x", "", '"*x"'),
        ("-1", "", "-1"), ("- x", "", '"- x"'), ('a"\n', '"', 'a\\"\\n'), ("http://x:1/", "", "http://x:1/"),
        (" a", "", '" a"'), ("a:", "", '"a:"'), ("${a:b}", "", "${a:b}"), ("a: b", "|", "a: b"), ("%x", "", '"%x"'), ("~", "", "~"),
    ],
)  # fmt: skip
def test_a_value_is_written(value: str, style: str, written: str) -> None:
    assert yaml.value_text(value, style) == written
