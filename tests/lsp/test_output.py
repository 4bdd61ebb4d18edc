"""What goes out on standard output: in order, and without stopping the loop for a client that is busy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO

import pytest

from conflens.lsp.wire.stdio import Output

LARGE = b"x" * 3_000_000
"""More than any pipe takes at once."""


@pytest.fixture
def pipe() -> Iterator[tuple[BinaryIO, Output]]:
    source, sink = os.pipe()
    with os.fdopen(source, "rb", buffering=0) as reader, os.fdopen(sink, "wb") as writer:
        yield reader, Output(writer)


def test_a_small_message_is_written_at_once(pipe: tuple[BinaryIO, Output]) -> None:
    reader, output = pipe
    output.write(b"hello")
    os.set_blocking(reader.fileno(), False)
    assert reader.read(99) == b"hello"


def test_a_large_message_waits_for_its_reader_and_later_ones_wait_for_it(
    pipe: tuple[BinaryIO, Output],
) -> None:
    reader, output = pipe
    pieces = [b"a", LARGE, b"b", LARGE, b"c"]
    for piece in pieces:
        output.write(piece)  # would never return if it had to wait for the reader
    found = b""
    while len(found) < sum(map(len, pieces)):
        found += reader.read(1 << 20)
    assert found == b"".join(pieces)
    output.drain(20)
    output.write(b"d")
    os.set_blocking(reader.fileno(), False)
    assert reader.read(99) == b"d"


def test_a_client_that_has_disconnected(pipe: tuple[BinaryIO, Output]) -> None:
    reader, output = pipe
    output.write(LARGE)
    output.write(b"more")
    reader.close()
    output.drain(20)
    with pytest.raises(BrokenPipeError):
        output.write(b"b")


def test_a_client_that_reads_nothing_does_not_block(pipe: tuple[BinaryIO, Output]) -> None:
    reader, output = pipe
    output.write(LARGE)
    output.drain(0.05)
    reader.close()
    output.drain(20)
