"""Trails of the flow tree as JSON: what an item of a call hierarchy carries between requests.

Reading is total: what is no trail of ours gives ``None``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from conflens.base.span import Place
from conflens.flow.results import Operation, Step, StepRole
from conflens.ide.navigation.call_hierarchy import Trail
from conflens.program.refs import MemberRef


class _Ref(msgspec.Struct, frozen=True, array_like=True):
    path: str
    number: int
    owner: str
    index: int


class _Step(msgspec.Struct, frozen=True, array_like=True):
    at: _Ref
    role: StepRole


class _Operation(msgspec.Struct, frozen=True, array_like=True):
    at: _Ref
    kind: str
    api: str


class _Trail(msgspec.Struct, frozen=True, omit_defaults=True):
    steps: tuple[_Step, ...] = ()
    option: tuple[str, str] | None = None
    read: tuple[str, int, int] | None = None
    operation: _Operation | None = None


def dump(trail: Trail) -> Any:
    """Return a trail as JSON values."""
    read, operation = trail.read, trail.operation
    return msgspec.to_builtins(
        _Trail(
            tuple(_Step(_Ref(*step.ref, step.instr), step.role) for step in trail.steps),
            trail.option,
            (read.path, read.start, read.end) if read is not None else None,
            _Operation(_Ref(*operation.ref, operation.instr), operation.kind, operation.api)
            if operation is not None
            else None,
        )
    )


def load(data: object) -> Trail | None:
    """Read what ``dump`` wrote."""
    if not isinstance(data, Mapping):
        return None
    try:
        found = msgspec.convert(data, _Trail)
    except msgspec.ValidationError:
        return None
    operation = found.operation
    return Trail(
        tuple(Step(_member(step.at), step.at.index, step.role) for step in found.steps),
        found.option,
        Place(*found.read) if found.read is not None else None,
        Operation(_member(operation.at), operation.at.index, operation.kind, operation.api)
        if operation is not None
        else None,
    )


def _member(ref: _Ref) -> MemberRef:
    return MemberRef(ref.path, ref.number, ref.owner)
