"""A method that gives one default for whatever it is asked for states none of an option."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.check import every
from conflens.options.model import Option
from session.support import session

JAVA = """
import java.util.Properties;
class Conf {
    static final Properties P = new Properties();
    static final int NONE = 0;
    static { P.load(Conf.class.getResourceAsStream("/conf.properties")); }
    static int getInt(String name) { return getInt(name, NONE); }
    static int getInt(String name, int fallback) {
        String text = P.getProperty(name);
        return text == null ? fallback : Integer.parseInt(text);
    }
    static boolean getBoolean(String name) { return Boolean.parseBoolean(P.getProperty(name, "false")); }
    static int timeout(String peer) { return Integer.parseInt(P.getProperty("timeout." + peer, "3000")); }
    static int weight(String name) { return Integer.parseInt(P.getProperty("weight." + name, "0")); }
}
class Reads {
    int size = Conf.getInt("pool.size");
    int given = Conf.getInt("pool.given", 5);
    int both = Conf.getInt("pool.both"), other = Conf.getInt("pool.both", 6);
    boolean on = Conf.getBoolean("pool.on");
    int timeout = Conf.timeout("a"), weight = Conf.weight("a");
}
"""
XML = "src/main/resources/conf-default.xml"
NAMES = ("pool.size", "pool.given", "pool.both", "pool.on", "timeout.a", "weight.a")


def xml(value: str) -> str:
    rows = "".join(
        f"<property><name>{name}</name><value>{'true' if name == 'pool.on' else value}</value></property>"
        for name in NAMES
    )
    return f"<configuration>{rows}</configuration>"


def said(path: str, text: str) -> tuple[list[Option], list[str]]:
    analysis = session(MemorySystem({"Conf.java": JAVA.encode(), path: text.encode()})).scan()
    found = [one.message for of in every(analysis, ["Conf.java"]) for one in of]
    return list(analysis.options.options), [one for one in found if "defaults" in one]


def test_only_what_is_written_for_an_option_is_stated() -> None:
    options, _ = said(XML, xml("7"))
    found = {
        one.name: [(default.text, default.implied) for default in one.defaults] for one in options
    }
    assert found == {
        "pool.size": [("0", True)],
        "pool.given": [("5", False)],
        "pool.both": [("0", True), ("6", False)],
        "pool.on": [("false", True)],
        "timeout.*": [("3000", False)],
        "weight.a": [("0", True)],
    }
    assert not any(one.conflict for one in options)


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        (XML, xml("7"), ["pool.given defaults to 5", "pool.both defaults to 6"]),
        (
            "README.md",
            "| option | default |\n|---|---|\n"
            + "".join(f"| `{name}` | {'true' if name == 'pool.on' else 7} |\n" for name in NAMES),
            [
                "pool.size defaults to 0",
                "pool.given defaults to 5",
                "pool.both defaults to 6",
                "pool.on defaults to false",
                "weight.a defaults to 0",
            ],
        ),
    ],
)
def test_such_a_default_is_compared_with_prose_but_not_with_what_files_set(
    path: str, text: str, wanted: list[str]
) -> None:
    _, messages = said(path, text)
    assert sorted(one.partition(" here,")[0] for one in messages) == sorted(wanted)
