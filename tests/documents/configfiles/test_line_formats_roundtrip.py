"""What is written reads back as what was meant, and nothing else changes."""

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflens.documents.configfiles import environment, properties
from conflens.documents.configfiles.arguments import dialect as arguments
from conflens.documents.configfiles.model import Change
from documents.configfiles import line_samples as samples
from documents.configfiles.line_support import applied

SCRIPTS = [
    samples.SHELL,
    samples.BATCH,
    samples.DOCKER,
    samples.COMPOSE,
    samples.UNIT,
    samples.OPTIONS,
]
TEXTS = [
    (properties, samples.PROPERTIES),
    (properties, samples.PROPERTIES.replace("\n", "\r\n")),
    (environment, samples.ENVIRONMENT),
    (environment, samples.ENVIRONMENT.replace("\n", "\r")),
    *((arguments, text) for text in SCRIPTS),
    (arguments, samples.COMPOSE.replace("\n", "\r\n")),
]
ANY = st.text(min_size=1, max_size=12) | st.text(
    "ab.=:# !\\\t\n\r\f%é😀\"'", min_size=1, max_size=12
)
PLAIN = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}(\.[a-z]{1,3}){0,2}", fullmatch=True)
VALUES = st.text(max_size=12) | st.text("ab \\\"'`#$={};\t\n:é😀", max_size=12)
WORDS = st.text("ab/.:-_,+%@~^1", max_size=12) | st.text('ab cd "\\;&|<>()#=', max_size=12)


def names_of(dialect: ModuleType) -> st.SearchStrategy[str]:
    return ANY if dialect is properties else PLAIN


def values_of(dialect: ModuleType) -> st.SearchStrategy[str]:
    return WORDS if dialect is arguments else VALUES


def said(dialect: ModuleType, text: str) -> list[tuple[str, str | None, int, str]]:
    return [
        (one.name, one.value.text if one.value else None, one.document, one.condition)
        for one in dialect.parse(text).assignments
    ]


@pytest.mark.parametrize("number", range(len(TEXTS)))
@given(data=st.data())
@settings(max_examples=60)
def test_renaming_changes_only_the_name(number: int, data: st.DataObject) -> None:
    dialect, text = TEXTS[number]
    found = [one for one in dialect.parse(text).assignments if "spring.config" not in one.name]
    one = data.draw(st.sampled_from(found))
    name = data.draw(names_of(dialect))
    changes = dialect.renamed(text, one, name)
    if changes is None:
        assert dialect is not properties or name.startswith("%")
        return
    after = applied(text, *changes)
    expected = said(dialect, text)
    at = [other.key.start for other in dialect.parse(text).assignments].index(one.key.start)
    expected[at] = (name, *expected[at][1:])
    inside = [value for _, value, *_ in expected if value and f"-D{one.name}" in value]
    if not inside:
        assert said(dialect, after) == expected
    assert [entry[0] for entry in said(dialect, after)] == [entry[0] for entry in expected]


@pytest.mark.parametrize("number", range(len(TEXTS)))
@given(data=st.data())
@settings(max_examples=60)
def test_adding_gives_exactly_one_more_entry(number: int, data: st.DataObject) -> None:
    dialect, text = TEXTS[number]
    name, value = data.draw(names_of(dialect)), data.draw(values_of(dialect))
    comment = data.draw(st.sampled_from(["", "Why", "Why\nso", "---"]))
    change = dialect.added(text, name, value, comment)
    if change is None:
        assert dialect is not environment
        return
    before, after = said(dialect, text), said(dialect, applied(text, change))
    new = [entry for entry in after if entry not in before] or [
        entry for entry in after if entry[0] == name
    ]
    assert len(after) == len(before) + 1
    assert name in [entry[0] for entry in new]
    if dialect is not arguments:
        assert [entry[1] or "" for entry in new if entry[0] == name][-1] == value
        assert sorted(after, key=repr) == sorted([*before, new[-1]], key=repr)


@pytest.mark.parametrize("number", range(len(TEXTS)))
@given(data=st.data())
@settings(max_examples=60)
def test_a_changed_value_reads_back(number: int, data: st.DataObject) -> None:
    dialect, text = TEXTS[number]
    found = [one for one in dialect.parse(text).assignments if one.value is not None]
    one = data.draw(st.sampled_from(found))
    value = data.draw(values_of(dialect))
    if dialect is arguments:
        value = value.replace('"', "").replace("\\", "").strip() or "x"
        value = value.replace(" -", " ").strip(",]-#")
    if one.value.style == "'" and ("'" in value or "\r" in value or value.endswith("\\")):
        return
    written = dialect.value_text(value, one.value.style)
    after = applied(text, Change(one.value.start, one.value.end, written))
    at = [other.key.start for other in dialect.parse(text).assignments].index(one.key.start)
    if dialect is not arguments:
        expected = said(dialect, text)
        if not expected[at][0].startswith("spring."):
            expected[at] = (one.name, value, *expected[at][2:])
            assert said(dialect, after) == expected
        return
    names = [entry[0] for entry in said(dialect, after)]
    if one.domain == "system-property":
        assert names == [entry[0] for entry in said(dialect, text)]
        if text not in (samples.BATCH, samples.OPTIONS) and one.value.style != "'":
            assert said(dialect, after)[at][1] == value


@pytest.mark.parametrize("dialect", [properties, environment])
@given(data=st.data())
@settings(max_examples=200)
def test_a_key_and_value_written_at_a_cursor_read_back(
    dialect: ModuleType, data: st.DataObject
) -> None:
    name, value = data.draw(names_of(dialect)), data.draw(VALUES)
    before = data.draw(st.sampled_from(["", "a=1\n", "# c\r\n", "a : 1\n\n", "a 1\n"]))
    found = dialect.context(before, len(before))
    written = dialect.key_text(before, found, name)
    if written is None:
        assert name.startswith("%")
        return
    after = before + written + dialect.value_text(value)
    assert said(dialect, after) == [*said(dialect, before), (name, value, 0, "")]
