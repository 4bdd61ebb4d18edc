"""The sentence on what changing an option does, in hovers, completions, reference pages and JSON."""

from __future__ import annotations

import json

import pytest

from conflens.base.span import Place
from conflens.base.system import MemorySystem
from conflens.cli.docs.reference import entries, facts
from conflens.cli.report.contract import encode
from conflens.cli.report.report import report
from conflens.flow.terms import VALUE, Name, Number, Term, operation
from conflens.ide.hover.config_files import config_hover, option_text
from conflens.ide.hover.java import hover
from conflens.ide.settings.settings import Settings
from conflens.options.model import Option
from conflens.properties.model import Direction, Properties, Slope, Way
from conflens.render.phrases import Wording
from conflens.render.property_phrases import amount_words, property_words, slope_words
from conflens.session.analysis import Analysis
from session.support import session
from steps import steps

JAVA = """class Pool {
    byte[] size() { return new byte[Integer.getInteger("pool.kb", 9) * 1024]; }
    void flush(java.io.OutputStream out, int n) throws Exception { if (n++ >= Integer.getInteger("pool.flush", 9)) out.flush(); }
    void on(java.io.OutputStream out) throws Exception { if (Boolean.getBoolean("pool.sync")) out.flush(); }
    void pause(int factor) throws Exception { Thread.sleep(Long.getLong("pool.pause", 9) * factor); }
}
"""
TIMES = "\N{MULTIPLICATION SIGN}"
SENTENCES = {
    "pool.kb": f"Raising it: more memory ({TIMES} 1,024 bytes).",
    "pool.flush": "Raising it: fewer flushes.",
    "pool.pause": f"Raising it: longer pauses ({TIMES} `factor` ms).",
}
PLACE = Place("A.java", 0, 1)


def analysis() -> Analysis:
    files = {"src/Pool.java": JAVA, "src/main/resources/pool.properties": "pool.kb=4\n"}
    return session(MemorySystem(files)).scan()


def option(found: Analysis, name: str) -> Option:
    return next(one for one in found.options.options if one.name == name)


@pytest.mark.parametrize("name", SENTENCES)
def test_a_hover_says_what_raising_an_option_does(name: str) -> None:
    found = analysis()
    shown = hover(found, "src/Pool.java", JAVA.index(name) + 1, Settings(), Wording())
    assert shown is not None
    assert SENTENCES[name] in shown.markdown.split("\n\n")


def test_completions_and_config_files_say_it() -> None:
    found = analysis()
    text = option_text(found, option(found, "pool.kb").key, Settings(), Wording())
    assert text is not None and SENTENCES["pool.kb"] in text
    shown = config_hover(found, "src/main/resources/pool.properties", 2, Settings(), Wording())
    assert shown is None or SENTENCES["pool.kb"] in shown.markdown


def test_reference_pages_say_it() -> None:
    found = analysis()
    (entry,) = entries(found, [option(found, "pool.kb")], lines=False)
    listed = {label: "".join(text for _, text in pieces) for label, pieces in facts(entry)}
    assert listed["Changing it"] == SENTENCES["pool.kb"]


def test_json_has_slopes_directions_and_monotonicity() -> None:
    told = json.loads(encode(report(analysis())))
    by = {one["name"]: one["properties"] for one in told["options"]}
    assert by["pool.kb"]["slopes"] == [
        {
            "expression": "v * 1024",
            "kind": "memory",
            "unit": "bytes",
            "path": "src/Pool.java",
            "line": 2,
        }
    ]
    assert by["pool.kb"]["direction"] == {"memory": "up"}
    assert by["pool.kb"]["monotone"] is True
    assert by["pool.flush"]["direction"] == {"io": "down"}
    assert by["pool.sync"] == {
        "limits": [],
        "slopes": [],
        "direction": {},
        "relations": [],
        "felt_by": [],
        "entries": {},
        "monotone": None,
    }


def _slope(term: Term | None, unit: str = "bytes") -> Slope:
    assert term is not None
    return Slope(term, "", "memory", unit, PLACE)


def test_words_of_a_slope() -> None:
    rows = operation("*", VALUE, Name("rows"))
    assert slope_words(_slope(VALUE)) == ""
    assert slope_words(_slope(operation("*", VALUE, Number(4096.0)))) == f"{TIMES} 4,096 bytes"
    assert slope_words(_slope(rows, "chars")) == f"{TIMES} `rows` characters"
    assert slope_words(_slope(operation("*", VALUE, Name("a" * 60)))) == ""


def test_less_is_said_of_what_is_not_counted_and_nothing_of_both() -> None:
    ways = (
        Direction("io", Way.DOWN, "I/O", PLACE),
        Direction("lock", Way.MIXED, "locking", PLACE),
        Direction("lock", Way.DOWN, "longer pauses", PLACE),
        Direction("thread", Way.UP, "threads", PLACE),
        Direction("compute", Way.UP, "computation", PLACE),
    )
    said = property_words(Properties(directions=ways))
    assert said == "Raising it: less I/O, shorter pauses, more threads."
    assert property_words(Properties()) == ""


def test_a_look_costs_little_beside_the_scan_and_a_second_one_nothing() -> None:
    found = analysis()

    def look() -> None:
        for one in found.options.options:
            found.properties.of(one)

    first, second = steps(look), steps(look)
    assert first < steps(analysis) / 4
    assert second < 10 * len(found.options.options)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("rows", "wait: v * rows ms"),
        ("list.size()", "wait: v * list.size() ms"),
        ("getRemainingDelay()", "wait: grows with v"),
        ("theNumberOfAllRowsThatAreLeft", "wait: grows with v"),
    ],
)
def test_an_amount_says_only_what_is_called_plainly(name: str, wanted: str) -> None:
    term = operation("*", VALUE, Name(name))
    assert term is not None
    assert amount_words(Slope(term, f"v * {name}", "lock", "ms", PLACE, "wait")) == wanted


def test_what_an_amount_is_of_is_called_by_what_it_does() -> None:
    java = """class Pool {
    void pause() throws Exception { Thread.sleep(Long.getLong("pool.pause", 9)); }
    void start(Runnable run) { for (int i = 0; i < Integer.getInteger("pool.threads", 9); i++) new Thread(run).start(); }
}
"""
    found = session(MemorySystem({"src/Pool.java": java})).scan()
    told = {
        name: [amount_words(one) for one in found.properties.of(option(found, name)).slopes]
        for name in ("pool.pause", "pool.threads")
    }
    assert told == {"pool.pause": ["wait: v ms"], "pool.threads": ["threads: v threads"]}
