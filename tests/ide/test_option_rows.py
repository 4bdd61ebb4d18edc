"""The rows of a list of all options."""

from __future__ import annotations

import attrs
import pytest

from conflens.checking.results import Code, Severity
from conflens.checking.suppression import Policy, Rule
from conflens.ide.diagnostics.diagnostics import diagnostics, undocumented
from conflens.ide.option_list.rows import MAX_DESCRIPTION, MAX_EFFECT, OptionRow, option_rows
from conflens.ide.settings.settings import Settings
from conflens.options.model import OptionType
from conflens.render.phrases import Wording
from conflens.sensitivity.results import Label
from conflens.session.analysis import Analysis
from ide.toy import project

WORDING = Wording(labels={"system-property": "system property"})
SERVER = """class Server {
    /** How much is read at once. It counts for every connection. */
    static final String BUFFER = "net.buffer";
    void start() {
        int n = Integer.getInteger(BUFFER, 5);
        byte[] b = new byte[n]; // <- net.buffer direct memory // + net.buffer sizes a buffer
        for (int i = 0; i < n; i++) {
            out.flush(); // <- net.buffer loop io
        }
        Integer.getInteger(BUFFER, 7);
    }
}
// ? net.buffer sensitive 0.87
"""


def listed(
    files: dict[str, str], settings: Settings | None = None, **changes: object
) -> dict[str, OptionRow]:
    analysis = project(files, **changes).analysis  # type: ignore[arg-type]
    rows = option_rows(analysis, settings or Settings(), WORDING)
    return {row.name: row for row in rows}


def test_a_row_shows_what_an_option_is_and_does() -> None:
    found = project({"src/Server.java": SERVER})
    (row,) = option_rows(found.analysis, Settings(), WORDING)
    place = row.place
    assert place is not None
    assert found.show(place) == "src/Server.java:5:36 BUFFER"
    assert row == OptionRow(
        domain="system-property",
        domain_words="system property",
        name="net.buffer",
        namespace="net",
        label=Label.SENSITIVE,
        probability=0.87,
        sentence="Affects performance: it sizes a buffer.",
        type="whole number",
        default="5 or 7",
        documented=True,
        undocumented=False,
        description="How much is read at once.",
        effect="repeats 1 I/O operation, sizes 1 buffer",
        reads=2,
        place=place,
    )


def test_no_performance_impact_before_the_classifier_has_run() -> None:
    row = listed({"A.java": SERVER.replace("// ?", "//")})["net.buffer"]
    assert (row.label, row.probability, row.sentence) == (Label.UNKNOWN, None, "")


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("insensitive 0.12\n// -! net.buffer is a port", "No performance impact found: it is a port."),
        ("insensitive 0.12\n// +! net.buffer is large", "No performance impact found."),
        ("unknown\n// -! net.buffer is read nowhere", "Performance impact unknown: it is read nowhere."),
        ("unknown", "Performance impact unknown."),
    ],
)  # fmt: skip
def test_one_reason_for_the_performance_impact_is_shown(verdict: str, expected: str) -> None:
    source = 'class A { String s = System.getProperty("net.buffer"); }\n'
    row = listed({"A.java": f"{source}// ? net.buffer {verdict}\n"})["net.buffer"]
    assert row.sentence == expected


def test_a_users_verdict_is_shown_without_reasons_of_the_model() -> None:
    files = {
        "A.java": SERVER,
        ".conflens.toml": '[verdict."net.buffer"]\nsensitive = false\nreason = "measured"\n',
    }
    row = listed(files)["net.buffer"]
    assert row.sentence == "Does not affect performance according to your verdict."
    assert row.label is Label.INSENSITIVE


READ = 'class A { void a() { use(System.getProperty("app.color", "red")); } }\n'
KNOWN = 'class K { String s = System.getProperty("app.size"); }\n'
PAGE = "## app.size\n\nHow large it is. Not more than 5.\n"


def test_documented_undocumented_and_neither() -> None:
    files = {
        "A.java": READ,
        "K.java": KNOWN,
        "O.java": 'class O { String s = System.getProperty("other"); }',
        "docs/a.md": PAGE,
    }
    rows = listed(files)
    assert {name: (row.documented, row.undocumented) for name, row in rows.items()} == {
        "app.color": (False, True),
        "app.size": (True, False),
        "other": (False, False),
    }
    assert rows["app.size"].description == "How large it is."
    unread = listed(files, complete=False)
    assert not unread["app.color"].undocumented


def of_project(policy: Policy, source: str = READ) -> Analysis:
    analysis = project({"A.java": source, "K.java": KNOWN, "docs/a.md": PAGE}).analysis
    return attrs.evolve(analysis, policy=policy)


@pytest.mark.parametrize(
    ("analysis", "settings"),
    [
        (of_project(Policy()), Settings(diagnostics=False)),
        (of_project(Policy()), Settings(undocumented=Severity.OFF)),
        (of_project(Policy((Rule(Code.UNDOCUMENTED_OPTION, "app.*"),))), Settings()),
        (of_project(Policy(severities={Code.UNDOCUMENTED_OPTION: Severity.OFF})), Settings()),
        (of_project(Policy(), f"// conflens: ignore-file\n{READ}"), Settings()),
    ],
)
def test_undocumented_agrees_with_the_diagnostic(analysis: Analysis, settings: Settings) -> None:
    assert diagnostics(analysis, "A.java", settings) == ()
    assert undocumented(analysis, settings) == frozenset()
    plain = of_project(Policy())
    assert undocumented(plain, Settings()) == {("system-property", "app.color")}


def test_texts_are_short_and_without_markup() -> None:
    long = "x" * 500
    files = {
        "A.java": f'class A {{ String s = System.getProperty("a.{long}", "{long}"); }}\n'
        f"// ? a.{long} unknown\n// +! a.{long} {long}\n"
    }
    (row,) = listed(files, description=f"`{long}`", values=("`a`", "b")).values()
    assert len(row.description) <= MAX_DESCRIPTION
    assert len(row.effect) <= MAX_EFFECT
    assert max(map(len, (row.sentence, row.type, row.default))) <= 160
    assert "`" not in row.description + row.type
    assert row.name == f"a.{long}"


def test_defaults() -> None:
    many = "".join(f'int a{n} = Integer.getInteger("a.b", {n});' for n in range(3))
    assert listed({"A.java": f"class A {{ {many} }}"})["a.b"].default == "0 or 1 …"
    secret = 'class A { String s = System.getProperty("a.word", "x"); }'
    assert listed({"A.java": secret})["a.word"].default == "x"
    assert listed({"A.java": secret}, type=OptionType.PASSWORD)["a.word"].default == ""
    empty = (
        'class A { String s = System.getProperty("a.b", ""); String t = System.getProperty("c"); }'
    )
    rows = listed({"A.java": empty})
    assert (rows["a.b"].default, rows["c"].default) == ('""', "")


def test_no_options() -> None:
    assert listed({"A.java": "class A { }"}) == {}
