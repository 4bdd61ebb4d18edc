"""Stores of the program's own: classes that keep texts under keys, most of which the program itself puts there.

``store.put("index.version", VERSION)`` and ``store.get("index.version")`` in other classes write and read what the program wants to know
again, however the class is called.  A class of settings has setters as well, but most of what it is asked for is set by nobody here.
Bounded by ``_MOST`` calls of either kind; a class of which there are more is not judged.
Absent: maps that a class fills for itself (``own_documents``); objects of a library's configuration types (``own_entries``).
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.base.paths import is_test_path
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.options.origins.sources import Sources
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates

_PUTS = ("put", "set", "add")
_NAMES = 3
"""Names that must be asked for to tell whether most are put."""
_SHARE = 0.75
_MOST = 400


def is_own_store(sources: Sources, ref: MemberRef, names: Templates) -> bool:
    """Tell whether the method of a class that looks a name up finds there what the program has put."""
    program = sources.tracer.program
    if program.member(ref).modifiers & Modifier.STATIC or not names:
        return False
    key = ("own store", ref)
    put = sources.tracer.values.trail.remembered(key, lambda: _put(sources, ref))
    return all(_text(name) in put for name in names)


def _text(name: Iterable[object]) -> str:
    """Return a name, ``*`` for each part that is not known."""
    return "".join(part if isinstance(part, str) else "*" for part in name)


def _put(sources: Sources, ref: MemberRef) -> frozenset[str]:
    """Return the names under which the program puts something into the store of a class, if it puts most of what it asks for."""
    values = sources.tracer.values
    values.asking.shape(ref.owner)
    setters = [
        one
        for refs in values.program.own_methods(ref.owner).values()
        for one in refs
        if _is_setter(sources, one)
    ]
    if not setters:
        return frozenset()
    asked = _given(sources, (ref,))
    if len(asked) < _NAMES:
        return frozenset()
    put = _given(sources, setters)
    return put if len(asked & put) >= _SHARE * len(asked) else frozenset()


def _is_setter(sources: Sources, ref: MemberRef) -> bool:
    """Tell whether a method takes a text and a value, and is called as what puts the value under the text."""
    member = sources.tracer.program.member(ref)
    return (
        member.kind == "method"
        and len(member.params) == 2
        and member.params[0].type == "String"
        and member.name.startswith(_PUTS)
        and not member.modifiers & Modifier.STATIC
    )


def _given(sources: Sources, methods: Iterable[MemberRef]) -> frozenset[str]:
    """Return the names that calls of methods state, as their first argument; none if there are too many calls."""
    tracer = sources.tracer
    found: set[str] = set()
    for method in methods:
        calls = tracer.callers(method, judged=True)
        if len(calls) > _MOST:
            return frozenset()
        for caller, _, args in calls:
            if is_test_path(caller.ref.path) or not args or args[0] == NONE:
                continue
            found.update(
                _text(name)
                for name in tracer.values.of(caller, args[0])
                if any(isinstance(part, str) and part for part in name)
            )
    return frozenset(found)
