"""Objects of the project's own classes that hold a part of a configuration: ``config.subset("pool.")`` copies the entries whose
keys begin so, without that start, into a new object.

Terms
    cutter   a method that returns such a copy; the class of what it returns is a *part class*
    root     the class that keeps the entries: what is handed to its constructor is what it holds

What a subclass hands on to its superclass is what its objects hold: ``super(config.subset("pool."))``.
A section of a map or tree that an object of such a class keeps is a part, too (``own_sections``).
Absent: how the parts are followed (``prefixes``); copies that a body asks itself (``copied_parts``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.origins.tracing import Tracer, root
from conflens.options.reads.copied_parts import without
from conflens.options.reads.own_sections import OwnSections
from conflens.program.body_uses import called, returned
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Part, Templates, concat, known_text, substitute, union

_MOST = 64
"""Constructors and their callers that are followed."""
_MANY = f"an object around a part of the configuration is made in more than {_MOST} places: where its options lie is not known"


class Walk(NamedTuple):
    """Returns, at a depth, the prefix of a value, of what a body returns, and of what a field holds."""

    value: Callable[[Context, int, int], Templates | None]
    results: Callable[[Context, int], Templates | None]
    field: Callable[[MemberRef, int], Templates | None]


class OwnParts:
    """Finds the part classes of one program, and what their objects are made of."""

    def __init__(self, tracer: Tracer, models: Models, walk: Walk) -> None:
        """Follow with ``tracer`` and ``walk``."""
        self.sections = OwnSections(tracer.values, models)
        self._tracer = tracer
        self._values = tracer.values
        self._program = tracer.program
        self._find = walk.value
        self._results = walk.results
        self._held = walk.field

    def is_part(self, context: Context, value: int) -> bool:
        """Tell whether an object, or for ``NONE`` the own one, may be a part."""
        types = self._types()
        if not types:
            return False
        own = self._is_own(context, value)
        type_ = None if own else context.type_of(value)
        name = context.ref.owner if own else type_.name if type_ is not None else ""
        return bool(name) and not types.isdisjoint((name, *self._program.supertypes(name)))

    def _types(self) -> frozenset[str]:
        """Return what cutters return, with the classes of the project above it."""
        return self._values.trail.remembered(
            "part classes", lambda: self.sections.types().union(self._found())
        )

    def _found(self) -> Iterator[str]:
        self._values.trail.names.add("substring")
        for path, facts in self._program.files.items():
            if is_test_path(path):
                continue
            for number in sorted(set(facts.calls.get("substring", ()))):
                ref = self._program.ref(path, number)
                type_ = self._program.return_type(ref)
                info = self._program.type(type_.name) if type_ is not None else None
                if type_ is None or info is None or not self._copies(ref):
                    continue
                for name in (type_.name, *self._program.supertypes(type_.name)):
                    if self._program.type(name) is not None:
                        yield name

    def _copies(self, ref: MemberRef) -> bool:
        """Tell whether a method of the project fills what it returns itself, with keys without a start that its caller, or it, tells."""
        inner = self._values.open(ref)
        made = returned(inner)
        if len(made) != 1:
            return False
        instr = inner.code[made[0]] if made[0] != NONE else None
        new = inner.code[root(inner, made[0])] if instr is not None else None
        own = isinstance(new, ir.New) and self._is_project(inner, root(inner, made[0]))
        if isinstance(new, ir.New) and new.args:
            instr = inner.code[new.args[0]]
        start = None
        if isinstance(instr, ir.Load) and not instr.up:
            start = without(self._values, inner, instr.slot)
        if own and known_text(start or ()):
            return True
        return _is_open(start) and any(param.type == "String" for param in inner.member.params)

    def _is_project(self, context: Context, value: int) -> bool:
        type_ = context.type_of(value)
        return type_ is not None and self._program.type(type_.name) is not None

    def cut(self, ref: MemberRef, depth: int = 0) -> bool:
        """Tell whether a method of the project is a cutter whose caller tells the start of the keys."""
        key = ("cutter", ref, depth)
        return self._values.trail.remembered(key, lambda: self._cuts(ref, depth))

    def _cuts(self, ref: MemberRef, depth: int) -> bool:
        inner = self._values.open(ref)
        if not any(param.type == "String" for param in inner.member.params):
            return False
        return _is_open(self._results(inner, depth + 1))

    def outer(self, context: Context, call: ir.Call, target: MemberRef, depth: int) -> Templates:
        """Return the prefix of what a cutter copies from: its object, or what else it is given."""
        if not self.cut(target, depth):
            return (("",),)
        asked = call.args if self._program.is_static(target) else (call.object,)
        for value in asked:
            if self._is_own(context, value) and context.ref.owner in self.sections.types():
                continue  # what is said of a section is in terms of the own object
            found = self.of(context, value, depth) if self.is_part(context, value) else None
            if found is not None:
                return found
        return (("",),)

    def of(self, context: Context, value: int, depth: int) -> Templates | None:
        """Return the prefix of an object that is a part."""
        if self._is_own(context, value):
            owner = context.ref.owner
            key = ("own prefix", owner, depth)
            return self._values.trail.remembered(key, lambda: self._own(owner, depth))
        return self._find(context, value, depth)

    def hands_on(self, context: Context, value: int, names: Templates) -> bool:
        """Tell whether the own object, of a section class, is asked for what a caller names, to whom its part is known."""
        return (
            self._is_own(context, value)
            and context.ref.owner in self.sections.types()
            and _is_open(names)
        )

    @staticmethod
    def _is_own(context: Context, value: int) -> bool:
        return value == NONE or isinstance(context.code[value], ir.This)

    def made(self, context: Context, value: int, new: ir.New, depth: int) -> Templates | None:
        """Return the prefix of an object that is made here."""
        if not context.targets(value):
            return self._find(context, new.args[0], depth) if len(new.args) == 1 else None
        return self._given(context, NONE, context.targets(value)[0], new.args, depth)

    def _given(
        self,
        context: Context,
        receiver: int,
        made: MemberRef,
        args: tuple[int, ...],
        depth: int,
    ) -> Templates | None:
        """Return the prefix of what a constructor is given, or hands on itself."""
        inner = self._values.open(made)
        handed = _handed(inner)
        if handed is None:
            found = (self._find(context, arg, depth) for arg in args)
            return next((one for one in found if one is not None), None)

        def fill(part: Part) -> Templates:
            return self._values.open_filled(context, receiver, args, part)

        for arg in handed.args:
            slot = _parameter(inner, arg)
            if NONE < slot < len(args):
                found_here = self._find(context, args[slot], depth)
            else:
                own = self._find(inner, arg, depth + 1)
                found_here = substitute(own, fill) if own is not None else None
            if found_here is not None:
                return found_here
        return None

    def _own(self, owner: str, depth: int) -> Templates | None:
        """Return the prefixes of all objects of a class that is no root."""
        refs = self._program.own_methods(owner).get("<init>", ())
        found: list[Templates | None] = []
        for ref in refs:
            handed = _handed(self._values.open(ref))
            if handed is None or not handed.args:
                return self._kept(owner, depth)
            places = [
                (caller, value, args)
                for caller, value, args in self._tracer.callers(ref)
                if caller.ref.owner != owner or not isinstance(caller.code[value], ir.Call)
                if not is_test_path(caller.ref.path)
            ]
            if len(self._values.first(places, _MOST, ref, _MANY)) < len(places):
                return None
            for caller, _, args in places:
                one = self._given(caller, NONE, ref, args, depth + 1)
                found.append(self._values.closed(caller, one) if one is not None else None)
        known = [one for one in found if one is not None]
        if not known:
            return None
        return union(*known, *([(("",),)] if len(known) < len(found) else []))

    def _kept(self, owner: str, depth: int) -> Templates | None:
        """Return the prefix of what all objects of a section class keep."""
        fields = self.sections.fields(owner)
        found = {self._held(ref, depth + 1) for ref in fields} - {None}
        return found.pop() if len(found) == 1 else None


def _parameter(context: Context, value: int) -> int:
    """Return the parameter that a value is, or that a library's call is given alone; ``NONE`` for another."""
    value = root(context, value)
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Call) and len(instr.args) == 1 and not context.targets(value):
        instr = context.code[root(context, instr.args[0])]
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return instr.slot
    return NONE


def _is_open(start: Templates | None) -> bool:
    return any(not isinstance(part, str) for template in start or () for part in template)


def _handed(context: Context) -> ir.Call | None:
    """Return the call by which a constructor hands something on to another."""
    for _, call in called(context, "<init>"):
        if isinstance(call, ir.Call):
            return call
    return None


def below(prefix: Templates, names: Templates) -> Templates:
    """Return names below a prefix whose beginning is known; a name that already begins so stays as it is."""
    found: Templates = ()
    for start in prefix:
        text = known_text((start,))
        if not isinstance(start[0], str):
            start = ("",)
        for name in names:
            first = name[0]
            whole = bool(text) and isinstance(first, str) and first.startswith(text or "")
            found = union(found, (name,) if whole else concat((start,), (name,)))
    return found
