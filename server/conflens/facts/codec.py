"""Facts to bytes and back (MessagePack through msgspec).

Bytes that do not decode raise :class:`CorruptFactsError`; whoever stored them decides what to do.
"""

from __future__ import annotations

import msgspec

from conflens.facts.ir import Body, Instr
from conflens.facts.model import Annotation, FileFacts

_encoder = msgspec.msgpack.Encoder()
_file_decoder = msgspec.msgpack.Decoder(FileFacts)
_body_decoder = msgspec.msgpack.Decoder(Body)
_code_decoder = msgspec.msgpack.Decoder(tuple[Instr, ...])


class CorruptFactsError(ValueError):
    """Stored facts that cannot be read."""


def encode(facts: FileFacts) -> bytes:
    """Return ``facts`` as bytes."""
    return _encoder.encode(facts)


def decode(data: bytes) -> FileFacts:
    """Return the facts in ``data``; raise :class:`CorruptFactsError`."""
    try:
        return _file_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CorruptFactsError(str(error)) from error


def encode_body(body: Body) -> bytes:
    """Return ``body`` as bytes."""
    return _encoder.encode(body)


def decode_body(data: bytes) -> Body:
    """Return the body in ``data``; raise :class:`CorruptFactsError`."""
    try:
        return _body_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CorruptFactsError(str(error)) from error


def encode_code(code: tuple[Instr, ...]) -> bytes:
    """Return annotation code as bytes."""
    return _encoder.encode(code)


def annotation_code(annotation: Annotation) -> tuple[Instr, ...]:
    """Return the instructions behind an annotation's values."""
    if not annotation.code:
        return ()
    try:
        return _code_decoder.decode(annotation.code)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CorruptFactsError(str(error)) from error
