"""What members of classes are given by placeholders in XML files of beans: ``<property name="size" value="${store.size:16}"/>``.

Only a value that is one reference gives an option's value as it is.
Absent: the other values, whose names are options that only the file asks for (``placeholder_options``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.checking.placeholder_reads import reads
from conflens.documents.configfiles.model import ConfigFile, Format
from conflens.documents.configfiles.wiring import WIRING, wires
from conflens.models.schema import DomainRow
from conflens.options.learned.wires import Entering
from conflens.options.names.naming import is_variable

_ENVIRONMENT = "environment"
_ELSEWHERE = ("build", "system-property")


def entering(file: ConfigFile, rows: Sequence[DomainRow]) -> Iterator[Entering]:
    """Yield what a file gives members of classes of what is asked for."""
    if file.format not in WIRING:
        return
    home = next((row for row in rows if file.format.value in row.formats), None)
    if home is None:
        return
    asked = {one.name_place.start: one for one in reads(file, home.placeholders) if one.whole}
    if not asked:
        return
    starts = sorted(asked)
    at = 0
    for wire in wires(file):
        while at < len(starts) and starts[at] < wire.start:
            at += 1
        if at == len(starts) or starts[at] >= wire.end:
            continue
        one = asked[starts[at]]
        domain = one.domain
        if not domain and file.format is Format.BLUEPRINT:
            domain = home.domain
        elif not domain:
            domain = _ENVIRONMENT if is_variable(one.name) else home.domain
        if file.format is Format.BLUEPRINT or not _is_supplied(one.name, domain, rows):
            place = wire.type, wire.member, wire.index, wire.count
            yield Entering(*place, one.name, domain, one.default, wire.key)


def _is_supplied(name: str, domain: str, rows: Sequence[DomainRow]) -> bool:
    """Tell whether a library, the platform or something else reads or supplies a name."""
    folded = name.lower()
    return any(
        folded == one.lower() or folded.startswith(f"{one.lower()}.")
        for row in rows
        if row.domain in (domain, *_ELSEWHERE)
        for one in (*row.supplied, *row.reserved)
    )
