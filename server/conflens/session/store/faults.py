"""What was cut short in an analysis, and how near to that it came, as bytes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from conflens.base.budget import Fault, PieceKey, Sums

_Stored = tuple[tuple[tuple[str, int, str], ...], bool, tuple[tuple[PieceKey, float], ...]]
_DECODER = msgspec.msgpack.Decoder(_Stored)


def encode_faults(faults: Sequence[Fault], sums: Sums) -> bytes | None:
    """Return faults and sums as bytes, ``None`` when one is of a file whose name is not valid Unicode."""
    told = [(one.path, one.at, one.message) for one in faults]
    try:
        return msgspec.msgpack.encode((told, sums.ample, list(sums.steps.items())))
    except UnicodeEncodeError:
        return None


def decode_faults(data: bytes) -> tuple[tuple[Fault, ...], Sums] | None:
    """Return the faults and sums in ``data``, ``None`` when they cannot be read."""
    try:
        told, ample, steps = _DECODER.decode(data)
    except msgspec.MsgspecError:
        return None
    return tuple(Fault(path, at, message, bounded=True) for path, at, message in told), Sums(
        ample, dict(steps)
    )
