"""Defaults that are what the program has already: ``size = config.getInt("size", size)``.

The default argument is a field, or what a getter returns, and what is read goes back into that field: where the option is
not set the field keeps its initial value.
Absent: fields that a constructor sets (``elsewhere._initial``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import START
from conflens.flow.transfer import ToParameter
from conflens.flow.uses import Uses
from conflens.options.inference.defaults import Look, constant_default, within
from conflens.options.inference.elsewhere import initial, stored
from conflens.options.sites import Site
from conflens.program.refs import MemberRef

_LINKS = 3


def unchanged(uses: Uses, site: Site) -> tuple[str | None, frozenset[str]]:
    """Return the initial value of the field that a read leaves as it is without the option, and the files that say so."""
    if site.default_value == NONE or site.value == NONE:
        return None, frozenset()
    code = uses.code(site.ref)
    files: set[str] = {site.ref.path}
    field = _given(uses, code, site.default_value, files)
    if field is None or field not in _taking(uses, code, site.value, files):
        return None, frozenset(files)
    files.add(field.path)
    texts = {constant_default(uses, inside, value, "") for inside, value in initial(uses, field)}
    return (texts.pop() if len(texts) == 1 else None), frozenset(files)


def _given(uses: Uses, code: Code, value: int, files: set[str]) -> MemberRef | None:
    """Return the field whose value an argument is, also by way of a getter."""
    for _ in range(_LINKS):
        instr = code.code[value] if value != NONE else None
        if isinstance(instr, ir.Cast):
            value = instr.value
            continue
        if isinstance(instr, (ir.Name, ir.Field)):
            return code.context.field_of(value)
        targets = code.context.targets(value) if isinstance(instr, ir.Call) else ()
        if len(targets) != 1 or not isinstance(instr, ir.Call) or instr.args:
            return None
        files.add(targets[0].path)
        code = uses.code(targets[0])
        returned = {one.value for one in code.code if isinstance(one, ir.Return)}
        if len(returned) != 1:
            return None
        (value,) = returned
    return None


def _taking(uses: Uses, code: Code, value: int, files: set[str]) -> Iterator[MemberRef]:
    """Yield the fields that a value is put into, in its body or by a method that is given it."""
    for reached in sorted(within(uses, code, {value}, Look(0, files))):
        for index in code.takers.get(reached, ()):
            instr = code.code[index]
            if isinstance(instr, ir.StoreField) and instr.value == reached:
                field = code.context.target_field(instr)
                if field is not None:
                    yield field
            elif isinstance(instr, (ir.Call, ir.New)):
                for move in uses.transfer.step(code, reached, START):
                    if isinstance(move, ToParameter) and move.index == index:
                        files.add(move.ref.path)
                        yield from stored(uses, move.ref, move.slot)
