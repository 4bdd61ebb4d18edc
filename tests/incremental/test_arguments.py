"""A map filled from the arguments is the command line for as long as a body fills it so."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from session.support import session

PARSER = """package p;
class Parser {
    private final java.util.Map<String, String> parsed = new java.util.HashMap<>();
    void parse(String[] args) {
        for (int i = 0; i < args.length; i++) parsed.put(args[i], args[++i]);
    }
    String get(String name) { return parsed.get(name); }
    boolean has(String name) { return parsed.containsKey(name); }
}
"""
MAIN = """package p;
class Main {
    static int start(Parser parser) {
        return parser.has("--fast") ? 0 : Integer.parseInt(parser.get("--threads"));
    }
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("args[++i]);", "new String(args[i]));"),
        ("put(args[i]", "put(args[0]"),
        ("String[] args)", "String line)"),
    ],
    ids=["its own value", "a fixed place", "no arguments"],
)
def test_an_edit_of_what_fills_the_map_gives_what_a_fresh_session_gives(
    old: str, new: str
) -> None:
    system = MemorySystem({"p/Parser.java": PARSER, "p/Main.java": MAIN})
    living = session(system)
    before = living.scan().options
    assert {option.name for option in before.options} == {"--fast", "--threads"}
    assert old in PARSER
    system.write("p/Parser.java", PARSER.replace(old, new))
    living.files_changed(["p/Parser.java"])
    after = living.rebuild().options
    assert after == session(MemorySystem(dict(system.files))).scan().options
    assert not {option.name for option in after.options}
    system.write("p/Parser.java", PARSER)
    living.files_changed(["p/Parser.java"])
    assert living.rebuild().options == before
