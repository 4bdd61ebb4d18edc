"""Names and values of valid YAML are what PyYAML says."""

import pytest
import yaml
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from documents.configfiles.yaml_support import FILES, ours, parse, theirs

_PLAIN = ["a", "b c", "true", "1", "-1", "~", "null", "http://h:80/x#y", "a,b", "x: y"[:1], "-Xmx1g", ":c", "?d",
          "${A:b}", "it's", 'say "x"', "a\\b", "%d"[1:], "é ü", "[x"[1:], "12:30", "$1", "(a)", "=", ".5"]  # fmt: skip
_FLOW_PLAIN = [text for text in _PLAIN if not set(text) & set(",[]{}?:#")]
_DOUBLE = [
    '"a"',
    '""',
    '"x: y"',
    '"\\t\\u00e9 \\x41\\\\ \\" # no"',
    '"null"',
    '"a  b "',
    "'it''s'",
    "''",
    "'\\n'",
    "' #'",
]
_KEYS = [
    "a",
    "b",
    "c.d",
    "e-f",
    '"g h"',
    "'i'",
    '"[j.k]"',
    "1",
    "l_m",
    ".n",
    "on",
    "o p",
    "q#r",
    "/s",
]


@st.composite
def scalars(draw: st.DrawFn, indent: str, flow: bool) -> str:
    kind = draw(st.integers(0, 9))
    if kind < 4:
        return draw(st.sampled_from(_FLOW_PLAIN if flow else _PLAIN))
    if kind < 6:
        return draw(st.sampled_from(_DOUBLE))
    inner = indent + "  "
    if kind == 6:
        return f"one two\n{inner}three" + draw(st.sampled_from(["", f"\n\n\n{inner} four"]))
    if kind == 7:
        quote = draw(st.sampled_from("\"'"))
        return f"{quote}one \n{inner}two\n\n{inner}  three{quote}"
    if kind == 8 or flow:
        return f'"one \\\n{inner}two\\n\n{inner}\\ three"'
    head = draw(st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|2", ">2-", "| # c"]))
    lines = draw(
        st.lists(st.sampled_from(["x", "y z", "", " deep", "# no", "- a: b"]), max_size=6)
    )
    if not "".join(lines).strip() or lines[0][:1] in ("", " "):
        lines = ["first", *lines]
    return "\n".join([head, *(inner + line if line else "" for line in lines)])


@st.composite
def flows(draw: st.DrawFn, indent: str, depth: int) -> str:
    gap = draw(st.sampled_from(["", " ", f"\n{indent}   ", f" # c\n{indent}   "]))
    parts = []
    for key in draw(st.lists(st.sampled_from(_KEYS[:6]), max_size=3, unique=True)):
        if depth > 0 and draw(st.booleans()):
            value = draw(flows(indent + " ", depth - 1))
        else:
            value = draw(scalars(indent + " ", True))
        parts.append((key, value))
    if draw(st.booleans()):
        inside = f",{gap or ' '}".join(f"{key}: {value}" for key, value in parts)
        return "{" + gap + inside + gap + "}"
    return "[" + gap + f",{gap or ' '}".join(value for _, value in parts) + gap + "]"


@st.composite
def blocks(draw: st.DrawFn, indent: str, depth: int) -> str:
    """Lines of a mapping or sequence, each ended."""
    lines = []
    mapping = draw(st.booleans()) or depth == 3
    keys = draw(st.lists(st.sampled_from(_KEYS), min_size=1, max_size=4, unique=True))
    for key in keys:
        if draw(st.integers(0, 5)) == 0:
            lines.append(draw(st.sampled_from(["\n", "# comment: x\n", f"{indent}  # - y\n"])))
        head = f"{indent}{key}:" if mapping else f"{indent}-"
        kind = draw(st.integers(0, 5)) if depth else draw(st.integers(2, 5))
        mark = (
            draw(st.sampled_from(["", "", "", " !!str", f" &x{draw(st.integers(0, 10**6))}"]))
            if kind in (3, 4)
            else ""
        )
        if kind == 0:
            deeper = indent + draw(st.sampled_from(["  ", "    ", " "]))
            body = draw(blocks(deeper, depth - 1))
            if not mapping and draw(st.booleans()) and body.startswith(deeper) and "\n" in body:
                body = f" {body[len(deeper) :]}" if len(deeper) == len(indent) + 2 else f"\n{body}"
                lines.append(head + body)
            else:
                lines.append(f"{head}{draw(st.sampled_from(['', '  # c']))}\n{body}")
        elif kind == 1:
            same = indent if mapping else indent + "  "
            items = draw(st.lists(scalars(same, False), min_size=1, max_size=3))
            lines.append(head + "\n" + "".join(f"{same}- {item}\n" for item in items))
        elif kind == 2:
            lines.append(f"{head} {draw(flows(indent, 2))}\n")
        elif kind == 5 and draw(st.booleans()):
            lines.append(head + "\n")
        else:
            value = draw(scalars(indent, False))
            after = (
                " # c"
                if "\n" not in value and draw(st.booleans()) and value[0] not in "|>"
                else ""
            )
            lines.append(f"{head}{mark} {value}{after}\n")
    return "".join(lines)


@st.composite
def files(draw: st.DrawFn) -> str:
    documents = draw(st.lists(blocks("", 3), min_size=1, max_size=3))
    text = draw(st.sampled_from(["", "---\n", "%YAML 1.1\n---\n", "# c\n"])) + "---\n".join(
        documents
    )
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return text if draw(st.booleans()) else text.rstrip("\r\n") if "+" not in text else text


@settings(max_examples=400)
@given(files())
def test_a_valid_text_gives_the_same_as_pyyaml(text: str) -> None:
    try:
        expected = theirs(text)
    except yaml.YAMLError:
        reject()
    assert ours(text) == expected


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_the_same_as_pyyaml(name: str) -> None:
    for text in (FILES[name], FILES[name].replace("\n", "\r\n"), FILES[name].rstrip()):
        assert sorted(ours(text), key=repr) == sorted(theirs(text), key=repr)


def test_json_gives_the_same_as_pyyaml() -> None:
    text = '{\n"a": {"b":[1,2.5,"x\\ny"], "c":null},\n"d":[{"e":true},{}]\n}\n'
    assert ours(text) == theirs(text)


@settings(max_examples=200)
@given(files())
@example("\na:\n- a\nb: []\n\nc.d:\n\n  - []\n\ne-f:\n\n  - -\n      - ~\n")
def test_places_contain_the_text_of_their_values(text: str) -> None:
    for one in parse(text):
        assert 0 <= one.start <= one.end <= len(text)
        assert one.start <= one.key.start <= one.key.end <= one.end or one.name.endswith("]")
        for value in (*one.items, *([one.value] if one.value else [])):
            assert one.start <= value.start <= value.end <= one.end or one.merged
            if not value.style and value.text and "\n" not in text[value.start : value.end] and text[value.start] != "*":  # fmt: skip
                assert text[value.start : value.end] == value.text
        for segment in one.path:
            if (
                text[segment.start - 1 : segment.start] not in ("'", '"')
                and segment.text[0] != "["
            ):
                assert segment.text.startswith(text[segment.start : segment.end])
