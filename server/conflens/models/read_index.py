"""What is asked of the rows of reads for every call, worked out once for all files.

Absent: which of the rows hold for a call (``options.reads``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conflens.models.schema import ReadRow


class ReadIndex:
    """The rows of reads by what a call shows before anything is known of it."""

    def __init__(self, by_method: Mapping[str, tuple[ReadRow, ...]]) -> None:
        """Index rows that are grouped by the name of the method."""
        self._by_method = by_method
        self._by_count: dict[tuple[str, int], tuple[ReadRow, ...]] = {}
        self.asked_types = frozenset(
            name
            for rows in by_method.values()
            for row in rows
            if row.evidence == "certain"
            for name in (row.type, *row.also_types)
            if not name.startswith("java.")
        )
        """Types of libraries that are surely asked for options."""
        self.lookups = {method: tuple(_lookups(rows)) for method, rows in by_method.items()}
        """The rows that look a name up in a carrier, by the name of the method."""
        self.carriers = frozenset(
            name
            for rows in self.lookups.values()
            for row in rows
            for name in (row.type, *row.also_types)
        )
        """The types of which such a lookup is a method."""

    def of(self, method: str, count: int) -> tuple[ReadRow, ...]:
        """Return the reads by calls of a method with so many arguments, in the order of the rows."""
        found = self._by_count.get((method, count))
        if found is None:
            found = self._by_count[method, count] = tuple(
                row
                for row in self._by_method.get(method, ())
                if not (row.write or row.named_by) and row.min_args <= count
                if row.max_args is None or count <= row.max_args
            )
        return found


def _lookups(rows: Iterable[ReadRow]) -> Iterable[ReadRow]:
    for row in rows:
        carried = row.evidence in ("role", "entered") and not (row.write or row.presence)
        if carried and isinstance(row.name, int) and row.name >= 0:
            yield row
