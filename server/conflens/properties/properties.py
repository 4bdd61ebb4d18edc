"""All performance properties of the options of one analysis, worked out at the first look and kept per option (LearnConf §4).

What is kept rests on one program, its rows and its flows, and is not taken over by the next analysis.
"""

from __future__ import annotations

import attrs
from typing_extensions import override

from conflens.flow.results import FlowTable, OptionKey
from conflens.flow.rows import Rows
from conflens.flow.uses import Uses
from conflens.models.load import Models
from conflens.options.model import NUMERIC, Option, OptionTable, OptionType
from conflens.program.program import Program
from conflens.program.values import Values
from conflens.properties.callers import Callers
from conflens.properties.directions import directions_of, is_monotone
from conflens.properties.effects import effects
from conflens.properties.entries import Entries
from conflens.properties.evidence import Evidence
from conflens.properties.felt_by import FeltBys
from conflens.properties.model import FeltBy, Properties, Relation
from conflens.properties.relations import Relations
from conflens.properties.slopes import slopes_of

NOTHING = Properties()
_MEASURED = (NUMERIC - {OptionType.PORT}) | {OptionType.UNKNOWN}


class PropertyTable:
    """The properties of the options of one analysis."""

    def __init__(
        self, program: Program, models: Models, table: OptionTable, flows: FlowTable
    ) -> None:
        """Ask these; nothing is looked at before it is asked for."""
        self._program, self._models, self._table, self._flows = program, models, table, flows
        self._uses: Uses | None = None
        self._evidence: Evidence | None = None
        self._relations: Relations | None = None
        self._felt_bys: FeltBys | None = None
        self._known: dict[OptionKey, Properties] = {}
        self._callers = Callers(program)

    def of(self, option: Option) -> Properties:
        """Return what is known of an option."""
        found = self._known.get(option.key)
        if found is None:
            found = self._known[option.key] = self._found(option)
        return found

    def relations_of(self, option: Option) -> tuple[Relation, ...]:
        """Return what other options do to the effect of one."""
        if self._relations is None:
            relations = Relations(self._program, self._table, self._flows, self._callers)
            self._relations = relations
        return self._relations.of(option)

    def felt_by_of(self, option: Option) -> tuple[FeltBy, ...]:
        """Return whose work feels an option."""
        if self._felt_bys is None:
            entries = Entries(self._program, self._models)
            self._felt_bys = FeltBys(self._program, self._flows, entries, self._callers)
        return self._felt_bys.of(option)

    def _found(self, option: Option) -> Properties:
        reach = self._flows.of_option(option.key)
        if not reach.flows:
            alone = NOTHING
        else:
            if self._uses is None or self._evidence is None:
                rows, values = (
                    Rows(self._program, self._models),
                    Values(self._program, self._models),
                )
                self._uses = Uses(self._program, self._models, values, rows)
                self._evidence = Evidence(self._uses, self._callers)
            alone = properties_of(self._uses, self._evidence, self._flows, option)
        return attrs.evolve(
            alone, relations=self.relations_of(option), felt_by=self.felt_by_of(option)
        )


class _NoProperties(PropertyTable):
    """The table of an analysis that has none."""

    def __init__(self) -> None:
        self._known = {}

    @override
    def of(self, option: Option) -> Properties:
        return NOTHING

    @override
    def relations_of(self, option: Option) -> tuple[Relation, ...]:
        return ()

    @override
    def felt_by_of(self, option: Option) -> tuple[FeltBy, ...]:
        return ()


NO_PROPERTIES: PropertyTable = _NoProperties()


def properties_of(uses: Uses, evidence: Evidence, flows: FlowTable, option: Option) -> Properties:
    """Return the properties of an option alone: of what other options and entries say nothing.

    Switches have none (as in LearnConf §4): what runs in one arm only is seldom what an arm costs, since the other one may do as much in another way.
    """
    if option.type not in _MEASURED:
        return NOTHING
    unknown = option.type is OptionType.UNKNOWN
    found = effects(uses, evidence, flows.of_option(option.key), sized=unknown)
    if unknown:
        found = [one for one in found if one.term is not None]  # else it may be no number
    directions = directions_of(found)
    return Properties(slopes_of(found), directions, monotone=is_monotone(found, directions))
