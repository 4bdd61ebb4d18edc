"""One door for all profiler files: what it is, is told by what is in it.

``read_snapshot`` undoes gzip and xz, looks at the first bytes and hands the rest to the importer of the format;
names of files decide nothing.  What is not known is refused with a word on what it looks like.  Absent:
opening files, running tools, redaction (``jfr``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import IO, BinaryIO, cast

import attrs

from conflens.profiling import collapsed, pprof, speedscope
from conflens.profiling.jfr import binary_reader as jfr
from conflens.profiling.jfr import json_reader as jfr_json
from conflens.profiling.jprofiler import tables as jprofiler_tables
from conflens.profiling.jprofiler import xml as jprofiler
from conflens.profiling.model import EventKind, ImportFailure, Snapshot, Unit
from conflens.profiling.reading import RATIO, Check, Source, one_line

KNOWN = (
    "JFR recordings and what `jfr print --json` writes, collapsed stacks, JProfiler's XML and CSV exports, "
    "pprof, speedscope"
)

UNPACKED = 512 * 1024 * 1024
"""Bytes of a packed file at most, unpacked; a recording may have ``reading.MOST``.  More of them would take longer to import than
an import may."""

_HEAD = 64 * 1024
_FROM_END = 2
"""The origin of ``seek``; nothing here imports what opens files."""
_BOM = b"\xef\xbb\xbf"
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")
_KEY = re.compile(rb'\{\s*"([^"\\]{1,60})"\s*:')
_SPEEDSCOPE = (
    b"$schema",
    b"shared",
    b"profiles",
    b"name",
    b"activeProfileIndex",
    b"exporter",
    b"version",
)

_MAGIC = (
    (b"PK\x03\x04", "a ZIP archive; import what is in it"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data; unpack it first"),
    (b"BZh", "bzip2 data; unpack it first"),
    (b"JAVA PROFILE", "a heap dump or profile of the old HPROF agent"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a Java class"),
    (b"PERFILE2", "perf data; import what `perf script` and stackcollapse make of it"),
    (b"\xff\xfe", "text in UTF-16, as PowerShell's `>` writes it; save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16; save it as UTF-8"),
)


@attrs.frozen
class Hints:
    """What a person says of a file that does not say it itself, and how secrets are hidden.

    ``kind`` and ``unit``: of weights, where the format does not state them.  ``salt``: for the digests of
    redacted values, the same for files that are compared.
    """

    kind: EventKind | None = None
    unit: Unit | None = None
    salt: bytes = attrs.field(default=b"", repr=False)
    scratch: Callable[[], IO[bytes]] | None = attrs.field(default=None, repr=False)
    """Gives an empty file to write and read, for recordings that are compressed: they are read here and there."""
    unpacked: Callable[[int], None] = attrs.field(default=lambda _: None, repr=False)
    """Told how many bytes of a packed file are unpacked so far."""


def read_snapshot(
    stream: IO[bytes],
    name: str,
    check: Check,
    hints: Hints = Hints(),
) -> Snapshot:
    """Return what a profiler's file says.

    ``check`` is told every few milliseconds how many bytes of the file were used up, and stops the work by
    raising.  Raises ``ImportFailure`` for everything that is wrong with the file."""
    source = Source(stream, name, check, hints.unpacked)
    head = source.peek(_HEAD)
    if not head.strip():
        raise ImportFailure(name, "", "is empty")
    if head.startswith(jfr.MAGIC):
        return _recording(stream, source, hints)
    importer = _importer(head, name)
    if source.packed:
        source = _bounded(stream, source)
    return importer(source, hints)


def _bounded(stream: IO[bytes], source: Source) -> Source:
    """Return a source of a packed file that is refused before anything of it is read, if it unpacks to too much.

    Unpacking takes a small part of the time that reading takes.
    """
    if stream.seekable():
        size = stream.seek(0, _FROM_END)
        stream.seek(0)
        if size * RATIO > UNPACKED:
            plain = 0
            measured = Source(stream, source.name, lambda _: source.check(0), source.unpacked)
            measured.most = 8 * UNPACKED
            for block in measured.blocks():
                plain += len(block)
            if plain > UNPACKED:
                raise source.too_large(f"{plain >> 20:,} MB", UNPACKED)
            stream.seek(0)
        # The one before has read its first block.
        source = Source(stream, source.name, source.check, source.unpacked)
    source.most = UNPACKED
    return source


def _recording(stream: IO[bytes], source: Source, hints: Hints) -> Snapshot:
    """Import a recording, which is read in another order than it lies: from ``stream`` itself, or unpacked."""
    if not source.packed:
        return jfr.read_jfr(cast(BinaryIO, stream), source.name, source.check, hints.salt)
    if hints.scratch is None:
        raise source.failure("", "is a compressed recording; unpack it first")
    with hints.scratch() as scratch:
        for block in source.blocks():
            scratch.write(block)
        # The bytes that are told from here on are those of the unpacked file.
        return jfr.read_jfr(cast(BinaryIO, scratch), source.name, source.check, hints.salt)


Importer = Callable[[Source, Hints], Snapshot]


def _importer(head: bytes, name: str) -> Importer:
    """Return what imports a file with this beginning; raises ``ImportFailure``."""
    for magic, what in _MAGIC:
        if head.startswith(magic):
            raise _unknown(name, what)
    text = head.removeprefix(_BOM).lstrip()
    if text.startswith(b"<"):
        return _of_xml(text, name)
    if text.startswith(b"{"):
        return _of_json(text, name)
    if jprofiler_tables.is_table(text):
        return lambda source, hints: jprofiler_tables.read_jprofiler_table(source, hints.kind)
    if collapsed.is_collapsed(text):
        return lambda source, hints: collapsed.read_collapsed(source, hints.kind, hints.unit)
    if pprof.is_pprof(head):
        return lambda source, hints: pprof.read_pprof(source, hints.kind)
    raise _unknown(name, _look(text))


def _of_xml(text: bytes, name: str) -> Importer:
    found = _ROOT.search(text)
    root = found[1] if found else b""
    if root == b"tree":
        return lambda source, hints: jprofiler.read_jprofiler_xml(source, hints.kind)
    if root == b"recording":
        raise ImportFailure(
            name,
            "",
            "is a recording printed as XML, which is not read; import the .jfr file, or print it with `jfr print --json`",
        )
    if root == b"html":
        raise _unknown(
            name, "a web page; of a flame graph, import the collapsed stacks or the recording"
        )
    if root == b"svg":
        raise _unknown(name, "a picture; of a flame graph, import the collapsed stacks")
    raise _unknown(name, f'XML with the root element "{root.decode("ascii", "replace")[:60]}"')


def _of_json(text: bytes, name: str) -> Importer:
    found = _KEY.match(text)
    first = found[1] if found else b""
    if first in _SPEEDSCOPE:
        return lambda source, hints: speedscope.read_speedscope(source, hints.kind)
    if first == b"recording":
        return lambda source, hints: jfr_json.read_jfr_json(*_printed(source), hints.salt)
    if first == b"resourceProfiles":
        raise _unknown(name, "an OTLP profile")
    if first in (b"nodes", b"traceEvents", b"meta"):
        raise _unknown(name, "a profile of a browser; speedscope can open and save it")
    raise _unknown(name, f'JSON with the first key "{first.decode("utf-8", "replace")}"')


def _printed(source: Source) -> tuple[BinaryIO, str, Check]:
    """Return what the importers of printed recordings are given: they only read, and are told of
    plain bytes what ``check`` is to hear of packed ones."""
    return cast(BinaryIO, source), source.name, lambda _: source.tick()


def _look(text: bytes) -> str:
    if b"Full thread dump" in text:
        return "a thread dump"
    if b"\0" in text or len(re.findall(rb"[^\t\r\n\x20-\x7e\x80-\xff]", text[:4096])) > 8:
        return "binary data"
    if text.startswith(b"["):
        return "a list in JSON, such as a trace of a browser"
    return "text of another kind"


def _unknown(name: str, what: str) -> ImportFailure:
    return ImportFailure(
        name, "", f"is not a profile; it looks like {one_line(what)}. Supported formats: {KNOWN}"
    )
