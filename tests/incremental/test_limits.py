"""Limits and deprecations after edits are those of a fresh discovery, in the file that is edited and in others."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from conflens.base.system import MemorySystem
from conflens.options.model import OptionTable
from conflens.session.store.stored import decode_table, encode_table
from session.support import session

FILES = {
    "src/Keys.java": (
        'class Keys { static final int LEAST = 2; static final String OLD = "a.old";'
        ' static final String NEW = "a.new"; }'
    ),
    "src/Own.java": (
        "class Own { static int read(String name) { return Integer.parseInt(System.getProperty(name)); } }"
    ),
    "src/Mode.java": "enum Mode { FAST, SLOW }",
    "src/Codec.java": "abstract class Codec { }",
    "src/User.java": (
        "class User { void run() throws Exception {"
        ' int n = Integer.getInteger("a.n", 5); if (n < Keys.LEAST) throw new IllegalArgumentException();'
        ' use(n, Own.read("a.own"), Mode.valueOf(System.getProperty("a.mode")), System.getProperty(Keys.OLD));'
        ' Codec c = (Codec) Class.forName(System.getProperty("a.codec")).newInstance(); use(c); }'
        " void use(Object... o) {} }"
    ),
    "src/Deltas.java": (
        "import org.apache.hadoop.conf.Configuration;\n"
        'class Deltas { Object o = new Configuration.DeprecationDelta("h.old", Keys.NEW);'
        ' int n(Configuration conf) { return conf.getInt("h.old", 1); } }'
    ),
    "src/Words.java": 'class Words { static final String ONE = "one"; static final String DEFAULT_PASSWORD = "x"; }',
    "src/Bound.java": (
        "import org.springframework.boot.context.properties.ConfigurationProperties;\n"
        "import org.springframework.beans.factory.annotation.Value;\n"
        '@ConfigurationProperties("b") class Bound { private String kind = "one"; public String getKind() { return kind; }'
        " public void setKind(String v) { kind = v; } }\n"
        'class Held { @Value("${c.mode:FAST}") String mode; Mode mode() { return Mode.valueOf(mode); } }'
    ),
    "src/Asks.java": (
        "class Asks { void run(Bound b, Runner r) { String kind = b.getKind();"
        ' if (Words.ONE.equals(kind)) { r.run(); } else if ("two".equals(kind)) { r.stop(); } } }'
    ),
    "src/Fills.java": "class Fills { void run(Held h) { h.mode.length(); } }",
    "src/Secret.java": (
        'class Secret { void run(Cred c) { c.take(System.getProperty("d.p", "hunter"));'
        ' String s = System.getProperty("d.q", Words.DEFAULT_PASSWORD); } }'
    ),
    "src/Cred.java": "class Cred { void take(String text) { use(text); } void use(Object o) {} }",
}

EDITS = {
    "the bound in a constant": ("src/Keys.java", "LEAST = 2", "LEAST = 3"),
    "the check goes": ("src/User.java", "n < Keys.LEAST", "n == Keys.LEAST"),
    "the check moves": ("src/User.java", "class User {", "class User { /* here */ "),
    "a wrapper parses no more": (
        "src/Own.java",
        "Integer.parseInt(System.getProperty(name))",
        "System.getProperty(name).length()",
    ),
    "the enum grows": ("src/Mode.java", "SLOW", "SLOW, SLOWER"),
    "a class can be made": ("src/Codec.java", "abstract class", "class"),
    "a constant is deprecated": (
        "src/Keys.java",
        "static final String OLD",
        "@Deprecated static final String OLD",
    ),
    "a comment says what to use": (
        "src/Keys.java",
        "static final String OLD",
        "/** @deprecated use {@link #NEW} */ static final String OLD",
    ),
    "the new name changes": ("src/Keys.java", '"a.new"', '"b.new"'),
    "a word changes": ("src/Words.java", '"one"', '"ones"'),
    "a value is passed on": ("src/Asks.java", "r.stop(); }", "r.stop(); } r.go(kind);"),
    "a word is added": ("src/Asks.java", '"two".equals', '"three".equals(kind) || "two".equals'),
    "code fills a field, too": ("src/Fills.java", "h.mode.length()", "h.mode = h.mode.trim()"),
    "a parameter holds a secret": ("src/Cred.java", "String text", "String password"),
    "a default is that of no secret": ("src/Secret.java", "Words.DEFAULT_PASSWORD", "Words.ONE"),
    "a name is superseded no more": ("src/Deltas.java", '"h.old", Keys', '"h.older", Keys'),
}


def fresh(files: Mapping[str, str]) -> OptionTable:
    return session(MemorySystem(dict(files))).scan().options


@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_the_result_is_that_of_a_fresh_scan(name: str) -> None:
    path, before, after = EDITS[name]
    system = MemorySystem(dict(FILES))
    one = session(system)
    first = one.scan().options
    assert before in FILES[path]
    text = FILES[path].replace(before, after)
    system.write(path, text)
    one.files_changed([path])
    again = one.rebuild().options
    assert again == fresh({**FILES, path: text})
    assert again != first


def test_the_stored_table_keeps_limits() -> None:
    table = fresh(FILES)
    by_name = {option.name: option for option in table.options}
    assert by_name["a.n"].limits.minimum == 2
    assert by_name["a.mode"].limits.closed
    assert by_name["a.codec"].limits.supertype == "Codec"
    assert by_name["a.own"].limits.accepts == "integer"
    assert by_name["h.old"].deprecated == "use a.new"
    assert set(by_name["b.kind"].limits.compared) == {"one", "two"}
    assert by_name["c.mode"].limits.closed
    assert (by_name["d.p"].target, by_name["d.q"].target) == ("", "DEFAULT_PASSWORD")
    data = encode_table(table)
    assert data is not None and decode_table(data) == table
