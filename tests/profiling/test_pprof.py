"""pprof: the converter's real files (``data/README.md``), and small ones by hand."""

from __future__ import annotations

import pytest

from conflens.profiling import pprof
from conflens.profiling.importing import Hints
from conflens.profiling.model import EventKind, ImportFailure, Nature, Unit
from profiling.support import by_method, chains, golden, imported, only


def varint(value: int) -> bytes:
    """Return a number as protobuf writes it; negative ones have ten bytes."""
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def piece(field: int, data: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(data)) + data


class Writer:
    """Collects the parts of a profile."""

    def __init__(self, *types: tuple[str, str]) -> None:
        self.strings = [""]
        self.data = b"".join(
            piece(1, number(1, self.text(name)) + number(2, self.text(unit)))
            for name, unit in types
        )

    def text(self, value: str) -> int:
        if value not in self.strings:
            self.strings.append(value)
        return self.strings.index(value)

    def function(self, key: int, name: str, raw: str = "", file: str = "") -> None:
        fields = number(1, key) + number(2, self.text(name)) + number(3, self.text(raw))
        self.data += piece(5, fields + number(4, self.text(file)))

    def location(self, key: int, *lines: tuple[int, int], mapping: int = 0) -> None:
        fields = number(1, key) + number(2, mapping)
        fields += b"".join(
            piece(4, number(1, function) + number(2, line)) for function, line in lines
        )
        self.data += piece(4, fields)

    def sample(self, locations: list[int], values: list[int], **labels: str) -> None:
        fields = piece(1, b"".join(map(varint, locations)))
        fields += b"".join(number(2, value) for value in values)
        for key, value in labels.items():
            fields += piece(3, number(1, self.text(key)) + number(2, self.text(value)))
        self.data += piece(2, fields)

    def bytes(self) -> bytes:
        return self.data + b"".join(piece(6, text.encode()) for text in self.strings)


def small(*types: tuple[str, str]) -> Writer:
    """Return a profile with three functions, the second inlined into the third."""
    writer = Writer(*types)
    writer.function(1, "a.B.leaf", file="B.java")
    writer.function(2, "a/B.inlined")
    writer.function(3, "a.B$C.root", "a.B$C.root(I[J)V")
    writer.location(10, (1, 7))
    writer.location(20, (2, 8), (3, 9))
    return writer


def test_the_converters_files_equal_its_collapsed_files() -> None:
    """``cpu.pb.gz`` and ``conv_lines_threads`` are of one recording, as are those of allocations and locks."""
    for one, other in (
        ("cpu.pb.gz", "conv_lines_threads.collapsed.gz"),
        ("alloc.pb.gz", "conv_alloc.collapsed.gz"),
        ("lock.pb", "conv_lock.collapsed.gz"),
    ):
        protobuf = imported(golden(f"async-profiler/{one}"))
        text = imported(golden(f"async-profiler/{other}"))
        assert by_method(only(protobuf)) == by_method(only(text))
        assert only(protobuf).kind is only(text).kind
        assert only(protobuf).unit is only(text).unit
    assert protobuf.taken > 1.7e9
    assert 1 < protobuf.seconds < 10


def test_threads_and_lines_of_a_real_file() -> None:
    tree = only(imported(golden("async-profiler/cpu.pb.gz"))).tree
    threads = {frame.method for frame in tree.frames if frame.nature is Nature.THREAD}
    assert "pool-*-thread-*" in threads
    assert not [name for name in threads if "tid" in name]
    assert any(frame.method == "mix" and frame.line for frame in tree.frames)


def test_leaf_comes_first_and_inlined_frames_are_frames() -> None:
    writer = small(("samples", "count"), ("cpu", "nanoseconds"))
    writer.sample([10, 20], [3, 30_000_000], thread="worker-7")
    snapshot = imported(writer.bytes())
    assert chains(only(snapshot)) == [
        "thread worker-* > a.B$C.root(I[J)V:9 > a.B.inlined:8 > a.B.leaf:7 30000000/3"
    ]
    assert (only(snapshot).kind, only(snapshot).unit) == (EventKind.CPU, Unit.NANOSECONDS)


def test_kinds_stay_separate() -> None:
    writer = small(
        ("cpu", "milliseconds"),
        ("wall", "microseconds"),
        ("alloc_objects", "count"),
        ("alloc_space", "kilobytes"),
        ("inuse_space", "bytes"),
        ("contentions", "count"),
        ("delay", "nanoseconds"),
    )
    writer.sample([10], [1, 2, 3, 4, 5, 6, 7])
    snapshot = imported(writer.bytes())
    assert [(s.kind, s.unit, s.total, s.tree.count[1]) for s in snapshot.series] == [
        (EventKind.CPU, Unit.NANOSECONDS, 1_000_000, 0),
        (EventKind.WALL, Unit.NANOSECONDS, 2_000, 0),
        (EventKind.ALLOCATION, Unit.BYTES, 4096, 3),
        (EventKind.LOCK, Unit.NANOSECONDS, 7, 6),
    ]
    assert any("alive" in note for note in snapshot.notes)


def test_an_unknown_sample_type_is_reported() -> None:
    writer = small(("goroutine", "count"))
    writer.sample([10], [4])
    snapshot = imported(writer.bytes())
    assert only(snapshot).kind is EventKind.CPU
    assert any('"goroutine" is not known' in note for note in snapshot.notes)
    assert only(imported(writer.bytes(), "f", Hints(EventKind.WAIT))).kind is EventKind.WAIT


def test_classes_at_the_end_of_allocations_are_not_methods() -> None:
    writer = small(("alloc_space", "bytes"))
    writer.function(4, "byte[]")
    writer.location(30, (4, 0))
    writer.sample([30, 10], [64])
    writer.sample([30], [8])
    assert chains(only(imported(writer.bytes()))) == ["a.B.leaf:7 64/0", "native byte[] 8/0"]


def test_kernel_frames_and_addresses_without_symbols() -> None:
    writer = small(("cpu", "count"))
    writer.data += piece(3, number(1, 1) + number(5, writer.text("[kernel.kallsyms]")))
    writer.function(5, "do_syscall_64")
    writer.location(40, (5, 0), mapping=1)
    writer.location(50)
    writer.sample([40, 50, 10], [1])
    assert chains(only(imported(writer.bytes()))) == [
        "a.B.leaf:7 > opaque no symbol > kernel do_syscall_64 1/1"
    ]


def test_fields_in_another_order() -> None:
    writer = small(("cpu", "count"))
    writer.sample([10], [1])
    strings = b"".join(piece(6, text.encode()) for text in writer.strings)
    assert chains(only(imported(strings + writer.data))) == ["a.B.leaf:7 1/1"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda w: w.sample([99], [1]), "location 99 is not there"),
        (lambda w: (w.location(60, (77, 1)), w.sample([60], [1])), "function 77 is not there"),
        (lambda w: w.sample([10], [1, 2]), "a sample has 2 weights for 1 sample types"),
        (lambda w: w.sample([10], [-1]), "a weight is negative"),
        (lambda w: w.sample([10], [1 << 62]), "more than any run has"),
        (lambda w: None, "is a pprof profile without samples"),
        (lambda w: w.sample([10], [0]), "all weights are 0"),
        (
            lambda w: setattr(w, "data", w.data + piece(2, b"\x0a\x7f\x01")),
            "a field is longer than its message",
        ),
        (
            lambda w: (
                setattr(w, "data", w.data + piece(5, number(1, 9) + number(2, 9_999)))
                or w.location(60, (9, 1))
                or w.sample([60], [1])
            ),
            "string 9999 is not there",
        ),
    ],
)
def test_damaged_files_are_refused(change, reason: str) -> None:  # type: ignore[no-untyped-def]
    writer = small(("cpu", "count"))
    change(writer)
    with pytest.raises(ImportFailure, match=reason):
        imported(writer.bytes())


def test_a_truncated_file_is_refused() -> None:
    writer = small(("cpu", "count"))
    writer.sample([10], [1])
    with pytest.raises(ImportFailure, match="ends within a field"):
        imported(writer.bytes()[:-2])


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = small(("cpu", "count"))
    writer.sample([10], [1])
    monkeypatch.setattr(pprof, "ENTRIES", 4)
    with pytest.raises(ImportFailure, match="more strings, functions or locations"):
        imported(writer.bytes())
    monkeypatch.setattr(pprof, "ENTRIES", 400_000)
    monkeypatch.setattr(pprof, "SAMPLES", 0)
    with pytest.raises(ImportFailure, match="more samples"):
        imported(writer.bytes())
    monkeypatch.setattr(pprof, "SAMPLES", 1_000_000)
    monkeypatch.setattr(pprof, "SIZE", 50)
    with pytest.raises(ImportFailure, match="is larger than 0 MB"):
        imported(writer.bytes())
    with pytest.raises(ImportFailure):
        imported(number(12, 1) + varint(6 << 3 | 2) + varint(1 << 40) + b"abc")
