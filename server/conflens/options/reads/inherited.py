"""Look-ups that a class may inherit from a library that is not at hand.

A project's class that extends ``RestConfig`` of a library, which nobody knows to extend Kafka's ``AbstractConfig``, is asked with
``getInt("threads")``.  By the method alone that may be anything; if the name is that of an option which the program declares in the
domain of such a look-up, it is a read.  Absent: who decides (``unclear``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from conflens.facts.ir import Call
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.program.expressions import Context
from conflens.program.program import Program


class Inherited:
    """Tells which look-ups the objects of one program may inherit."""

    def __init__(self, program: Program, models: Models) -> None:
        """Use the rows of ``models`` for domains in which options are declared by calls."""
        self._program = program
        self._domains = frozenset(row.domain for row in models.definitions if row.domain)

    def rows(
        self,
        context: Context,
        value: int,
        call: Call,
        fitting: Sequence[ReadRow],
        owners: Iterable[str],
    ) -> Iterator[ReadRow]:
        """Yield rows, one for each domain, that a call would fit if a class of unknown kin had the row's type."""
        rows: dict[str, ReadRow] = {}
        for row in fitting:
            named = isinstance(row.name, int) and 0 <= row.name < len(call.args)
            if named and row.evidence == "certain" and row.domain in self._domains:
                rows.setdefault(row.domain, row)
        if rows and not context.targets(value) and any(map(self._is_open, owners)):
            yield from rows.values()

    def _is_open(self, owner: str) -> bool:
        """Tell whether not all types are known of which an object is."""
        known = self._program.known
        return not all(map(known, (owner, *self._program.supertypes(owner))))
