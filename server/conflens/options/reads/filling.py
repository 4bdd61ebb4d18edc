"""Methods that fill a map under the key that they are given: what is there already is looked at, but it is no option that they read.

``void addListItem(String key, String item)`` puts a list under the key, with what stands there so far; ``setIfMissing`` puts a value unless
there is one.  Who calls such a method sets what it names.
Absent: ``Properties``, to which defaults are added so before they are used; maps that a call returns again.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.options.origins.tracing import root
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Templates
from conflens.program.values import Values

_DOMAIN = "settings"
_PUTS = ("put", "add", "set")


def fills(values: Values, domain: str, ref: MemberRef, names: Templates) -> bool:
    """Tell whether a method that looks something up in a map under a key that it is given puts something under that."""
    member = values.program.member(ref)
    keys = {part.slot for template in names for part in template if isinstance(part, Param)}
    if domain != _DOMAIN or member.type != "void" or len(keys) != 1 or len(member.params) < 2:
        return False
    slot = keys.pop()
    return values.trail.remembered(("fills", ref, slot), lambda: _puts(values, ref, slot))


def _puts(values: Values, ref: MemberRef, slot: int) -> bool:
    context = values.open(ref)
    for _, call in context.calls():
        if not isinstance(call, ir.Call) or len(call.args) != 2 or not call.name.startswith(_PUTS):
            continue
        key = context.code[root(context, call.args[0])]
        if isinstance(key, ir.Load) and not key.up and key.slot == slot:
            return True
    return False
