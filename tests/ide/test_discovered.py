"""Features on options as they are really discovered: every kind of read and declaration under a
cursor."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.hover.java import hover
from conflens.ide.inlay_hints.java import hints
from conflens.ide.settings.settings import Annotations, Settings
from conflens.ide.targets.cursor import target_at
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session

CURSOR = "<|>"


def analysed(texts: dict[str, str]) -> Analysis:
    options = SessionOptions(cache=False, workers=0)
    plain = {path: text.replace(CURSOR, "") for path, text in texts.items()}
    return Session(MemorySystem(plain), load_models(), jdk.packaged(), options).rebuild()


def touched(text: str) -> str:
    """What the cursor touches: the options and the touched text."""
    offset = len(text[: text.index(CURSOR)].encode())
    found = target_at(analysed({"A.java": text}), "A.java", offset)
    if found is None:
        return ""
    shown = text.replace(CURSOR, "").encode()[found.place.start : found.place.end].decode()
    return f"{', '.join(option.name for option in found.options)}: {shown}"


VALUE = "import org.springframework.beans.factory.annotation.Value;\nclass A { %s int x; }"
DISPATCH = """
import java.util.Properties;
class A {
    int port; int size; boolean on;
    void parse(Properties p) {
        for (java.util.Map.Entry<Object, Object> e : p.entrySet()) {
            String key = e.getKey().toString(); String value = e.getValue().toString();
            if (%s) { port = Integer.parseInt(value); }
            else if (key.equals("size")) { size = Integer.parseInt(value); }
            else if (key.equals("on")) { on = Boolean.parseBoolean(value); }
        }
    }
}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('class A { int x = Integer.getInteger("a.<|>b"); }', 'a.b: "a.b"'),
        ('class A { int x = Integer.get<|>Integer("a.b"); }', "a.b: getInteger"),
        ('class A { int x = Integer . getInteger<|> ( "a.b"); }', "a.b: getInteger"),
        ('class A { int x = Inte<|>ger.getInteger("a.b"); }', ""),
        (
            'class A { int x = Integer.getInteger("a.b", Integer.getInteger("c.<|>d", 3)); }',
            'c.d: "c.d"',
        ),
        (
            'class A { int x = Integer.getInteger("a.b", Integer.getInt<|>eger("c.d", 3)); }',
            "c.d: getInteger",
        ),
        (
            'class A { static final String K<|>EY = "a.b"; int x = Integer.getInteger(KEY); }',
            "a.b: KEY",
        ),
        (
            'class A { static final String P = "a."; int x = Integer.getInteger(P + "<|>b"); }',
            'a.b: P + "b"',
        ),
        (VALUE % '@Val<|>ue("${pool.size:5}")', 'pool.size: @Value("${pool.size:5}"'),
        (VALUE % '@Value("${pool.<|>size:5}")', 'pool.size: "${pool.size:5}"'),
        (VALUE % '@Value("${pool.size:5}") in<|>t y; int', ""),
        (DISPATCH % 'key.equals("po<|>rt")', 'port: "port"'),
        (DISPATCH % 'key.equ<|>als("port")', "port: equals"),
    ],
)
def test_the_option_under_the_cursor(text: str, expected: str) -> None:
    assert touched(text) == expected


PREFIXES = {
    "Util.java": """
abstract class Util {
    private final String location = prefix() + "key.location";
    abstract String prefix();
    String read() { return System.getProperty(location); }
}
""",
    "Client.java": 'class Client extends Util { String prefix() { return "ssl."; } }',
    "Quorum.java": 'class Quorum extends Util { String prefix() { return "ssl.quorum."; } }',
    "Other.java": 'class Other { String s = System.getProperty("ssl.known"); }',
    "docs/options.md": "- `ssl.known`: is known.\n",
}


def test_of_several_options_at_one_place_the_shortest_name_is_taken() -> None:
    analysis = analysed(PREFIXES)
    text = PREFIXES["Util.java"]
    found = hints(analysis, "Util.java", 0, len(text), Settings(annotations=Annotations.ALL))
    assert [hint.label for hint in found] == ["ssl.key.location +1"]
    shown = hover(analysis, "Util.java", text.index("(location") + 2, Settings(), Wording())
    assert shown is not None
    assert shown.markdown.startswith("**`ssl.key.location`**")
    assert shown.markdown.endswith("Also read here: `ssl.quorum.key.location`.")
    assert [finding.message for finding in diagnostics(analysis, "Util.java", Settings())] == [
        "ssl.key.location and ssl.quorum.key.location are not mentioned in any document of this"
        " project."
    ]
