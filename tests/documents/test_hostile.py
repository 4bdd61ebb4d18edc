"""Documents that nobody meant to be read: broken, huge, odd, and made to harm."""

import importlib
import pkgutil
import re
import sys
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conflens.documents
from conflens.documents import MAX_CHARACTERS, harvest
from documents.support import entries, known, shown

SAMPLES = {
    "a-default.xml": "<configuration><property>\n<name>a.b</name><value>1</value>\n"
    "<description>x &amp; y</description></property></configuration>\n",
    "docs/a.xml": '<doc><property name="x.y">Text</property></doc>\n',
    "a.properties": "# About\n#a.b=1\nc.d=2\\\n 3\n! x\n",
    "a.conf": "[s]\na {\n b = 1\n # c = 2\n}\n",
    "a.toml": '[a.b]\nc = "d" # e\n',
    "a.yaml": "# About\na:\n  - b: 1\n  # c: 2\nd: |\n  text\n",
    "spring-configuration-metadata.json": '{"properties": [{"name": "a.b", "defaultValue": [1]}]}\n',
    "a.md": "# a.b\ntext `c` [d](e)\n\n| Name | x |\n|---|---|\n| e.f | g |\n\n- `h`: i\n```yaml\nj: 1\n```\n",
    "a.adoc": "== a.b\nc:: d\n|===\n|Name |x\n|e.f |g\n|===\n----\nh=1\n----\n",
    "a.rst": "a.b\n---\n.. option:: --c\n\n   d\n\n* - Name\n  - x\n* - e.f\n  - g\n\n==  ==\nA   B\n==  ==\n",
    "a.html": "<h2>a.b</h2><p>x</p><table><tr><td><code>c</code></td><td>d</td></tr></table><dl><dt>e.f<dd>g\n",
    "a.txt": "  --port N   text\na.b maxSize fs.<x>.impl -Dq=1\n",
    "a.sh": "# About\n#export A_B=1\nC_D=${C_D:-2}\n",
}


def test_every_sample_has_an_entry() -> None:
    assert [path for path, text in SAMPLES.items() if not entries(path, text)] == []


EDITS = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 12),
        st.sampled_from(
            ["", "<", "<!--", "]]>", "&", "`", "```\n", "|", "#", "\\", "\n", "\t", "\r"]
        )
        | st.sampled_from(
            [":", "=", "{", "}", "[", "\x00", "\ufeff", "😀", "Ã¼", "\u2028", "*", '"']
        )
        | st.text(max_size=4),
    ),
    max_size=8,
)


@pytest.mark.parametrize("path", SAMPLES)
@given(edits=EDITS)
@settings(max_examples=60)
def test_harvesting_never_raises_and_every_place_exists(
    path: str, edits: list[tuple[float, int, str]]
) -> None:
    text = SAMPLES[path] * 2
    for where, cut, new in edits:
        at = int(where * len(text))
        text = text[:at] + new + text[at + cut :]
    found = harvest(path, text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    places = [(m.line, m.column) for m in found.mentions] + list(found.words.values())
    for line, column in places:
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
    assert "" not in known(found)


@pytest.mark.parametrize("path", SAMPLES)
def test_a_truncated_document_is_read_up_to_the_cut(path: str) -> None:
    text = SAMPLES[path]
    for end in range(len(text)):
        harvest(path, text[:end])
    assert harvest(path, "").mentions == ()


@pytest.mark.parametrize("path", SAMPLES)
def test_line_ends_and_a_byte_order_mark_do_not_shift_places(path: str) -> None:
    text = SAMPLES[path]
    assert shown(path, text.replace("\n", "\r\n")) == shown(path, text)
    assert shown(path, text.replace("\n", "\r")) == shown(path, text)
    assert shown(path, "\ufeff" + text) == shown(path, text)


def test_columns_count_characters() -> None:
    assert harvest("a.txt", "😀é a.b").words == {"a.b": (1, 4)}


def test_mojibake_is_text() -> None:
    assert shown("a.properties", "# GrÃ¶ÃŸe\na.b=1\n") == ["2:1 a.b # GrÃ¶ÃŸe"]


def test_entities_declared_by_a_document_are_never_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {name} "&{before};&{before};&{before};&{before};&{before};">'
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    text = (
        bomb + "]><configuration><property><name>a.b</name><value>&i;</value>"
        "<description>&i;</description></property></configuration>"
    )
    (mention,) = [m for m in harvest("x-default.xml", text).mentions if m.name == "a.b"]
    assert (mention.value, mention.description) == ("&i;", "&i;")


def test_an_external_entity_is_text() -> None:
    text = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><property><name>a.b</name><value>&e;</value>'
    assert shown("x-default.xml", text) == ["1:73 a.b = &e;"]


def test_an_alias_bomb_is_only_lines() -> None:
    text = "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a, *a]\n" for n in range(50))
    assert len(entries("a.yaml", text)) == 51


def test_a_large_document_is_read_up_to_its_limit_and_reported() -> None:
    line = "a.b=1\n" + "#" * 93 + "\n"
    text = line * (MAX_CHARACTERS // len(line)) + "# more\n"
    found = harvest("a.properties", text + "last.key=1\n")
    assert found.truncated and "last.key" not in known(found)
    assert "a.b" in known(found)
    assert not harvest("a.properties", text[: MAX_CHARACTERS - 1]).truncated


def steps(path: str, text: str) -> int:
    """The lines of Python that a harvest executes, the measure of its work."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        harvest(path, text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("path", SAMPLES)
def test_work_is_linear_in_the_length_of_a_document(path: str) -> None:
    small, large = SAMPLES[path] * 20, SAMPLES[path] * 200
    assert steps(path, large) <= 12 * steps(path, small)


@pytest.mark.parametrize("path", SAMPLES)
@pytest.mark.parametrize(
    "unit", ["<a>", "<!--", "`", "|", "#\n", "a:\n", " a:", "- ", "\n a", "a {\n"]
)
def test_work_is_linear_in_the_length_of_a_hostile_document(path: str, unit: str) -> None:
    assert steps(path, unit * 2000) <= 12 * steps(path, unit * 200) + 500


def test_a_document_of_a_hundred_thousand_lines() -> None:
    text = "".join(f"# about {n}\nkey{n}.x: {n}\n" for n in range(50_000))
    found = harvest("a.yaml", text)
    assert len(found.mentions) == 50_000
    assert (found.mentions[-1].name, found.mentions[-1].line) == ("key49999.x", 100_000)


def patterns() -> dict[str, "re.Pattern[str]"]:
    """The patterns applied to documents; those of `policy` see only the name of a file."""
    names = (
        m.name for m in pkgutil.iter_modules(conflens.documents.__path__, "conflens.documents.")
    )
    modules = [importlib.import_module(name) for name in names if not name.endswith(".policy")]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }


def unbounded(parsed: object) -> bool:
    """Whether a parsed pattern nests or chains an unbounded quantifier that can give back."""
    if isinstance(parsed, parser.SubPattern | list | tuple):
        if isinstance(parsed, tuple) and parsed[:1] in (
            (constants.MAX_REPEAT,),
            (constants.MIN_REPEAT,),
        ):
            _, high, inner = parsed[1]
            return high is constants.MAXREPEAT or unbounded(inner)
        return any(unbounded(part) for part in parsed)
    return False


def test_no_pattern_backtracks_without_bound() -> None:
    """Every unbounded quantifier is possessive, which keeps the cost of one match linear."""
    found = patterns()
    assert len(found) > 40
    assert [
        name
        for name, pattern in found.items()
        if unbounded(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
    ] == []
