"""The bytes of a profiler's file: unpacked on the way, counted, and never all in memory.

Terms
    packed     what the file holds; ``check`` is told how many of these bytes were used up.
    plain      what is left after gzip or xz is undone; places in errors are in plain bytes.

Invariants: at most a few blocks are held, whatever the file says of itself; what unpacks to absurdly more than
it was is refused.  Absent: formats of profilers, opening files.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from conflens.profiling.model import ImportFailure

BLOCK = 64 * 1024
"""Bytes of one step; a step takes a few milliseconds."""

RATIO = 250
"""Plain bytes for one packed byte that no honest profile reaches once it is large."""

FREELY = 64 * 1024 * 1024
"""Plain bytes that are given whatever the ratio is."""

MOST = 4 * 1024 * 1024 * 1024
"""Plain bytes of a packed file at most, unless its source says otherwise."""

LINE = 1024 * 1024
"""Bytes of one line at most."""

_WINDOW = 160 * 1024 * 1024
"""Memory that an xz file may ask for; ``xz -9`` asks for 65 MB."""

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_LAYERS = 2

Check = Callable[[int], None]
"""Told how many packed bytes were used up; raises ``Cancelled`` when the work shall stop."""


class Readable(Protocol):
    """What a file must offer."""

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes, none at the end."""


class Source:
    """The plain bytes of a file, from its beginning to its end, once."""

    def __init__(
        self,
        stream: Readable,
        name: str,
        check: Check,
        unpacked: Callable[[int], None] | None = None,
    ) -> None:
        """``name`` stands in errors; ``stream`` is read in blocks, the first one at once, and not closed; ``unpacked``
        is called with the number of bytes unpacked so far."""
        self.name = name
        self.check = check
        self.unpacked = unpacked or (lambda _: None)
        self.position = 0
        """Plain bytes that were given."""
        self.most = MOST
        """Plain bytes of a packed file at most; what is more is refused."""
        self._stream = stream
        self._packed = 0
        self._unpacked = False
        self._held = bytearray()
        self._blocks = self._layers()

    @property
    def packed(self) -> bool:
        """Whether the file is compressed."""
        return self._unpacked

    def peek(self, size: int) -> bytes:
        """Return the next bytes, fewer only at the end, without taking them."""
        while len(self._held) < size:
            block = next(self._blocks, b"")
            if not block:
                break
            self._held += block
        return bytes(self._held[:size])

    def read(self, size: int = -1, /) -> bytes:
        """Return at most ``size`` bytes; none only at the end.

        Without a size this gives one block, never the whole file."""
        if not self._held:
            block = next(self._blocks, b"")
            if len(block) <= size or size < 0:
                self.position += len(block)
                return block
            self._held += block
        size = BLOCK if size < 0 else size
        found = bytes(self._held[:size])
        del self._held[:size]
        self.position += len(found)
        return found

    def seek(self, place: int, /) -> int:
        """Go to the start, which is only possible while nothing was taken: for readers that make sure of it."""
        if place or self.position:
            raise ValueError("the bytes of a source are given once")
        return 0

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Yield what is left in blocks of at most ``size`` bytes."""
        while block := self.read(size):
            yield block

    def lines(self) -> Iterator[list[bytes]]:
        """Yield what is left as lists of lines without their ends; a list is what one block completes."""
        number, rest = 0, b""
        for block in self.blocks():
            head, end, tail = block.rpartition(b"\n")
            if not end:
                rest += tail
                if len(rest) > LINE:
                    raise self.failure(f"line {number + 1}", f"is longer than {LINE >> 20} MB")
                continue
            lines = (rest + head).split(b"\n")
            rest = tail
            number += len(lines)
            yield lines
        if rest:
            yield [rest]

    def tick(self) -> None:
        """Tell ``check`` how far the work is: for what is done without reading."""
        self.check(self._packed)

    def failure(self, place: str, reason: str) -> ImportFailure:
        """Return the error for something in this file; what is quoted from it stays on one line."""
        return ImportFailure(self.name, place, one_line(reason))

    def too_large(self, size: str, limit_bytes: int) -> ImportFailure:
        """Return the error for a packed file that unpacks to ``size``."""
        limit = f"the limit for a packed file is {limit_bytes >> 20:,} MB"
        return self.failure("", f"unpacks to {size}; {limit}: unpack it first")

    def _raw(self) -> Iterator[bytes]:
        while True:
            self.check(self._packed)
            try:
                block = self._stream.read(BLOCK)
            except OSError as error:
                reason = error.strerror or "cannot be read"
                raise self.failure(f"byte {self._packed}", reason) from error
            if not block:
                return
            self._packed += len(block)
            yield block

    def _layers(self) -> Iterator[bytes]:
        blocks = self._raw()
        for layer in range(_LAYERS + 1):
            head = b""
            for block in blocks:
                head += block
                if len(head) >= len(_XZ):
                    break
            blocks = _again(head, blocks)
            if not head.startswith((_GZIP, _XZ)):
                return blocks
            if layer == _LAYERS:
                raise self.failure("", f"is compressed more than {_LAYERS} times")
            self._unpacked = True
            unpack = self._gzip if head.startswith(_GZIP) else self._xz
            blocks = self._bounded(unpack(blocks))
        return blocks

    def _bounded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Stop what unpacks to more than any profile does."""
        given = 0
        for block in blocks:
            given += len(block)
            if given > self.most:
                raise self.too_large(f"over {given >> 20:,} MB", self.most)
            if given > FREELY and given > RATIO * self._packed:
                times = given // max(self._packed, 1)
                reason = f"{times} times its size; the limit is {RATIO} times"
                raise self.failure("", f"unpacks to over {given >> 20} MB, {reason}")
            self.unpacked(given)
            self.check(self._packed)
            yield block

    def _gzip(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Undo gzip; several members may follow each other, and zeros the last one."""
        member = zlib.decompressobj(31)
        begun = False
        for block in blocks:
            while block:
                if member.eof:
                    block = block.lstrip(b"\0")
                    if not block:
                        break
                    member, begun = zlib.decompressobj(31), False
                try:
                    plain = member.decompress(block, BLOCK)
                except zlib.error as error:
                    raise self.failure(self._near(), "the gzip data is damaged") from error
                begun = True
                if plain:
                    yield plain
                block = member.unused_data if member.eof else member.unconsumed_tail
        while begun and not member.eof:
            try:
                plain = member.decompress(member.unconsumed_tail, BLOCK)
            except zlib.error as error:
                raise self.failure(self._near(), "the gzip data is damaged") from error
            if not plain:
                raise self.failure(self._near(), "the gzip data ends early")
            yield plain

    def _xz(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Undo xz; several streams may follow each other, and zeros between them."""
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_WINDOW)
        begun = False
        for block in blocks:
            while True:
                if stream.eof:
                    block = (stream.unused_data + block).lstrip(b"\0")
                    if not block:
                        break
                    stream, begun = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_WINDOW), False
                try:
                    plain = stream.decompress(block, BLOCK)
                except lzma.LZMAError as error:
                    reason = "asks for too much memory" if "emory" in str(error) else "is damaged"
                    raise self.failure(self._near(), f"the xz data {reason}") from error
                begun, block = True, b""
                if plain:
                    yield plain
                if not stream.eof and stream.needs_input:
                    break
                if stream.eof and not stream.unused_data.lstrip(b"\0"):
                    break
        if begun and not stream.eof:
            raise self.failure(self._near(), "the xz data ends early")

    def _near(self) -> str:
        return f"byte {self._packed} or before"


def one_line(text: str) -> str:
    """Return a text without line ends and other characters that do not show."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.split())


def _again(head: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from blocks
