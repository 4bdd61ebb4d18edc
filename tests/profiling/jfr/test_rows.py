"""The rows of ``grammars/profiling/jfr.toml``: loaded, checked, and what they answer."""

import pytest

from conflens.profiling.jfr.rows import FILE, load_rows, parse_rows
from conflens.profiling.jfr.run import iso_nanoseconds, nanoseconds, program_arguments, words
from conflens.profiling.model import EventKind

EVENT = '[[event]]\nname = "jdk.A"\nkind = "cpu"\nunit = "samples"\nthread = ["t"]\n'


@pytest.mark.parametrize(
    ("parked", "kind"),
    [
        ("java.util.concurrent.locks.ReentrantLock$NonfairSync", EventKind.LOCK),
        ("java.util.concurrent.locks.ReentrantReadWriteLock$FairSync", EventKind.LOCK),
        ("java.util.concurrent.locks.StampedLock", EventKind.LOCK),
        ("java.util.concurrent.Semaphore$NonfairSync", EventKind.LOCK),
        ("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject", EventKind.WAIT),
        ("java.util.concurrent.CountDownLatch$Sync", EventKind.WAIT),
        ("java.util.concurrent.SynchronousQueue$TransferStack", EventKind.WAIT),
        ("java.util.concurrent.SemaphoreLike", EventKind.WAIT),
        ("", EventKind.WAIT),
    ],
)
def test_why_a_thread_is_parked(parked: str, kind: EventKind) -> None:
    rows = load_rows()
    assert rows.decided(rows.events["jdk.ThreadPark"], parked) is kind


def test_what_a_native_sample_means() -> None:
    rows = load_rows()
    row = rows.events["jdk.NativeMethodSample"]
    assert rows.leaf(row, "sun.nio.ch.EPoll", "wait") is None
    assert rows.leaf(row, "sun.tools.attach.VirtualMachineImpl", "anything") is None
    assert rows.leaf(row, "java.io.FileDescriptor", "sync0") is EventKind.IO
    assert rows.leaf(row, "java.util.zip.Deflater", "deflateBytesBytes") is EventKind.CPU


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[evnt]]\n", "unknown table 'evnt'"),
        (EVENT + "wieght = 3\n", "event 1: unknown key 'wieght', did you mean 'weight'?"),
        (EVENT.replace("cpu", "cpus"), "event jdk.A: 'cpus' is not a valid EventKind"),
        (EVENT.replace("samples", "meters"), "event jdk.A: 'meters' is not a valid Unit"),
        (EVENT + 'yields_to = ["jdk.B"]\n', "event jdk.A: there is no event 'jdk.B'"),
        (EVENT + '[[other]]\nevent = "jdk.B"\nkind = ""\nvalues = []\n', "other: there is no event 'jdk.B'"),
        (EVENT + '[[native]]\nkind = "x"\nmethods = ["a.b"]\n', "kind: 'x' is not a valid EventKind"),
        (EVENT + '[[setting]]\nname = "jdk.S"\norigin = "x"\n', "setting jdk.S: 'x' is not a valid Origin"),
    ],
)  # fmt: skip
def test_an_invalid_row_is_named(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as fault:
        parse_rows(text)
    assert str(fault.value) == f"{FILE}: {reason}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20 ms", 20_000_000), ("20ms", 20_000_000), ("0 ns", 0), ("1 s", 10**9), ("1.5 ms", 1_500_000), ("7", 7),
        ("everyChunk", 0), ("", 0), ("5 x", 0), ("9" * 30, 0), ("2 m", 120 * 10**9),
    ],
)  # fmt: skip
def test_durations_of_settings(text: str, expected: int) -> None:
    assert nanoseconds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PT0.021326088S", 21_326_088), ("PT1M0.5S", 60_500_000_000), ("PT2H", 7_200 * 10**9), ("P1DT1S", 86_401 * 10**9),
        ("PT0S", 0), ("-PT5S", 0), ("PT-5S", 0), ("PT9223372036.854775807S", 9223372036854775807 >> 1), ("x", 0), ("", 0),
    ],
)  # fmt: skip
def test_printed_durations(text: str, expected: int) -> None:
    assert iso_nanoseconds(text) == min(expected, (1 << 62) - 1)


def test_words_of_a_command_line() -> None:
    assert words("""a  "b c"d 'e "f' it's ""  """) == ["a", "b cd", 'e "f', "it's", ""]
    assert words("") == []
    assert words('-Dx="a b') == ['-Dx="a', "b"]


def test_arguments_of_a_program_have_names_or_places() -> None:
    found = [
        (value.name, value.value) for value in program_arguments("M in --n=1 -o out -v -- -5 -")
    ]
    assert found == [
        ("#0", "M"), ("#1", "in"), ("--n", "1"), ("-o", "out"), ("-v", ""), ("--", ""), ("#7", "-5"), ("#8", "-"),
    ]  # fmt: skip
