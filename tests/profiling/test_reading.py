"""Unpacking: what is damaged, what is a bomb, and that little is held."""

import gzip
import lzma
import tracemalloc
import zlib
from collections.abc import Callable
from io import BytesIO

import pytest
from typing_extensions import override

from conflens.profiling import importing, reading
from conflens.profiling.importing import read_snapshot
from conflens.profiling.model import ImportFailure
from conflens.profiling.reading import Source
from profiling.support import chains, imported, nothing, only

PLAIN = b"".join(b"a/B.m%d;c/D.n 1\n" % (number * 7919) for number in range(60_000))


def xz(data: bytes) -> bytes:
    return lzma.compress(data, preset=1)


def opened(data: bytes, check: Callable[[int], None] = nothing) -> Source:
    return Source(BytesIO(data), "file", check)


@pytest.mark.parametrize(
    "pack",
    [
        lambda data: data,
        gzip.compress,
        xz,
        lambda data: gzip.compress(gzip.compress(data)),
        lambda data: xz(gzip.compress(data)),
        lambda data: gzip.compress(data[:1000]) + gzip.compress(data[1000:]) + b"\0" * 512,
        lambda data: xz(data[:1000]) + b"\0" * 8 + xz(data[1000:]) + b"\0" * 4,
    ],
    ids=["plain", "gzip", "xz", "gzip twice", "gzip in xz", "gzip members", "xz streams"],
)
def test_compressed_content_is_read(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(PLAIN)
    told: list[int] = []
    source = opened(packed, told.append)
    assert source.peek(100) == PLAIN[:100]
    assert source.position == 0
    assert b"".join(source.blocks()) == PLAIN
    assert source.position == len(PLAIN)
    assert source.packed == (packed != PLAIN)
    assert told[-1] == len(packed)
    assert source.read() == b""


def test_line_numbers_are_those_of_the_file() -> None:
    lines = [line for some in opened(PLAIN).lines() for line in some]
    assert lines == PLAIN.split(b"\n")[:-1]
    lines = [line for some in opened(b"a\n\nb").lines() for line in some]
    assert lines == [b"a", b"", b"b"]


def test_reading_continues_after_peeking() -> None:
    source = opened(PLAIN)
    source.peek(200_000)
    assert source.seek(0) == 0
    assert source.read(10) == PLAIN[:10]
    with pytest.raises(ValueError, match="given once"):
        source.seek(0)
    assert b"".join(source.blocks(7_001)) == PLAIN[10:]


@pytest.mark.parametrize("pack", [gzip.compress, xz], ids=["gzip", "xz"])
def test_truncated_or_damaged_files_are_refused(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(PLAIN)
    with pytest.raises(ImportFailure, match=r"byte \d+ or before: the (gzip|xz) data ends early"):
        b"".join(opened(packed[: len(packed) // 2]).blocks())
    broken = bytearray(packed)
    for place in range(len(packed) // 2, len(packed) // 2 + 50):
        broken[place] ^= 0xFF
    with pytest.raises(ImportFailure, match=r"the (gzip|xz) data is damaged"):
        b"".join(opened(bytes(broken)).blocks())
    with pytest.raises(ImportFailure, match="is damaged"):
        b"".join(opened(packed + b"something else").blocks())


def test_three_layers_of_compression_are_refused() -> None:
    with pytest.raises(ImportFailure, match="compressed more than 2 times"):
        opened(gzip.compress(gzip.compress(gzip.compress(PLAIN))))


def gzip_bomb(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b"\n" * 1_000_000
    return b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()


def test_bombs_are_refused_early_and_cost_no_memory() -> None:
    bombs = [gzip_bomb(400_000_000), xz(b"\n" * 200_000_000)]
    tracemalloc.start()
    try:
        for bomb in bombs:
            with pytest.raises(ImportFailure, match=r"unpacks to over \d+ MB, \d+ times its size"):
                for _ in opened(bomb).blocks():
                    pass
        assert tracemalloc.get_traced_memory()[1] < 16 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("pack", [gzip.compress, xz, lambda data: xz(gzip.compress(data))])
def test_a_compressed_file_that_is_too_large_is_refused_before_it_is_read(
    pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    stacks = 4 * PLAIN
    assert len(stacks) > 3 << 20
    monkeypatch.setattr(importing, "UNPACKED", 3 << 20)
    reason = "file: unpacks to 5 MB; the limit for a packed file is 3 MB: unpack it first"
    with monkeypatch.context() as reading_nothing:
        reading_nothing.delattr(Source, "lines")
        with pytest.raises(ImportFailure) as failure:
            imported(pack(stacks))
    assert str(failure.value) == reason
    monkeypatch.setattr(importing, "UNPACKED", 6 << 20)
    assert chains(only(imported(pack(stacks)))) == chains(only(imported(stacks)))


def test_a_compressed_stream_that_cannot_be_rewound_is_refused_while_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Once(BytesIO):
        @override
        def seekable(self) -> bool:
            return False

    monkeypatch.setattr(importing, "UNPACKED", 1 << 20)
    with pytest.raises(ImportFailure, match=r"over 1 MB; the limit for a packed file is 1 MB"):
        read_snapshot(Once(gzip.compress(4 * PLAIN)), "file", nothing)


def test_a_file_that_compresses_well_is_not_a_bomb() -> None:
    line = b"java/lang/Thread.run;a/B.m 1\n"
    assert len(line) * 100_000 > 20 * len(gzip.compress(line * 100_000))
    assert chains(only(imported(gzip.compress(line * 100_000)))) == [
        "java.lang.Thread.run > a.B.m 100000/100000"
    ]


def test_an_xz_file_cannot_request_unlimited_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = lzma.compress(PLAIN, preset=9)
    assert b"".join(opened(packed).blocks()) == PLAIN
    monkeypatch.setattr(reading, "_WINDOW", 1 << 20)
    with pytest.raises(ImportFailure, match="xz data asks for too much memory"):
        b"".join(opened(packed).blocks())


class Failing(BytesIO):
    """A file whose medium fails."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() >= 65_536:
            raise OSError(5, "Input/output error")
        return super().read(size)


def test_a_failing_medium_is_an_error_with_a_place() -> None:
    with pytest.raises(ImportFailure, match="file: byte 65536: Input/output error"):
        for _ in Source(Failing(PLAIN), "file", nothing).blocks():
            pass


def test_the_check_covers_bombs_and_empty_members() -> None:
    calls = 0

    def check(_: int) -> None:
        nonlocal calls
        calls += 1

    for _ in opened(gzip_bomb(40_000_000), check).blocks():
        pass
    assert calls > 500
    calls = 0
    for _ in opened(gzip.compress(b"") * 50_000, check).blocks():
        pass
    assert calls > 10
