"""Reasons: what is said follows from flows, name and type, in words that a person can check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.flow.results import place_of
from conflens.options.model import OptionType
from conflens.sensitivity.explain import MAX, Explainer
from conflens.sensitivity.features import Subject, features
from conflens.sensitivity.results import Reason
from conflens.sensitivity.vocabulary import packaged
from conflens.session.analysis import Analysis
from sensitivity.programs import NAMES, analysed, body, near, option, reach

ORDER = features(packaged())
FLOWS, NAME, TYPE = "operations", "name leans", "is a number"


def reasons(
    analysis: Analysis, name: str, sensitive: bool, /, **shares: float
) -> tuple[Reason, ...]:
    """The reasons when flows, name and type move the score by so much."""
    contributions = [0.0] * len(NAMES)
    for about, value in shares.items():
        feature = {"flows": FLOWS, "name": NAME, "type": TYPE}[about]
        contributions[NAMES.index(feature)] = value
    subject = Subject(option(analysis, name), reach(analysis, name))
    return Explainer(packaged(), ORDER, near(analysis)).reasons(subject, contributions, sensitive)


def texts(found: tuple[Reason, ...]) -> list[str]:
    return [reason.text for reason in found]


def shown(analysis: Analysis, reason: Reason) -> str:
    """The source at a reason's place."""
    assert reason.ref is not None
    place = place_of(analysis.program, reason.ref, reason.index)
    text = analysis.texts.text(place.path)
    assert text is not None
    return text[place.start : place.end].decode()


# -- flows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "said", "source"),
    [
        (
            'Executors.newFixedThreadPool(Integer.getInteger("x", 4)).submit(() -> 1);',
            "sizes a thread pool",
            'Executors.newFixedThreadPool(Integer.getInteger("x", 4))',
        ),
        ('byte[] b = new byte[Integer.getInteger("x")];', "sizes a buffer", None),
        (
            'new ArrayBlockingQueue<String>(Integer.getInteger("x")).clear();',
            "sizes a queue",
            None,
        ),
        (
            'Thread.sleep(Integer.getInteger("x"));',
            "sets how long a thread waits",
            'Thread.sleep(Integer.getInteger("x"))',
        ),
        (
            'if (Boolean.getBoolean("x")) { out.write(1); }',
            "controls whether data is read or written",
            "out.write(1)",
        ),
        (
            'if (Boolean.getBoolean("x")) { while (lock != null) { out.write(1); } }',
            "controls whether data is read or written inside a loop",
            "out.write(1)",
        ),
        (
            'for (int i = 0; i < Integer.getInteger("x"); i++) { out.write(i); }',
            "controls how often data is read or written",
            "out.write(i)",
        ),
        (
            'if (Boolean.getBoolean("x")) { synchronized (lock) { } }',
            "controls whether a lock is acquired or released",
            None,
        ),
    ],
)
def test_reasons_from_flows(code: str, said: str, source: str | None) -> None:
    analysis = analysed(body(code))
    found = reasons(analysis, "x", True, flows=0.3)
    assert found[0].text == said
    assert found[0].toward
    text = shown(analysis, found[0])
    assert text
    if source is not None:
        assert text == source


def test_an_operation_without_a_family_is_named_itself() -> None:
    toml = '[[operation]]\ncall = "p.Store.keep"\nkind = "io"\n'
    from conflens.base.system import MemorySystem  # noqa: PLC0415
    from session.support import session  # noqa: PLC0415

    code = body(
        'int n = Integer.getInteger("x"); Store.keep(n);'
        " if (n > 2) { Store.keep(1); } for (int i = 0; i < n; i++) { Store.keep(2); }"
    )
    store = "package p;\nclass Store { static native void keep(int n); }\n"
    files = {"src/A.java": code, "src/Store.java": store, ".conflens.toml": toml}
    analysis = session(MemorySystem(files)).scan()
    subject = Subject(option(analysis, "x"), reach(analysis, "x"))
    telling = Explainer(packaged(), ORDER, near(analysis)).telling(subject)
    assert {told.reason.text for told in telling} == {
        "is passed to Store.keep",
        "controls whether Store.keep runs",
        "controls how often Store.keep runs",
    }


def test_the_strongest_reason_comes_first_and_each_fact_once() -> None:
    code = """
    int n = Integer.getInteger("x");
    if (n > 1) { out.write(1); out.write(2); }
    if (n > 2) { while (lock != null) { out.write(3); } }
    Executors.newFixedThreadPool(n).submit(() -> 1);
    Executors.newFixedThreadPool(n + 1).submit(() -> 1);"""
    analysis = analysed(body(code))
    subject = Subject(option(analysis, "x"), reach(analysis, "x"))
    telling = Explainer(packaged(), ORDER, near(analysis)).telling(subject)
    said = tuple(told.reason for told in telling)
    assert texts(said) == [
        "sizes a thread pool",
        "controls whether data is read or written inside a loop",
    ]
    assert shown(analysis, said[1]) == "out.write(3)"
    assert reasons(analysis, "x", True, flows=0.3) == said


# -- against ---------------------------------------------------------------------------------------


def test_unreached_operations_are_a_reason() -> None:
    analysis = analysed(body('Object o = System.getProperty("x");'))
    (reason,) = reasons(analysis, "x", False, flows=-0.3)
    assert reason == Reason("reaches no known costly operation", False)


def test_a_stopped_analysis_is_a_reason() -> None:
    analysis = analysed(
        body('lock.equals(System.getProperty("x")); Gone.take(Integer.getInteger("x"));')
    )
    assert reach(analysis, "x").cold and not reach(analysis, "x").flows
    (reason,) = reasons(analysis, "x", False, flows=-0.3)
    assert reason.text == "reaches no known costly operation"


@pytest.mark.parametrize(
    ("code", "family"),
    [
        ('if (Boolean.getBoolean("x")) System.err.println("on");', "printing"),
        ('new FileInputStream(System.getProperty("x"));', "file operations"),
        (
            'if (Boolean.getBoolean("x")) { System.err.println("on"); System.err.println("off");'
            ' new FileInputStream("y"); }',
            "printing",
        ),
    ],
)
def test_cheap_operations_are_called_cheap(code: str, family: str) -> None:
    analysis = analysed(body(code))
    assert reach(analysis, "x").flows
    found = reasons(analysis, "x", False, flows=-0.3)
    assert texts(found) == [f"reaches only cheap operations, such as {family}"]


def test_costly_operations_reached_with_low_confidence_are_not_called_cheap() -> None:
    code = 'if (Boolean.getBoolean("x")) System.err.println("on"); lib.Gone.size(Integer.getInteger("x")).fill(new byte[1]);'
    lost = analysed(body(code))
    assert texts(reasons(lost, "x", False, flows=-0.3)) == [
        "reaches only cheap operations, such as printing"
    ]
    code = 'if (Boolean.getBoolean("x")) System.err.println("on"); byte[] b = new byte[lib.Gone.size(Integer.getInteger("x"))];'
    unsure = analysed(body(code))
    assert {flow.confidence.value for flow in reach(unsure, "x").flows} == {"high", "low"}
    assert texts(reasons(unsure, "x", False, flows=-0.3)) == [
        "reaches costly operations only with low confidence"
    ]


def test_a_lock_is_never_the_first_reason() -> None:
    code = 'if (Boolean.getBoolean("x.cache")) { synchronized (lock) { } }'
    found = reasons(analysed(body(code)), "x.cache", True, flows=0.3, name=0.2)
    assert texts(found) == [
        "has “cache” in its name",
        "controls whether a lock is acquired or released",
    ]


def test_work_in_a_constructor_is_described_as_such() -> None:
    members = 'A(OutputStream out) throws Exception { if (Boolean.getBoolean("x")) out.write(1); }'
    analysis = analysed(body("", members))
    (reason,) = reasons(analysis, "x", True, flows=0.3)
    assert reason.text == "controls whether data is read or written at startup or shutdown"


def test_small_amounts_are_described_as_small() -> None:
    analysis = analysed(body('if (Boolean.getBoolean("x")) out.write(1);'))
    (reason,) = reasons(analysis, "x", False, flows=-0.3)
    said = "matters only where it controls whether data is read or written"
    assert (reason.text, reason.toward) == (said, False)
    assert shown(analysis, reason) == "out.write(1)"


def test_reasons_against_come_last() -> None:
    analysis = analysed(body('byte[] b = new byte[Integer.getInteger("cache.timeout")];'))
    found = reasons(analysis, "cache.timeout", True, flows=0.1, name=-0.4)
    assert texts(found) == ["sizes a buffer", "has “cache timeout” in its name"]
    assert [reason.toward for reason in found] == [True, False]
    found = reasons(analysis, "cache.timeout", False, flows=0.1, name=-0.05)
    assert texts(found) == ["has “cache timeout” in its name", "sizes a buffer"]


def test_a_sensitive_option_that_reaches_nothing_says_so_last() -> None:
    analysis = analysed(body('Object o = System.getProperty("x.cache");'))
    found = reasons(analysis, "x.cache", True, name=0.4)
    assert texts(found) == ["has “cache” in its name", "reaches no known costly operation"]
    assert [reason.toward for reason in found] == [True, False]


def test_negligible_contributions_are_omitted() -> None:
    analysis = analysed(body('byte[] b = new byte[Integer.getInteger("x.cache")];'))
    found = reasons(analysis, "x.cache", True, flows=0.3, name=0.01, type=-0.01)
    assert texts(found) == ["sizes a buffer"]


def test_the_type_is_a_reason() -> None:
    analysis = analysed(body('new File(System.getProperty("x")).exists();'))
    assert option(analysis, "x").type is OptionType.FILE
    found = reasons(analysis, "x", False, type=-0.3)
    assert [reason.toward for reason in found] == [False, False]
    assert texts(found)[1] == "is the path of a file or folder"


# -- always ----------------------------------------------------------------------------------------

MANY = analysed(
    body(
        """
    int n = Integer.getInteger("a.cache.timeout");
    byte[] b = new byte[n];
    if (n > 1) { out.write(1); while (lock != null) { out.write(3); } }
    Executors.newFixedThreadPool(n).submit(() -> 1);
    if (Boolean.getBoolean("b")) System.err.println("on");
    Object c = System.getProperty("c");
    new FileInputStream(System.getProperty("d"));
    Object e = System.getProperty("e.cache");
    Object f = Integer.getInteger("f");
    Gone.take(System.getProperty("g"));
    if (System.getProperty("h") == null) { synchronized (lock) { } }"""
    )
)
SHARES = st.floats(-0.6, 0.6)


def of_all() -> Iterator[str]:
    return iter(option.name for option in MANY.options.options)


@given(st.sampled_from(sorted(of_all())), SHARES, SHARES, SHARES, st.booleans())
def test_there_are_one_to_three_reasons_and_those_against_are_last(
    name: str, flows: float, of_name: float, of_type: float, sensitive: bool
) -> None:
    found = reasons(MANY, name, sensitive, flows=flows, name=of_name, type=of_type)
    assert 1 <= len(found) <= MAX
    assert len(set(texts(found))) == len(found)
    sides = [reason.toward == sensitive for reason in found]
    assert sides == sorted(sides, reverse=True)
    for reason in found:
        assert reason.text[0].islower() and not reason.text.endswith(".")
        if reason.ref is not None:
            assert shown(MANY, reason)
    assert sides[0]


@pytest.mark.parametrize("sensitive", [True, False])
@pytest.mark.parametrize("name", sorted(of_all()))
def test_a_label_without_a_decisive_feature_has_a_reason_too(name: str, sensitive: bool) -> None:
    found = reasons(MANY, name, sensitive)
    assert found and found[0].toward == sensitive
