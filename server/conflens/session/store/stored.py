"""What the cache's blobs mean: facts of Java files, harvests of documents, tables of options, as
bytes.

Facts have their own codec, and so have flows (``flow_store``); those here are for plain classes without one.  ``meaning`` and
``table_meaning`` name the version of what is stored.  It includes a digest of the code that makes
them, so that a changed analysis never reads what another one stored, whoever forgot to raise a
number.
"""

from __future__ import annotations

import hashlib
from importlib import resources

import msgspec

from conflens.documents import Harvest, Mention, MentionKind, Stated
from conflens.facts.model import FORMAT as FACTS_FORMAT
from conflens.options.model import Option, OptionTable, Unresolved
from conflens.session.store.flows import MEANING as FLOWS

FORMAT = 3
"""Version of the stored harvests."""

_PACKAGES = ("conflens.facts", "conflens.syntax", "conflens.documents", "conflens.base")
_TABLE_PACKAGES = (
    *_PACKAGES,
    "conflens.models",
    "conflens.program",
    "conflens.flow",
    "conflens.operations",
    "conflens.options",
)


class _Mention(msgspec.Struct, frozen=True, gc=False, array_like=True):
    name: str
    line: int
    column: int
    kind: str
    description: str | None
    default: str | None
    value: str | None
    active: bool
    unit: str
    values: tuple[str, ...]
    minimum: float | None
    maximum: float | None


class _Harvest(msgspec.Struct, frozen=True, array_like=True):
    mentions: tuple[_Mention, ...]
    words: dict[str, tuple[int, int]]
    truncated: bool


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Harvest)
_table_decoder = msgspec.msgpack.Decoder(tuple[list[Option], list[Unresolved]])


def meaning() -> str:
    """Return the version of what is stored of single files."""
    return f"{FACTS_FORMAT}/{FORMAT}/{_code_digest(_PACKAGES)}"


def table_meaning() -> str:
    """Return the version of stored tables of options and of flows."""
    return f"{FACTS_FORMAT}/{FORMAT}/{FLOWS}/{_code_digest(_TABLE_PACKAGES)}"


def encode_table(table: OptionTable) -> bytes | None:
    """Return ``table`` as bytes, ``None`` when it names a file whose name is not valid Unicode."""
    try:
        return _encoder.encode((table.options, table.unresolved))
    except UnicodeEncodeError:
        return None


def decode_table(data: bytes) -> OptionTable | None:
    """Return the table in ``data``, ``None`` when it cannot be read."""
    try:
        options, unresolved = _table_decoder.decode(data)
    except (msgspec.MsgspecError, ValueError):
        return None
    return OptionTable.of(options, unresolved)


def _code_digest(packages: tuple[str, ...]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    folders = [resources.files(package) for package in reversed(packages)]
    while folders:
        for item in sorted(folders.pop().iterdir(), key=lambda item: item.name):
            if item.name.endswith(".py"):
                digest.update(item.read_bytes())
            elif item.is_dir():
                folders.append(item)
    return digest.hexdigest()


def encode_harvest(harvest: Harvest) -> bytes:
    """Return ``harvest`` as bytes; text that is not valid Unicode is replaced."""
    stored = _Harvest(
        tuple(
            _Mention(
                mention.name,
                mention.line,
                mention.column,
                mention.kind.value,
                mention.description,
                mention.default,
                mention.value,
                mention.active,
                mention.said.unit,
                mention.said.values,
                mention.said.minimum,
                mention.said.maximum,
            )
            for mention in harvest.mentions
        ),
        dict(harvest.words),
        harvest.truncated,
    )
    return _encoder.encode(stored)


def decode_harvest(data: bytes) -> Harvest | None:
    """Return the harvest in ``data``, ``None`` when it cannot be read."""
    try:
        stored = _decoder.decode(data)
        mentions = tuple(
            Mention(
                item.name,
                item.line,
                item.column,
                MentionKind(item.kind),
                item.description,
                item.default,
                item.value,
                item.active,
                Stated(item.unit, item.values, item.minimum, item.maximum),
            )
            for item in stored.mentions
        )
    except (msgspec.DecodeError, ValueError):
        return None
    return Harvest(mentions, stored.words, stored.truncated)
