"""JProfiler's exports: excerpts of real ones (``data/README.md``), and small ones by hand."""

import pytest

from conflens.profiling.importing import Hints
from conflens.profiling.jprofiler.tables import java_method, parameters_descriptor
from conflens.profiling.model import EventKind, ImportFailure, Nature, Unit
from profiling.support import by_method, chains, golden, imported, only, shown

HOT = '<tree type="Hot Spots" threadStatus="Runnable" aggregationLevel="Methods">{}</tree>'
CALLS = '<tree type="Call Tree" threadStatus="{}" aggregationLevel="Methods">{}</tree>'


def node(
    name: str, time: int, count: int, inside: str = "", tag: str = "node", more: str = ""
) -> str:
    """Return an element of an export for the method ``m`` of a class."""
    return (
        f'<{tag} leaf="{str(not inside).lower()}" class="{name}" methodName="m" methodSignature="()V" '
        f'time="{time}" count="{count}" lineNumber="-1" percent="1.0"{more}>{inside}</{tag}>'
    )


def test_real_hot_spots() -> None:
    snapshot = imported(golden("jprofiler/hotspots.xml"), "hotspots.xml")
    series = only(snapshot)
    assert (snapshot.format, series.kind, series.unit) == (
        "JProfiler XML",
        EventKind.CPU,
        Unit.NANOSECONDS,
    )
    assert series.counted
    assert not series.flat
    # Microseconds in the file, as in the first line of the comparison of the same run.
    assert by_method(series)["kanzi.transform.ROLZCodec$ROLZCodec1", "findMatch"] == 42_154_874_000
    first = chains(series)[0]
    assert first.startswith("java.util.concurrent.ThreadPoolExecutor$Worker.run()V > ")
    assert first.endswith(
        "kanzi.transform.ROLZCodec$ROLZCodec1.findMatch(Lkanzi/SliceByteArray;I)I 42154874000/45481647"
    )
    names = {(frame.method, frame.nature) for frame in series.tree.frames}
    assert ("<init>", Nature.JAVA) in names
    assert ("filtered", Nature.OPAQUE) in names


def test_callers_are_nested_inwards() -> None:
    inside = node("A", 60, 6, node("Main", 60, 6)) + node("B", 30, 3)
    series = only(imported(HOT.format(node("Hot", 100, 10, inside, "hotspot"))))
    assert chains(series) == [
        "Main.m()V > A.m()V > Hot.m()V 60000/6",
        "B.m()V > Hot.m()V 30000/3",
        "Hot.m()V 10000/1",
    ]


def test_own_time_is_never_negative() -> None:
    inside = node("A", 70, 7) + node("B", 40, 4)
    hot = only(imported(HOT.format(node("Hot", 100, 10, inside, "hotspot"))))
    assert hot.total == 110_000
    assert min(hot.tree.own) == 0
    calls = only(imported(CALLS.format("Runnable", node("Main", 100, 1, inside))))
    assert by_method(calls) == {("Main", "m"): 0, ("A", "m"): 70_000, ("B", "m"): 40_000}


def test_callees_are_nested_inwards_in_a_call_tree() -> None:
    inside = node("A", 60, 6, node("B", 45, 12)) + node("C", 30, 3)
    series = only(imported(CALLS.format("Runnable", node("Main", 100, 1, inside))))
    assert sorted(chains(series)) == [
        "Main.m()V 10000/1",
        "Main.m()V > A.m()V 15000/6",
        "Main.m()V > A.m()V > B.m()V 45000/12",
        "Main.m()V > C.m()V 30000/3",
    ]
    assert series.counted


def test_own_time_of_a_call_tree_may_be_stated() -> None:
    tree = CALLS.format("Runnable", node("Main", 100, 1, more=' selfTime="40"'))
    assert only(imported(tree)).total == 40_000


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("Runnable", EventKind.CPU),
        ("Waiting", EventKind.WAIT),
        ("Blocking", EventKind.LOCK),
        ("Net I/O", EventKind.IO),
        ("All states", EventKind.WALL),
    ],
)
def test_thread_status_is_the_kind(status: str, kind: EventKind) -> None:
    snapshot = imported(CALLS.format(status, node("Main", 1, 1)))
    assert only(snapshot).kind is kind
    assert not any("status" in note for note in snapshot.notes)


def test_an_unknown_status_is_reported_and_a_hint_is_used() -> None:
    snapshot = imported(CALLS.format("Dreaming", node("Main", 1, 1)))
    assert only(snapshot).kind is EventKind.CPU
    assert any('"Dreaming"' in note for note in snapshot.notes)
    assert only(imported(CALLS.format("", node("M", 1, 1)), "f", Hints(EventKind.IO))).kind is (
        EventKind.IO
    )


def test_hot_spots_without_callers_are_flat() -> None:
    assert only(imported(HOT.format(node("Hot", 5, 1, tag="hotspot")))).flat
    assert not only(imported(CALLS.format("Runnable", node("Main", 5, 1)))).flat


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<tree", "line 1: is not well-formed XML"),
        (HOT.format("<hotspot>"), 'no well-formed XML|has no "time"'),
        (HOT.format("\n\n<hotspot/>"), 'line 3: an element has no "time"'),
        (HOT.format('<hotspot time="1e9" count="1"/>'), '"time" is "1e9", which is not a number'),
        (HOT.format('<hotspot time="-5" count="1"/>'), '"time" is "-5", which is not a number'),
        (HOT.format(f'<hotspot time="{"9" * 18}"/>'), "add up to more than any run has"),
        (HOT.format(""), "has no hot spots and no calls"),
        (HOT.format('<hotspot time="1"><hotspot time="1"/></hotspot>'), "inside another"),
        (HOT.replace("Methods", "Classes").format(""), 'aggregated by "Classes"'),
        (HOT.replace("Hot Spots", "Heap Walker").format(""), 'of type "Heap Walker"'),
        (
            HOT.replace("<tree", '<tree hotSpotCalculation="Total times"').format(""),
            "export them by self times",
        ),
        (
            '<!DOCTYPE tree [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><tree type="&b;"/>',
            "has a document type or entities",
        ),
        ('<!DOCTYPE tree SYSTEM "file:///etc/hostname"><tree/>', "has a document type"),
        ('<?xml version="1.0" encoding="UTB-8"?><tree/>', "has an encoding that is not read"),
        ('<?xml version="1.0" encoding="utf-7"?><tree/>', "has an encoding that is not read"),
        ("<recordings/>", 'looks like XML with the root element "recordings"'),
    ],
)
def test_errors_are_reported_with_their_place(text: str, reason: str) -> None:
    with pytest.raises(ImportFailure, match=reason):
        imported(text)


def test_deep_files_need_no_recursion_and_are_bounded() -> None:
    def nested(depth: int) -> str:
        begun = '<node class="A" methodName="m" time="5" count="1">' * depth
        return CALLS.format("Runnable", begun + "</node>" * depth)

    assert only(imported(nested(5_000))).total == 5_000
    with pytest.raises(ImportFailure, match="more than 5000 elements inside each other"):
        imported(nested(5_001))


def test_an_unclosed_element_is_refused() -> None:
    text = HOT.format("").replace("</tree>", '<hotspot class="' + "x" * 6_000_000)
    with pytest.raises(ImportFailure, match="one element is longer than 4 MB"):
        imported(text)


def test_a_real_comparison() -> None:
    snapshot = imported(golden("jprofiler/comparison.csv"))
    after, before = only(snapshot), snapshot.before[0]
    assert snapshot.format == "JProfiler comparison CSV"
    assert after.flat
    assert after.counted
    text = "kanzi.transform.TextCodec.isText(B)"
    assert f"{text} {(15240674 + 18816155) * 1000}/{100005616 + 98151}" in chains(after)
    assert f"{text} 15240674000/100005616" in chains(before)
    # What ran in the baseline only has no weight afterwards.
    assert "kanzi.transform.DivSufSort.swapInSA(II)" in " ".join(chains(before))
    assert "swapInSA" not in " ".join(chains(after))
    assert after.tree.frames is before.tree.frames


def test_a_table_of_hot_spots() -> None:
    series = only(imported(golden("jprofiler/hotspots.csv")))
    assert "kanzi.transform.TextCodec.isText(B) 15240674000/100005616" in chains(series)
    assert series.flat
    text = '"Hot Spot","Self Time (milliseconds)","Invocations"\r\n"a.B.m()",3,4\r\n'
    assert chains(only(imported(text))) == ["a.B.m() 3000000/4"]


def test_a_comparison_equals_its_hot_spots() -> None:
    """Both are of one run; the XML's descriptors end with the type of the result."""

    def own(name: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for frames, weight, _ in only(imported(golden(name))).tree.chains():
            key = shown(frames[-1]).rpartition(")")[0]
            found[key] = found.get(key, 0) + weight
        return found

    table, spots = own("jprofiler/comparison.csv"), own("jprofiler/hotspots.xml")
    both = table.keys() & spots.keys()
    assert len(both) >= 5
    assert all(table[key] == spots[key] for key in both)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.B.m()", "a.B.m()"),
        ("a.B$C.hash(byte[ ], int, int)", "a.B$C.hash([BII)"),
        ("a.B.m(int[ ][ ], java.util.Map$Entry, a.C[ ])", "a.B.m([[ILjava/util/Map$Entry;[La/C;)"),
        ("a.B.m(byte[], long...)", "a.B.m([B[J)"),
        ("a.B$C.<init>(java.util.Map, boolean)", "a.B$C.<init>(Ljava/util/Map;Z)V"),
        ("a.B.<clinit>()", "a.B.<clinit>()V"),
        ("a.B.m(float, double, char, short)", "a.B.m(FDCS)"),
        ("a.B.m(int, , int)", "a.B.m"),
        ("a.B.m", "a.B.m"),
        (
            "Direct calls to methods of unprofiled classes",
            "opaque Direct calls to methods of unprofiled classes",
        ),
        ("", "opaque not named"),
    ],
)
def test_methods_as_in_sources(text: str, expected: str) -> None:
    assert shown(java_method(text)) == expected


def test_unreadable_parameters_give_no_descriptor() -> None:
    assert parameters_descriptor("int[, byte") == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("method,self_time_us\n", "has no rows"),
        ("method,self_time_us,invocations\na.B.m(),5\n", "line 2: has 2 cells, not 3"),
        ("method,self_time_us\na.B.m(),5\na.B.n(),x\n", 'line 3: "x" is not a number'),
        ("method,self_time_us\na.B.m(),-5\n", "line 2: a weight is negative"),
        ("method,self_time_us\na.B.m(),5\n" + "x" * 200_000, "is longer than 128 kB"),
        (f"method,self_time_us\n{'a.B.m(),' + '9' * 18 + chr(10)}", "more than any run has"),
        ("method,total_time_us\na.B.m(),5\n", "looks like text of another kind"),
        ("method,self_time\na.B.m(),5\n", "looks like text of another kind"),
    ],
)
def test_damaged_tables_have_a_place(text: str, reason: str) -> None:
    with pytest.raises(ImportFailure, match=reason):
        imported(text)
