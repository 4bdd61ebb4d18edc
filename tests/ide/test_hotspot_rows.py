"""The rows of a list of hotspots and the options behind them."""

from __future__ import annotations

import attrs
import pytest

from conflens.diagnosis.results import Under, Value, Verdict
from conflens.flow.results import Dependency
from conflens.ide.profile.hotspot_list import MAX_HOTSPOTS, Behind, hotspots
from conflens.ide.profile.profile import Profile
from conflens.profiling.model import EventKind
from conflens.session.analysis import Analysis
from ide.test_profile import CHAIN, TWO
from ide.toy import project
from ide.toy_profile import line_of, profile

JOBS, SYNC = ("system-property", "a.jobs"), ("system-property", "sync")
OTHER = "sync: 8 % A.run:6 A.encode"
LIBRARY = "sync: 3 % A.run:6 A.cold java.util.zip.Deflater.deflate"


def toy() -> Analysis:
    return project({"A.java": TWO}).analysis


def only(made: Profile, **changes: object) -> Profile:
    """The same diagnosis with one hotspot, changed, which all chains lead to."""
    first = attrs.evolve(made.diagnosis.hotspots[0], **changes)  # type: ignore[arg-type]
    suspects = tuple(
        attrs.evolve(one, causes=tuple(attrs.evolve(cause, hotspot=first) for cause in one.causes))
        for one in made.diagnosis.suspects
    )
    return attrs.evolve(
        made, diagnosis=attrs.evolve(made.diagnosis, hotspots=(first,), suspects=suspects)
    )


def test_a_hotspot_and_its_possible_causes() -> None:
    found = toy()
    rows = hotspots(found, only(profile(found, CHAIN, OTHER), variation=0.21))
    assert rows.compared
    assert rows.more == 0
    (row,) = rows.hotspots
    assert row.place is not None
    assert line_of(row.place, found) == "A.java:10"
    assert (row.method, row.share, row.change, row.kind) == ("A.encode", 0.34, 0.21, "CPU")
    assert row.text == "34 % CPU (51 of 150 samples), 10 samples before"
    assert row.options == (
        Behind(JOBS, "a.jobs", "loop · 30 samples CPU, 10 samples before", 0),
        Behind(SYNC, "sync", "branch · 30 samples CPU, 10 samples before", 0),
    )


def test_each_option_opens_its_first_chain_there() -> None:
    found = toy()
    made = profile(found, LIBRARY, OTHER)
    library, method = hotspots(found, made).hotspots
    assert (library.method, method.method) == ("Deflater.deflate", "A.encode")
    assert [option.cause for option in library.options] == [0]
    assert [option.cause for option in method.options] == [1]


def test_a_library_hotspot_is_placed_at_the_method_that_calls_it() -> None:
    found = toy()
    (row,) = hotspots(found, profile(found, LIBRARY)).hotspots
    assert row.place is not None
    assert line_of(row.place, found) == "A.java:15"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"variation": None, "before": None}, "34 % CPU (51 of 150 samples)"),
        ({"before": 0.0}, "34 % CPU (51 of 150 samples), new"),
        ({"before": 90.0}, "34 % CPU (51 of 150 samples), 90 samples before"),
        (
            {"significant": False},
            "34 % CPU (51 of 150 samples), 10 samples before, perhaps by chance",
        ),
        (
            {"kind": EventKind.ALLOCATION},
            "34 % allocation (51 of 150 samples), 10 samples before",
        ),
    ],
)
def test_the_cost_of_a_hotspot(changes: dict[str, object], text: str) -> None:
    found = toy()
    (row,) = hotspots(found, only(profile(found, CHAIN), **changes)).hotspots
    assert row.text == text


def test_options_of_the_diagnosis() -> None:
    found = toy()
    values = {"a.jobs": Value("4", "64", False), "sync": Value(None, "x" * 99, False)}
    made = profile(found, CHAIN, OTHER, values=values, verdicts={"sync": Verdict.DIFFERS})
    jobs, sync = hotspots(found, made).suspects
    assert (jobs.option, jobs.text, jobs.accused) == (
        JOBS,
        "likely cause: 40 % of the added CPU time, 20 of 50 samples; 4 → 64",
        True,
    )
    assert (jobs.share, jobs.before, jobs.after, jobs.causes) == (0.4, "4", "64", 1)
    assert jobs.place is not None
    assert line_of(jobs.place, found) == "A.java:2"
    assert sync.text.startswith(
        "value differs: 40 % of the added CPU time, 20 of 50 samples; not set → xxx"
    )
    assert sync.text.endswith("…")
    assert not sync.accused
    assert (sync.before, len(sync.after or "")) == (None, 40)


def test_an_unchanged_option_is_listed_but_is_no_cause() -> None:
    found = toy()
    same = {"a.jobs": Value("4", "4", True)}
    made = profile(found, CHAIN, values=same, verdicts={"a.jobs": Verdict.UNCHANGED})
    rows = hotspots(found, made)
    assert rows.hotspots[0].options == ()
    assert [row.text for row in rows.suspects] == ["same value in both runs"]


def test_redacted_values_are_not_shown() -> None:
    found = toy()
    made = profile(found, CHAIN, values={"a.jobs": Value("hush", "hush!", False, secret=True)})
    (row,) = hotspots(found, made).suspects
    assert (row.before, row.after, row.text) == (
        None,
        None,
        "likely cause: 40 % of the added CPU time, 20 of 50 samples; redacted, differs",
    )


def test_a_single_run() -> None:
    found = toy()
    made = profile(found, CHAIN, compared=False, verdicts={"a.jobs": Verdict.BEHIND})
    rows = hotspots(found, made)
    assert not rows.compared
    assert [row.text for row in rows.suspects] == ["20 % of CPU time, 30 of 150 samples"]
    shares = {"sync": Under(EventKind.CPU, 0.41, {Dependency.BRANCH: 0.41})}
    (row,) = hotspots(found, profile(found, compared=False, under=shares)).suspects
    assert (row.option, row.text, row.share, row.causes) == (
        SYNC,
        "41 % of CPU time, 61 of 150 samples",
        pytest.approx(0.41),
        0,
    )


def test_removed_code_has_no_place() -> None:
    found = toy()
    made = profile(found, CHAIN)
    after = project({"A.java": TWO.replace("encode", "other")}).analysis
    assert hotspots(after, made).hotspots[0].place is None
    gone = project({"B.java": "class B { }"}).analysis
    rows = hotspots(gone, made)
    assert [row.place for row in (*rows.hotspots, *rows.suspects)] == [None, None]


def test_external_names_are_on_one_line_and_many_hotspots_are_counted() -> None:
    found = toy()
    made = profile(found, CHAIN)
    first = made.diagnosis.hotspots[0]
    frame = first.method.frame._replace(method="a\n\x07" + "b" * 200)
    strange = attrs.evolve(first, method=first.method._replace(frame=frame))
    many = attrs.evolve(made.diagnosis, hotspots=(strange, *[first] * 60))
    rows = hotspots(found, attrs.evolve(made, diagnosis=many))
    assert (len(rows.hotspots), rows.more) == (MAX_HOTSPOTS, 11)
    assert rows.hotspots[0].method.isprintable()
    assert len(rows.hotspots[0].method) <= 120


def test_without_hotspots() -> None:
    found = toy()
    rows = hotspots(found, profile(found))
    assert (rows.hotspots, rows.suspects, rows.more) == ((), (), 0)
