"""Symbols of the workspace, best first, and of a file, in order."""

from __future__ import annotations

from conflens.ide.navigation.symbols import MAX_SYMBOLS, file_symbols, workspace_symbols
from conflens.ide.settings.settings import Settings
from conflens.render.phrases import Wording
from ide.toy import project

NAMES = ("pool", "pool.size", "net.pool.max", "carpool.x", "p.o.o.l", "other.thing")
OFF = Settings(symbols=False)


def reads(names: tuple[str, ...]) -> str:
    body = "\n".join(f'  String s{i} = System.getProperty("{n}");' for i, n in enumerate(names))
    return f"class A {{\n{body}\n}}\n"


def check(query: str, expected: list[str]) -> None:
    found = project({"A.java": reads(NAMES)})
    result = workspace_symbols(found.analysis, query, Settings(), Wording())
    assert [symbol.name for symbol in result] == expected


def test_ranking() -> None:
    check("pool", ["pool", "pool.size", "net.pool.max", "carpool.x", "p.o.o.l"])
    check("POOL.S", ["pool.size"])
    check("net max", ["net.pool.max"])
    check("zzz", [])


def test_an_empty_query_lists_all() -> None:
    check("", sorted(NAMES, key=lambda name: (len(name), name)))


def test_at_most_two_hundred() -> None:
    found = project({"A.java": reads(tuple(f"a.b{i}" for i in range(300)))})
    result = workspace_symbols(found.analysis, "a", Settings(), Wording())
    assert len(result) == MAX_SYMBOLS


def test_a_symbol_goes_to_the_declaration_or_else_the_first_read() -> None:
    keys = 'class Keys { static final String K = "a.b"; }'
    found = project({"A.java": reads(("a.b", "c.d")), "Keys.java": keys})
    uses = project({"A.java": "class A { int a = Integer.getInteger(K); }", "Keys.java": keys})
    (symbol, _) = workspace_symbols(found.analysis, "", Settings(), Wording())
    assert found.show(symbol.place) == 'A.java:2:34 "a.b"'
    (symbol,) = workspace_symbols(uses.analysis, "a.b", Settings(), Wording())
    assert (uses.show(symbol.place), symbol.container) == ("Keys.java:1:34 K", "system property")


def test_the_options_of_a_file() -> None:
    source = """
class A {
    static final String K = "a.b";
    void m() { Integer.getInteger(K); Integer.getInteger(K); }
    void n() { System.getProperty("c.d"); }
}
"""
    found = project({"A.java": source})
    result = file_symbols(found.analysis, "A.java", Settings(), Wording())
    assert [(s.name, s.detail, found.show(s.name_place)) for s in result] == [
        ("a.b", "system property", "A.java:3:25 K"),
        ("a.b", "system property, read in A.m", "A.java:4:35 K"),
        ("c.d", "system property, read in A.n", 'A.java:5:35 "c.d"'),
    ]
    for symbol in result:
        assert symbol.place.start <= symbol.name_place.start
        assert symbol.name_place.end <= symbol.place.end


def test_disabled() -> None:
    found = project({"A.java": reads(NAMES)})
    assert workspace_symbols(found.analysis, "", OFF, Wording()) == ()
    assert file_symbols(found.analysis, "A.java", OFF, Wording()) == ()
