"""speedscope: py-spy's real file (``data/README.md``), small ones by hand, and our own exports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conflens.profiling import speedscope
from conflens.profiling.importing import Hints
from conflens.profiling.model import EventKind, ImportFailure, Nature, Series, Unit
from conflens.profiling.speedscope_export import SCHEMA, export_speedscope
from profiling.support import DATA, by_method, chains, golden, imported, only


def file(
    *profiles: dict[str, Any], frames: tuple[str, ...] = ("a/B.root", "a/B.leaf", "a/C.x")
) -> str:
    """Return a file with the given profiles."""
    shared = {"frames": [{"name": name} for name in frames]}
    return json.dumps({"$schema": SCHEMA, "shared": shared, "profiles": profiles})


def sampled(samples: object, weights: object, **more: object) -> dict[str, Any]:
    whole = {"type": "sampled", "name": "", "unit": "none", "startValue": 0, "endValue": 1}
    return whole | {"samples": samples, "weights": weights} | more


def evented(*events: tuple[str, int, float], **more: object) -> dict[str, Any]:
    whole = {"type": "evented", "name": "", "unit": "seconds", "startValue": 0, "endValue": 1}
    listed = [{"type": kind, "frame": frame, "at": at} for kind, frame, at in events]
    return whole | {"events": listed} | more


def test_a_real_file() -> None:
    snapshot = imported(golden("speedscope/py-spy.speedscope.json"))
    series = only(snapshot)
    assert (series.kind, series.unit) == (EventKind.CPU, Unit.NANOSECONDS)
    text = json.loads(golden("speedscope/py-spy.speedscope.json"))
    seconds = sum(sum(profile["weights"]) for profile in text["profiles"])
    assert series.total == pytest.approx(seconds * 1e9, rel=1e-6)
    threads = {frame.method for frame in series.tree.frames if frame.nature is Nature.THREAD}
    assert threads == {'Thread * "MainThread"', 'Thread * "worker-*"'}
    assert any("does not say what was sampled" in note for note in snapshot.notes)


def test_samples_lead_from_root_to_leaf() -> None:
    text = file(sampled([[0, 1], [0], [0, 1], []], [2, 3, 4, 5]))
    assert sorted(chains(only(imported(text)))) == [
        "a.B.root 3/3",
        "a.B.root > a.B.leaf 6/6",
        "opaque no frames 5/5",
    ]


@pytest.mark.parametrize(
    ("unit", "expected", "total"),
    [
        ("none", Unit.SAMPLES, 2),
        ("nanoseconds", Unit.NANOSECONDS, 2),
        ("microseconds", Unit.NANOSECONDS, 1_500),
        ("milliseconds", Unit.NANOSECONDS, 1_500_000),
        ("seconds", Unit.NANOSECONDS, 1_500_000_000),
        ("bytes", Unit.BYTES, 2),
    ],
)
def test_units(unit: str, expected: Unit, total: int) -> None:
    series = only(imported(file(sampled([[0]], [1.5], unit=unit))))
    assert (series.unit, series.total) == (expected, total)
    assert series.kind is (EventKind.ALLOCATION if unit == "bytes" else EventKind.CPU)


def test_events_are_converted_to_own_time() -> None:
    text = file(
        evented(
            ("O", 0, 1.0),
            ("O", 1, 1.25),
            ("C", 1, 1.5),
            ("O", 1, 1.5),
            ("C", 1, 1.75),
            ("C", 0, 2.0),
        )
    )
    assert sorted(chains(only(imported(text)))) == [
        "a.B.root 500000000/0",
        "a.B.root > a.B.leaf 500000000/0",
    ]


def test_profiles_are_threads_or_kinds() -> None:
    threads = imported(file(sampled([[0]], [1], name="w-1"), sampled([[0]], [2], name="w-2")))
    assert chains(only(threads)) == ["thread w-* > a.B.root 3/3"]
    kinds = imported(
        file(sampled([[0]], [1], name="wall"), sampled([[0]], [2], name="lock · my run"))
    )
    assert [(s.kind, s.total) for s in kinds.series] == [(EventKind.WALL, 1), (EventKind.LOCK, 2)]
    assert kinds.notes == ()
    hinted = imported(file(sampled([[0]], [1])), "f", Hints(EventKind.IO))
    assert only(hinted).kind is EventKind.IO


def test_lines_and_labels() -> None:
    shared = {
        "frames": [
            {"name": "a.B.m  [jobs · loop]", "file": "B.java", "line": 12, "col": 4},
            {"name": "native_code", "line": 5},
            {"name": "a.B.n", "line": None},
        ]
    }
    text = json.dumps({"shared": shared, "profiles": [sampled([[0, 1], [2]], [1, 1])]})
    assert chains(only(imported(text))) == ["a.B.m:12 > native native_code 1/1", "a.B.n 1/1"]


def test_long_lists_are_decoded_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [[0, 1], [2], [0], [], [1, 0]] * 40
    weights = [float(number % 7 + 1) for number in range(200)]
    events = [
        ("O", 0, 0.0),
        *[(kind, 1, float(n)) for n in range(50) for kind in "OC"],
        ("C", 0, 60.0),
    ]
    text = file(sampled(samples, weights), evented(*events, unit="none"))
    for indent in (None, 1):
        whole = imported(json.dumps(json.loads(text), indent=indent))
        monkeypatch.setattr(speedscope, "_PIECE", 37)
        pieces = imported(json.dumps(json.loads(text), indent=indent))
        monkeypatch.undo()
        assert chains(only(pieces)) == chains(only(whole))
        assert only(whole).total == sum(map(round, weights)) + 60


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (file(sampled([[0, 3]], [1])), "profile 1: frame 3 is not there"),
        (file(sampled([[0, -1]], [1])), "profile 1: frame -1 is not there"),
        (file(sampled([[0], [0]], [1])), "has not as many weights as samples"),
        (file(sampled([[0]], [1, 2])), "has not as many weights as samples"),
        (file(sampled([[0]], [-1])), "a weight is negative or beyond"),
        (file(sampled([[0]], [1e300])), "a weight is negative or beyond"),
        (file(sampled([[0]] * 9, [2**61] * 9)), "add up to more than any run has"),
        (file(sampled([[0]], [1], unit="parsecs")), 'has the unit "parsecs", which is not known'),
        (file(sampled({"a": 1}, [1])), "something else where a list should be"),
        (file(sampled([["x"]], [1])), r"Expected `int`, got `str`"),
        (file(sampled([], [])), "has no profile with weights"),
        (file(), "has no profile with weights"),
        (file(evented(("C", 0, 1.0))), "closes frame 0, which is not the innermost open one"),
        (
            file(evented(("O", 0, 1.0), ("O", 1, 2.0), ("C", 0, 3.0))),
            "closes frame 0, which is not the innermost",
        ),
        (file(evented(("O", 0, 2.0), ("C", 0, 1.0))), "go back in time"),
        (file(evented(*[("O", 0, 1.0)] * 5_000)), "has more than 4096 open frames"),
        (file(sampled([[0]], [1], type="dreamt")), r"`\$.profiles\[...\].type`|dreamt"),
        ('{"$schema": "x", "profiles": []}', "missing required field `shared`"),
        ('{"$schema": "x", ', "is not a well-formed speedscope file"),
        ('{"shared": ' + "[" * 100_000, "is not a well-formed speedscope file"),
        ('{"shared": {"frames": [' + '{"a":' * 100_000, "is not a well-formed speedscope file"),
    ],
)
def test_damaged_files_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ImportFailure, match=reason) as failure:
        imported(text)
    assert "\n" not in str(failure.value)


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    text = file(sampled([[0]], [1]))
    monkeypatch.setattr(speedscope, "SIZE", 50)
    with pytest.raises(ImportFailure, match="too large for a speedscope file"):
        imported(text)
    monkeypatch.undo()
    monkeypatch.setattr(speedscope, "PROFILES", 1)
    with pytest.raises(ImportFailure, match="more than 1 profiles"):
        imported(file(sampled([[0]], [1]), sampled([[0]], [1])))
    monkeypatch.undo()
    monkeypatch.setattr(speedscope, "_LONGEST", 1_000)
    monkeypatch.setattr(speedscope, "_PIECE", 100)
    with pytest.raises(ImportFailure, match="one entry is longer"):
        imported(file(sampled([[0] * 1_000, [1]], [1, 1])))


REAL = (
    "async-profiler/conv_lines_threads.collapsed.gz",
    "async-profiler/lib.collapsed.gz",
    "async-profiler/alloc_total.collapsed.gz",
    "async-profiler/wall.collapsed.gz",
    "async-profiler/simple_ann.collapsed.gz",
    "async-profiler/lock.pb",
    "jprofiler/hotspots.xml",
)


@pytest.mark.parametrize("name", REAL)
def test_exports_round_trip(name: str) -> None:
    snapshot = imported(golden(name))
    data = export_speedscope(
        snapshot.series, "x", lambda _, node: "jobs · loop" if node % 3 else ""
    )
    assert b"  [jobs \xc2\xb7 loop]" in data
    back = imported(data)
    one, other = only(snapshot), only(back)
    assert (one.kind, one.unit, one.total) == (other.kind, other.unit, other.total)
    assert {key: own for key, own in by_method(one).items() if own} == by_method(other)
    assert len(one.tree) >= len(other.tree) > 1


def test_exports_keep_the_order_of_chains_and_distinguish_overloads() -> None:
    text = "a/B.m(I)V;a/B.m(J)V 2\na/B.m(I)V;a/C.n()V 3\na/B.m(I)V 1\n"
    series = only(imported(text))
    assert sorted(chains(only(imported(export_speedscope((series,), "x"))))) == [
        "a.B.m(I)V 1/1",
        "a.B.m(I)V > a.B.m(J)V 2/2",
        "a.B.m(I)V > a.C.n 3/3",
    ]


def test_labels_are_requested_by_node() -> None:
    series = only(imported("a/B.m;a/B.n 2\na/C.m;a/B.n 3\n"))

    def label(asked: Series, node: int) -> str:
        assert asked is series
        return (
            "pool [x] · branch"
            if series.tree.frames[series.tree.frame[node]].owner == "a.C"
            else ""
        )

    found = json.loads(export_speedscope((series,), "run", label))
    assert [frame["name"] for frame in found["shared"]["frames"]] == [
        "a.B.m",
        "a.B.n",
        "a.C.m  [pool (x) · branch]",
    ]
    assert found["profiles"][0]["samples"] == [[0, 1], [2, 1]]
    assert found["profiles"][0]["weights"] == [2, 3]
    assert found["profiles"][0]["name"] == "cpu · run"
    assert found["profiles"][0]["endValue"] == 5


def fits(value: Any, schema: Any, root: Any) -> bool:
    """Whether a value fits a JSON schema, as far as speedscope's own needs it."""
    if "$ref" in schema:
        return fits(value, root["definitions"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        return any(fits(value, one, root) for one in schema["anyOf"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "const" in schema and value != schema["const"]:
        return False
    types = {"object": dict, "array": list, "string": str, "number": (int, float)}
    if "type" in schema and not isinstance(value, types[schema["type"]]):
        return False
    if isinstance(value, dict):
        known = schema.get("properties", {})
        return all(name in value for name in schema.get("required", ())) and all(
            fits(part, known[name], root) for name, part in value.items() if name in known
        )
    if isinstance(value, list) and "items" in schema:
        return all(fits(part, schema["items"], root) for part in value)
    return True


def test_exports_conform_to_the_speedscope_schema() -> None:
    schema = json.loads((DATA / "speedscope/file-format-schema.json").read_text(encoding="utf-8"))
    data = json.loads(export_speedscope(imported(golden("jprofiler/hotspots.xml")).series, "x"))
    assert fits(data, schema, schema)
    for broken in (
        data | {"profiles": [data["profiles"][0] | {"unit": "parsecs"}]},
        data | {"shared": {}},
        data | {"profiles": [{"type": "sampled"}]},
    ):
        assert not fits(broken, schema, schema)
