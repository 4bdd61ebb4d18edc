"""Laws of diagnoses, on made-up profiles of one program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflens.diagnosis.diagnose import diagnose
from conflens.diagnosis.results import Verdict
from conflens.profiling.building import FrameTable, TreeBuilder
from conflens.profiling.model import EventKind, Series, Snapshot, Unit
from diagnosis.notation import Told, frame, subject

JAVA = """
import java.util.zip.Deflater;
class Main {
  static int requests = Integer.getInteger("requests", 10);
  static int millis = Integer.getInteger("millis", 10);
  static boolean sync = Boolean.getBoolean("sync");
  static boolean safe = Boolean.getBoolean("safe");
  public static void main(String[] args) throws Exception {
    Deflater deflater = new Deflater(Integer.getInteger("level", 6));
    for (int i = 0; i < requests; i++) {
      serve();
      deflater.deflate(new byte[10]);
    }
    if (safe) {
      new Thread(new Task()).start();
    }
  }
  static class Task implements Runnable { public void run() { save(); } }
  static void serve() throws Exception {
    if (sync && safe) {
      save();
    }
    Thread.sleep(millis);
  }
  static void save() { write(); }
  static void write() {}
}
"""
CHAINS = [
    [frame(word) for word in chain.split("; ")]
    for chain in (
        "[main]; Main.main",
        "[main]; Main.main; Main.serve",
        "[main]; Main.main; Main.serve; Main.save",
        "[main]; Main.main; Main.serve; Main.save; Main.write",
        "[main]; Main.main; Main.serve; java.lang.Thread.sleep",
        "[main]; Main.main; java.util.zip.Deflater.deflate; java.util.zip.Deflater.deflateBytes",
        "[pool-*]; java.lang.Thread.run; Main$Task.run; Main.save; Main.write",
        "[pool-*]; java.lang.Thread.run; Main$Task.run; Main.save; Main.write; java.io.Writer.write",
        "[gc]; (GC)",
        "Main.write; Main.write; Main.write",
        "java.lang.Object.wait",
    )
]


class Row(NamedTuple):
    chain: int
    kind: EventKind
    before: int
    after: int


ROWS = st.lists(
    st.builds(
        Row,
        st.integers(0, len(CHAINS) - 1),
        st.sampled_from([EventKind.CPU, EventKind.SLEEP, EventKind.LOCK]),
        st.integers(0, 2_000),
        st.integers(0, 2_000),
    ),
    min_size=1,
    max_size=25,
    unique_by=lambda row: (row.chain, row.kind),
)
SECONDS = st.sampled_from([(0.0, 0.0), (10.0, 10.0), (10.0, 30.0), (30.0, 10.0)])
_UNIT = 10_000_000
quick = settings(max_examples=60)


def snapshot(rows: Sequence[Row], side: int, seconds: float, factor: int = 1) -> Snapshot:
    table = FrameTable()
    trees = {row.kind: TreeBuilder(table) for row in rows}
    for row in rows:
        count = row.after if side else row.before
        weight = count * _UNIT * factor
        trees[row.kind].add([table.number(one) for one in CHAINS[row.chain]], weight, count)
    return Snapshot(
        "run",
        "collapsed",
        tuple(Series(kind, Unit.NANOSECONDS, tree.tree()) for kind, tree in trees.items()),
        seconds=seconds,
    )


def diagnosed(
    rows: Sequence[Row], seconds: tuple[float, float], factor: int = 1, compared: bool = True
) -> Told:
    before = [snapshot(rows, 0, seconds[0], factor)] if compared else []
    return Told(diagnose(subject(JAVA), before, [snapshot(rows, 1, seconds[1], factor)]))


def parts(found: Told) -> dict[str, float]:
    return {one.option[1]: one.explained for one in found.diagnosis.suspects}


@quick
@given(ROWS, SECONDS, st.booleans())
def test_no_cost_is_attributed_twice(
    rows: list[Row], seconds: tuple[float, float], compared: bool
) -> None:
    found = diagnosed(rows, seconds, compared=compared)
    suspects = found.diagnosis.suspects
    explained = sum(one.explained for one in suspects)
    assert explained <= 1 + 1e-9
    assert 0 <= found.diagnosis.unexplained <= 1
    assert explained + found.diagnosis.unexplained <= 1 + 1e-9
    for one in suspects:
        assert one.explained >= 0
        assert sum(one.parts.values()) == pytest.approx(one.explained)
        assert sum(cause.explained for cause in one.causes) <= one.explained + 1e-9
        assert (one.verdict is Verdict.BEHIND) == (not compared)
        for cause in one.causes:
            assert 0 <= cause.joint < len(cause.chain.frames)
            assert cause.chain in cause.hotspot.chains
            assert cause.option == one.option


@quick
@given(ROWS, SECONDS)
def test_a_run_compared_with_itself_has_no_cause(
    rows: list[Row], seconds: tuple[float, float]
) -> None:
    run = snapshot(rows, 0, seconds[0])
    found = diagnose(subject(JAVA), [run], [run])
    assert not found.violated
    assert found.hotspots == ()
    assert found.suspects == ()


@quick
@given(ROWS, SECONDS, st.randoms(use_true_random=False))
def test_the_order_of_the_file_does_not_matter(
    rows: list[Row], seconds: tuple[float, float], random: st.DrawFn
) -> None:
    other = list(rows)
    random.shuffle(other)  # type: ignore[attr-defined]
    one, two = diagnosed(rows, seconds), diagnosed(other, seconds)
    assert parts(one) == pytest.approx(parts(two))
    assert one.diagnosis.violated == two.diagnosis.violated
    assert {name: one.under(name) for name in parts(one)} == {
        name: two.under(name) for name in parts(one)
    }


@quick
@given(ROWS, SECONDS, st.sampled_from([3, 1000]))
def test_a_smaller_unit_does_not_matter(
    rows: list[Row], seconds: tuple[float, float], factor: int
) -> None:
    one, two = diagnosed(rows, seconds), diagnosed(rows, seconds, factor)
    assert parts(one) == pytest.approx(parts(two))
    assert one.diagnosis.violated == two.diagnosis.violated


@quick
@given(ROWS, SECONDS, st.booleans())
def test_shares_lie_between_zero_and_one(
    rows: list[Row], seconds: tuple[float, float], compared: bool
) -> None:
    found = diagnosed(rows, seconds, compared=compared).diagnosis
    own: dict[EventKind, float] = {}
    for heats in found.heat.values():
        for heat in heats:
            own[heat.kind] = own.get(heat.kind, 0.0) + heat.own
            assert 0 <= heat.own <= heat.whole + 1e-9
            assert heat.whole <= 1 + 1e-9
    assert all(share <= 1 + 1e-9 for share in own.values())
    for unders in found.under.values():
        for under in unders:
            assert 0 <= under.share <= 1
            assert 0 <= (under.before or 0.0) <= 1
            assert under.share or under.before
            assert sum(under.parts.values()) == pytest.approx(under.share)
