"""What was cut short in an analysis, as bytes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from conflens.base.budget import Fault

_DECODER = msgspec.msgpack.Decoder(tuple[tuple[str, int, str], ...])


def encode_faults(faults: Sequence[Fault]) -> bytes | None:
    """Return faults as bytes, ``None`` when one is in a file whose name is not valid Unicode."""
    try:
        return msgspec.msgpack.encode([(one.path, one.at, one.message) for one in faults])
    except UnicodeEncodeError:
        return None


def decode_faults(data: bytes) -> tuple[Fault, ...] | None:
    """Return the faults in ``data``, ``None`` when they cannot be read."""
    try:
        return tuple(Fault(*one, bounded=True) for one in _DECODER.decode(data))
    except msgspec.MsgspecError:
        return None
