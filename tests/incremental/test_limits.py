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
    data = encode_table(table)
    assert data is not None and decode_table(data) == table
