"""Fields and parameters that the workspace file, or a file of beans, declares to hold options.

``[[read]] field = "org.example.Config.*"`` makes every field of the type an option, read where the
field is; ``parameter = "org.example.Server.configure(0)"`` makes a parameter one, read where the
method begins.  Overriding methods are included.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase as fits

from conflens.base.budget import Pieces
from conflens.facts import ir
from conflens.models.load import Models
from conflens.models.schema import FieldReadRow, ParameterReadRow
from conflens.options.sites import Found, Hint
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.values import Values

_SPECIAL = re.compile(r"[*?\[\]]")
MOST = 2_000_000
"""Names and types that all rows are compared with."""
_FOUND = 100
"""What a field that a row means costs beside."""
_MANY = ("workspace", "many")


class _ManyError(Exception):
    """The rows are compared with too much."""


class _Looks:
    """Counts what the rows are compared with."""

    def __init__(self) -> None:
        self._left = MOST

    def spend(self, count: int) -> None:
        """Count comparisons that are about to be made.  Raises ``_ManyError``."""
        self._left -= count
        if self._left < 0:
            raise _ManyError


def find(program: Program, models: Models, values: Values, pieces: Pieces) -> Iterator[Found]:
    """Yield the declared options in the order of the rows; of very many rows only those of the first."""
    looks = _Looks()
    pieces.done.add(_MANY)
    row: FieldReadRow | ParameterReadRow | None = None
    try:
        types: dict[str, list[_Fields]] = {}
        for row in models.field_reads:
            if row.type not in types:
                names = _and_below(program, row.type)
                types[row.type] = [_Fields(program.own_fields(name)) for name in names]
            looks.spend(len(types[row.type]))
            for fields in types[row.type]:
                for ref in fields.named(row.field, looks):
                    looks.spend(_FOUND)
                    yield _field(program, values, row, ref)
        below: dict[str, tuple[str, ...]] = {}
        for row in models.parameter_reads:
            if row.type not in below:
                below[row.type] = _and_below(program, row.type)
            looks.spend(len(below[row.type]))
            yield from _parameters(values, row, below[row.type])
    except _ManyError:
        info = program.type(row.type) if row is not None else None
        path, at = (info.path, info.decl.name_at) if info is not None else ("", 0)
        message = (
            "the rows [[read]] of the workspace file are too many to be compared with all fields "
            "and parameters; only the first count"
        )
        pieces.note(_MANY, path, at, message)


class _Fields:
    """The fields of one type, to be looked up by how their names begin or end: there may be many rows."""

    def __init__(self, fields: Mapping[str, MemberRef]) -> None:
        """Sort the names, and the names written backwards."""
        self._fields = fields
        self._order = {name: number for number, name in enumerate(fields)}
        self._names = sorted(fields)
        self._backwards = sorted(name[::-1] for name in fields)

    def named(self, glob: str, looks: _Looks) -> list[MemberRef]:
        """Return the fields whose names fit, in the order of the code; ``looks`` counts those that are compared."""
        special = [match.start() for match in _SPECIAL.finditer(glob)]
        if not special:
            return [self._fields[glob]] if glob in self._fields else []
        head, tail = glob[: special[0]], glob[special[-1] + 1 :]
        forwards = len(head) >= len(tail)
        near = _beginning(*((self._names, head) if forwards else (self._backwards, tail[::-1])))
        looks.spend(len(near))
        near = near if forwards else [name[::-1] for name in near]
        found = [name for name in near if fits(name, glob)]
        return [self._fields[name] for name in sorted(found, key=self._order.__getitem__)]


def _beginning(names: list[str], head: str) -> list[str]:
    """Return those of sorted names that begin with a text."""
    first = bisect_left(names, head)
    return names[first : bisect_left(names, head + chr(sys.maxunicode), first)]


def _field(program: Program, values: Values, row: FieldReadRow, ref: MemberRef) -> Found:
    member = program.member(ref)
    default, start, end = _initial(program, values, ref)
    return Found(
        row.domain,
        row.name.replace("{field}", member.name),
        "field",
        ref.path,
        member.name_at,
        member.name_end,
        member.at,
        member.end,
        f"{_simple(ref.owner)}.{member.name}",
        f"{_simple(ref.owner)}.{member.name}",
        default,
        start,
        end,
        Hint(java_type=program.field_type(ref).text()),
        member=ref,
        loads_are_reads=True,
    )


def _initial(program: Program, values: Values, ref: MemberRef) -> tuple[str | None, int, int]:
    context = values.open(ref)
    for instr in context.code:
        if isinstance(instr, ir.StoreField):
            text = known_text(values.of(context, instr.value))
            given = context.code[instr.value]
            at = context.member.at
            return text, at + given.at, at + given.end
    return None, -1, -1


def _and_below(program: Program, name: str) -> tuple[str, ...]:
    return (name, *program.all_subtypes(name))


def _parameters(values: Values, row: ParameterReadRow, types: Iterable[str]) -> Iterator[Found]:
    program = values.program
    for type_ in types:
        for ref in program.own_methods(type_).get(row.method, ()):
            member = program.member(ref)
            if row.parameter < len(member.params) and row.count in (None, len(member.params)):
                yield _parameter(values, row, ref)


def _parameter(values: Values, row: ParameterReadRow, ref: MemberRef) -> Found:
    program = values.program
    member = program.member(ref)
    local = values.open(ref).body.locals[row.parameter]
    start = member.at + local.at
    end = start + len(local.name.encode())
    symbol = f"{_simple(ref.owner)}.{member.name}"
    return Found(
        row.domain,
        row.name,
        "field",
        ref.path,
        start,
        end,
        start,
        end,
        symbol,
        f"{symbol}({local.name})",
        row.default,
        hint=Hint(java_type=program.resolve(local.type, ref.path, ref.owner).text()),
        is_read=True,
        enters=ref,
        parameter=row.parameter,
    )


def _simple(qualified: str) -> str:
    return qualified.rpartition(".")[2]
