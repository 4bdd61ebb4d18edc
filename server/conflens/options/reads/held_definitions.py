"""Definitions that reads are given instead of a name: from a field, or from a local of the same body.

``Option port = Option.builder("p").longOpt("port").build(); … line.getOptionValue(port)``

Absent: what a definition declares (``declared.definitions``), definitions that come from a parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.schema import ReadRow
from conflens.options.origins.tracing import root
from conflens.options.sites import DESCRIBED, Found
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Templates, known_text


class HeldDefinitions:
    """All definitions, by the fields that hold them and by their places."""

    def __init__(
        self,
        founds: Iterable[Found] = (),
        by_field: Mapping[MemberRef, tuple[Found, ...]] | None = None,
    ) -> None:
        """``founds`` are all that declare options."""
        kept = [found for found in founds if found.kind == "definition"]
        self._by_field = by_field or {}
        self._by_place: dict[tuple[str, int], Found] = {}
        for found in kept:
            old = self._by_place.get((found.path, found.scope_at))
            if old is None or len(found.name) > len(old.name):
                self._by_place[found.path, found.scope_at] = found

    def __bool__(self) -> bool:
        return bool(self._by_place)

    def names(self, context: Context, value: int, *, local: bool) -> Templates:
        """Return the names of the definition that a value is, or that it is asked for its name; none if it is not one.

        ``local``: the definition may come out of a local, since it is one that is asked for."""
        instr = context.code[value]
        if isinstance(instr, ir.Call) and not instr.args and instr.object != NONE:
            value = instr.object
        ref = context.field_of(value)
        if ref is not None:
            return tuple((found.name,) for found in self._by_field.get(ref, ()))
        return self._in_body(context, value) if local else ()

    def given(self, context: Context, value: int, names: Templates, row: ReadRow) -> Templates:
        """Return what names the option of a call that a row describes: the definition that it is given, or else ``names``."""
        if row.result == "asked":
            return self.handed(context, value, names, DESCRIBED)
        if not self or known_text(names) is not None:
            return names
        return self.names(context, value, local=row.definition) or names

    def handed(self, context: Context, value: int, names: Templates, domain: str) -> Templates:
        """Return the names of the definition that is handed on, where only these name options, or the parameter that callers hand over;
        any ``names`` in another domain."""
        if domain != DESCRIBED or value == NONE:
            return names
        found = self.names(context, value, local=True)
        instr = context.code[value]
        if not found and isinstance(instr, ir.Load) and not instr.up:
            found = ((Param(instr.slot),),) if context.is_parameter(instr.slot) else ()
        return found

    def _in_body(self, context: Context, value: int) -> Templates:
        """Return the name of a definition that a local of this body was given."""
        if not isinstance(context.code[value], ir.Load):
            return ()
        at = root(context, value)
        while at != NONE:
            instr = context.code[at]
            if not isinstance(instr, (ir.Call, ir.New)):
                break
            start = instr.name_at if isinstance(instr, ir.Call) else instr.at
            found = self._by_place.get((context.ref.path, context.member.at + start))
            if found is not None:
                return ((found.name,),)
            at = instr.object if isinstance(instr, ir.Call) else NONE
        return ()
