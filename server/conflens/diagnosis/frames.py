"""Frames of a profile in the source of today: which member of the project a frame runs.

Terms
    binary name   what the JVM calls a class: ``a.b.Outer$Inner``, ``Outer$1`` for an anonymous class and for the
                  body of an enum constant, ``Outer$1Local`` for a local one, numbered as javac does: in the order in
                  which they stand in the innermost class around them.
    places        the members whose code a frame may run.  One, but for ``<init>`` and ``<clinit>``, which also run the
                  initial values and the initialiser blocks of their class.
    glue          a frame that no line of source stands for: an accessor, a bridge, the class of a lambda.

A frame names the class that declares its method, so nothing is looked for in supertypes.  Parameter types are
compared by erasure and simple name, as much as a declaration says without its imports; only where that leaves
several methods are types resolved.  A method whose parameters changed since the snapshot is found by its name,
and a class in code whose number changed by its methods, if only one can be meant.  "Don't know" is ``None``.

Absent: lines (``lines``), call instructions (``sites``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from conflens.diagnosis.descriptors import (
    Erased,
    Signature,
    is_reference,
    outline,
    parse_descriptor,
    same,
)
from conflens.facts import ir
from conflens.facts.codec import encode_body
from conflens.facts.model import FileFacts, Member, Modifier, TypeDecl
from conflens.profiling.model import Frame, Nature
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_LAMBDA = re.compile(r"lambda\$(.*?)\$(?:[0-9a-f]+\$)?(\d+)")
_ACCESSOR = re.compile(r"access\$\d+")
_NUMBERED = re.compile(r"(.*)\$(\d+)")
_STEPS = 20
"""Type variables that are followed from one to the next; legal Java has fewer."""
_OF_ENUMS = frozenset({"values", "valueOf"})
"""What the compiler adds to every enum."""
_INSIDE_LAMBDA = {"new": "<init>", "static": "<clinit>"}
_STATIC = int(Modifier.STATIC)
_INITIAL = frozenset({"field", "initializer", "enum_constant"})
_EMPTY = len(encode_body(ir.Body((), ())))
_BEFORE_ENUM = 2
"""The parameters of an enum's constructor that the compiler puts first: name and ordinal."""


class _Class(NamedTuple):
    path: str
    number: int


class FrameIndex:
    """The classes of a program by their binary names; remembers every answer."""

    def __init__(self, program: Program) -> None:
        """Index the types of all files; members are looked at when they are asked for."""
        self.program = program
        self._classes: dict[str, _Class] = {}
        self._simple: dict[str, list[str]] | None = None
        self._members: dict[str, Mapping[int, dict[str, list[int]]]] = {}
        self._anonymous: dict[str, dict[int, list[int]]] = {}
        self._places: dict[tuple[str, str, str, bool], tuple[MemberRef, ...]] = {}
        self._initial: dict[tuple[str, int, int], tuple[int, ...]] = {}
        self._counted: dict[tuple[str, int], list[tuple[MemberRef, ir.Lambda | None]]] = {}
        self._calls: dict[MemberRef, dict[str, list[int]]] = {}
        self._declared: dict[tuple[MemberRef, str], bool] = {}
        self._in_bodies: dict[MemberRef, list[ir.Lambda | None]] = {}
        self._signatures: dict[str, Signature | None] = {}
        for path, facts in program.files.items():
            for number, name in enumerate(binary_names(facts)):
                self._classes.setdefault(name, _Class(path, number))

    @property
    def known(self) -> int:
        """How many frames are remembered."""
        return len(self._places)

    # -- from frames to members ----------------------------------------------------------------

    def locate(self, frame: Frame) -> MemberRef | None:
        """Return the member that a frame runs, whatever its line; ``None`` if it is not one of the project's, or
        if several can be meant."""
        found = self.places(frame)
        if len(found) == 1 or (found and frame.method == "<init>" and self._is_constructor(found)):
            return found[0]
        return None

    def places(self, frame: Frame) -> tuple[MemberRef, ...]:
        """Return the members whose code a frame may run: see the module text.

        Several methods are returned if the frame cannot tell which of them it is; a constructor comes first.
        """
        if frame.nature is not Nature.JAVA:
            return ()
        key = (frame.owner, frame.method, frame.descriptor, frame.simple)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = self._look(frame)
        return found

    def type_of(self, frame: Frame) -> tuple[str, int] | None:
        """Return the path and number of the class that a frame names."""
        name = frame.owner
        if frame.simple:
            if self._simple is None:
                self._simple = {}
                for known in self._classes:
                    self._simple.setdefault(known.rpartition(".")[2], []).append(known)
            names = self._simple.get(name, [])
            if len(names) != 1:
                return None
            name = names[0]
        return self._classes.get(name)

    def lambda_range(self, frame: Frame, ref: MemberRef) -> tuple[int, int] | None:
        """Return the half-open range of instructions of ``ref`` that the frame of a lambda runs; ``None`` if it
        is no lambda's or several can be meant."""
        match = _LAMBDA.fullmatch(frame.method)
        if match is None:
            return None
        known = _Class(ref.path, self.program.member(ref).owner)
        numbered = self._numbered(known, int(match[2]))
        if numbered is not None and numbered[0] == ref and numbered[1] is None:
            return None
        signature = self.signature(frame.descriptor)
        fitting = [
            found
            for found in self.lambdas_of(ref)
            if found is not None
            and (signature is None or len(found.params) <= len(signature.params))
        ]
        if len(fitting) > 1:
            fitting = [found for found in fitting if numbered == (ref, found)]
        return (fitting[0].start, fitting[0].stop) if len(fitting) == 1 else None

    def declares(self, ref: MemberRef, descriptor: str) -> bool:
        """Tell whether a method has exactly the parameters and the result of a descriptor."""
        key = (ref, descriptor)
        found = self._declared.get(key)
        if found is None:
            signature = self.signature(descriptor)
            found = self._declared[key] = signature is None or self._declares(ref, signature)
        return found

    def is_glue(self, frame: Frame, callee: Frame | None = None) -> bool:
        """Tell whether no source stands for a frame; ``callee`` is the frame that it calls, if any.

        A bridge calls the method that it is named after, with other types.  Without descriptors it is told by
        its line, the one that its class begins on, or as a call of itself that no instruction makes.
        """
        if frame.nature is not Nature.JAVA:
            return False
        if "$$Lambda" in frame.owner or _ACCESSOR.fullmatch(frame.method):
            return True
        if self.type_of(frame) is None:
            return False
        if not self.places(frame):
            return frame.method not in ("<init>", "<clinit>")
        if callee is None or (callee.owner, callee.method) != (frame.owner, frame.method):
            return False
        if self._is_on_header(frame):
            return True
        if frame.descriptor != callee.descriptor:
            mine, other = self.signature(frame.descriptor), self.signature(callee.descriptor)
            if mine is None or other is None or len(mine.params) != len(other.params):
                return False
            return not any(self.declares(ref, frame.descriptor) for ref in self.places(frame))
        ref = self.locate(frame)
        if ref is None or frame.method == "<init>":
            return False
        if frame.method in self.calls_of(ref):
            return False
        code = self.program.body(ref).code
        return not any(isinstance(at, ir.MethodRef) and at.name == frame.method for at in code)

    def calls_of(self, ref: MemberRef) -> Mapping[str, list[int]]:
        """Return the calls in a member by the name of the method; constructors are called ``<init>``."""
        found = self._calls.get(ref)
        if found is None:
            found = self._calls[ref] = {}
            for at, instr in enumerate(self.program.body(ref).code):
                kind = instr.__class__
                if kind is ir.Call:
                    found.setdefault(instr.name, []).append(at)  # type: ignore[union-attr]
                elif kind is ir.New:
                    found.setdefault("<init>", []).append(at)
        return found

    def line_at(self, path: str, offset: int) -> int:
        """Return the 1-based line of a byte offset of a file."""
        return bisect_right(self.program.files[path].starts, offset)

    def holds(self, ref: MemberRef, line: int) -> bool:
        """Tell whether a member's declaration has a line."""
        member = self.program.member(ref)
        if line < self.line_at(ref.path, member.at):
            return False
        return line <= self.line_at(ref.path, member.end)

    def _is_on_header(self, frame: Frame) -> bool:
        """Tell whether a frame's line is one that its class begins on, and not its method's."""
        known = self.type_of(frame)
        if known is None or not frame.line:
            return False
        decl = self.program.files[known[0]].types[known[1]]
        if (
            not self.line_at(known[0], decl.at)
            <= frame.line
            <= self.line_at(known[0], decl.name_at)
        ):
            return False
        return not any(self.holds(ref, frame.line) for ref in self.places(frame))

    def _is_constructor(self, found: Sequence[MemberRef]) -> bool:
        kinds = [self.program.member(ref).kind for ref in found]
        return kinds[0] == "constructor" and "constructor" not in kinds[1:]

    def _look(self, frame: Frame) -> tuple[MemberRef, ...]:
        if not frame.owner:
            return ()
        known = self.type_of(frame)
        if known is not None:
            found = self._in_class(_Class(*known), frame)
            if found or not self._is_in_code(known):
                return found
        return self._in_siblings(frame)

    def _is_in_code(self, known: tuple[str, int]) -> bool:
        decl = self.program.files[known[0]].types[known[1]]
        return decl.member >= 0 and not decl.name

    def _in_siblings(self, frame: Frame) -> tuple[MemberRef, ...]:
        """Return the method of the only anonymous class beside the named one that declares it."""
        match = _NUMBERED.fullmatch(frame.owner)
        if match is None or frame.method.startswith("<") or frame.simple:
            return ()
        around = self._classes.get(match[1])
        if around is None:
            return ()
        found = [
            refs
            for number in self._anonymous_in(around)
            if (refs := self._in_class(_Class(around.path, number), frame))
        ]
        return found[0] if len(found) == 1 and len(found[0]) == 1 else ()

    def _in_class(self, known: _Class, frame: Frame) -> tuple[MemberRef, ...]:
        members = self._members_of(known.path).get(known.number, {})
        facts = self.program.files[known.path]
        numbers = members.get(frame.method, [])
        if not numbers or frame.method[0] == "<":
            if frame.method == "<init>":
                return self._initialised(known, members, self._constructors(known, numbers, frame))
            if frame.method == "<clinit>":
                return self._static(known, members)
            match = _LAMBDA.fullmatch(frame.method)
            return self._around_lambda(known, members, match) if match is not None else ()
        methods = [item for item in numbers if facts.members[item].kind == "method"]
        if not methods:
            return ()
        if facts.types[known.number].kind == "enum" and frame.method in _OF_ENUMS:
            return self._refs(known, self._written(known, methods, frame.descriptor))
        return self._refs(known, self._fitting(known, methods, frame.descriptor))

    # -- methods and constructors --------------------------------------------------------------

    def _fitting(self, known: _Class, methods: list[int], descriptor: str) -> list[int]:
        """Return those of overloaded methods that a descriptor can mean."""
        signature = self.signature(descriptor) if len(methods) > 1 else None
        if signature is None:
            return methods
        facts = self.program.files[known.path]
        count = len(signature.params)
        numerous = [item for item in methods if len(facts.members[item].params) == count]
        if len(numerous) < 2:
            return numerous or methods
        exact = [item for item in numerous if self._takes(known, item, signature.params)]
        if len(exact) > 1:
            returning = [item for item in exact if self._returns(known, item, signature.returns)]
            exact = returning or exact
        if len(exact) > 1:
            return self._resolved(known, exact, descriptor) or exact
        return exact or self._bridged(known, numerous, signature) or methods

    def _written(self, known: _Class, methods: list[int], descriptor: str) -> list[int]:
        """Return the methods with exactly these parameters: others of that name are the compiler's."""
        signature = self.signature(descriptor)
        if signature is None:
            return []
        return [item for item in methods if self._takes(known, item, signature.params)]

    def _bridged(self, known: _Class, methods: list[int], signature: Signature) -> list[int]:
        """Return the only method that a bridge with these parameters can stand for: it agrees with all of
        them that are primitive, or none."""
        facts = self.program.files[known.path]
        found = []
        for item in methods:
            declared = [
                self._erased(known, facts.members[item], p.type)
                for p in facts.members[item].params
            ]
            if all(
                mine == other or (is_reference(mine) and is_reference(other))
                for mine, other in zip(declared, signature.params, strict=True)
            ):
                found.append(item)
        return found if len(found) == 1 else []

    def _constructors(self, known: _Class, declared: list[int], frame: Frame) -> list[int]:
        facts = self.program.files[known.path]
        numbers = [item for item in declared if facts.members[item].kind == "constructor"]
        signature = self.signature(frame.descriptor) if len(numbers) > 1 else None
        if signature is None:
            return numbers
        params = signature.params
        decl = facts.types[known.number]
        forms = [params]
        if decl.kind == "enum":
            forms = [params[_BEFORE_ENUM:]]
        elif _has_outer(facts, decl):
            forms = [params[1:], params]
        for form in forms:
            exact = [item for item in numbers if self._takes(known, item, form)]
            if not exact and decl.member >= 0:
                exact = self._capturing(known, numbers, form)
            if len(exact) == 1:
                return exact
            if exact:
                return self._resolved(known, exact, frame.descriptor) or exact
        counts = {len(form) for form in forms}
        numerous = [item for item in numbers if len(facts.members[item].params) in counts]
        return numerous if len(numerous) == 1 else numbers

    def _capturing(
        self, known: _Class, numbers: list[int], params: tuple[Erased, ...]
    ) -> list[int]:
        """Return the constructors of a local class of which ``params`` are those declared and then the
        captured variables; the longest fit."""
        facts = self.program.files[known.path]
        for count in range(len(params), -1, -1):
            found = [
                item
                for item in numbers
                if len(facts.members[item].params) == count
                and self._takes(known, item, params[:count])
            ]
            if found:
                return found
        return []

    def _takes(self, known: _Class, number: int, params: tuple[Erased, ...]) -> bool:
        member = self.program.files[known.path].members[number]
        return len(member.params) == len(params) and all(
            same(self._erased(known, member, param.type), wanted)
            for param, wanted in zip(member.params, params, strict=True)
        )

    def _returns(self, known: _Class, number: int, wanted: Erased) -> bool:
        member = self.program.files[known.path].members[number]
        return same(self._erased(known, member, member.type), wanted)

    def _declares(self, ref: MemberRef, signature: Signature) -> bool:
        """Tell whether a member has the parameters and the result of a descriptor."""
        member = self.program.member(ref)
        known = _Class(ref.path, member.owner)
        if member.kind == "constructor":
            return self._takes(known, ref.number, signature.params)
        return self._takes(known, ref.number, signature.params) and self._returns(
            known, ref.number, signature.returns
        )

    def _resolved(self, known: _Class, methods: list[int], descriptor: str) -> list[int]:
        """Return the methods whose parameters have the packages of a descriptor, too."""
        facts = self.program.files[known.path]
        found = []
        for item in methods:
            owner = self.program.type_name(known.path, known.number)
            names = [
                self.program.resolve(param.type, known.path, owner).name.replace(".", "/")
                for param in facts.members[item].params
            ]
            if all(f"L{name};" in descriptor for name in names if "/" in name):
                found.append(item)
        return found if len(found) == 1 else []

    def _erased(self, known: _Class, member: Member, text: str) -> Erased:
        """Return the erasure of a declared type; type variables are their first bounds."""
        facts = self.program.files[known.path]
        name, dimensions = outline(text)
        for _ in range(_STEPS):
            bound = _bound(facts, known.number, member, name)
            if bound is None:
                break
            name, more = outline(bound or "Object")
            dimensions += more
        return Erased(name.rpartition(".")[2], dimensions)

    # -- initialisers --------------------------------------------------------------------------

    def _initialised(
        self, known: _Class, members: dict[str, list[int]], constructors: list[int]
    ) -> tuple[MemberRef, ...]:
        """Return constructors and what runs in them: initial values and blocks of the object."""
        found = self._refs(known, constructors)
        if len(found) == 1 and self._delegates(found[0]):
            return found
        return (*found, *self._refs(known, self._initialisers(known, members, 0)))

    def _delegates(self, ref: MemberRef) -> bool:
        """Tell whether a constructor begins with ``this(…)``."""
        code = self.program.body(ref).code
        for instr in code:
            if isinstance(instr, ir.Call) and instr.name == "<init>" and instr.object >= 0:
                on = code[instr.object]
                return isinstance(on, ir.This) and not on.qualifier
        return False

    def _static(self, known: _Class, members: dict[str, list[int]]) -> tuple[MemberRef, ...]:
        return self._refs(known, self._initialisers(known, members, _STATIC))

    def _initialisers(
        self, known: _Class, members: dict[str, list[int]], static: int
    ) -> tuple[int, ...]:
        """Return the initial values and blocks that hold code, in their order."""
        key = (known.path, known.number, static)
        found = self._initial.get(key)
        if found is None:
            facts = self.program.files[known.path]
            found = self._initial[key] = tuple(
                sorted(
                    item
                    for numbers in members.values()
                    for item in numbers
                    if facts.members[item].kind in _INITIAL
                    and facts.members[item].modifiers & _STATIC == static
                    and self._has_code(known.path, item)
                )
            )
        return found

    def _has_code(self, path: str, number: int) -> bool:
        """Tell whether a body holds more than a constant."""
        if len(self.program.files[path].bodies[number]) <= _EMPTY:
            return False
        code = self.program.body(self.program.ref(path, number)).code
        return any(not isinstance(instr, (ir.Const, ir.StoreField)) for instr in code)

    # -- lambdas -------------------------------------------------------------------------------

    def _around_lambda(
        self, known: _Class, members: dict[str, list[int]], match: re.Match[str]
    ) -> tuple[MemberRef, ...]:
        """Return the members that a lambda's name can mean: the one with its number, else all of that name."""
        method = _INSIDE_LAMBDA.get(match[1], match[1])
        facts = self.program.files[known.path]
        around = []
        for item in sorted(item for numbers in members.values() for item in numbers):
            member = facts.members[item]
            name = member.name
            if member.kind in ("field", "enum_constant", "initializer"):
                name = "<clinit>" if member.modifiers & Modifier.STATIC else "<init>"
            ref = self.program.ref(known.path, item)
            if (name == method or match[1] == "null") and self.lambdas_of(ref):
                around.append(ref)
        if len(around) > 1:
            numbered = self._numbered(known, int(match[2]))
            if numbered is not None and numbered[0] in around:
                return (numbered[0],)
        return tuple(around)

    def lambdas_of(self, ref: MemberRef) -> list[ir.Lambda | None]:
        """Return the lambdas of a body, an inner one before the one around it; ``None`` for a method reference
        that the compiler turns into one."""
        found = self._in_bodies.get(ref)
        if found is None:
            found = self._in_bodies[ref] = []
            code = self.program.body(ref).code
            for instr in code:
                kind = instr.__class__
                if kind is not ir.Lambda and kind is not ir.MethodRef:
                    continue
                if isinstance(instr, ir.Lambda):
                    found.append(instr)
                elif isinstance(instr, ir.MethodRef):
                    on = code[instr.object] if instr.object >= 0 else None
                    of_super = isinstance(on, ir.This) and on.qualifier == "super"
                    if of_super or (instr.name == "<init>" and instr.type.endswith("[]")):
                        found.append(None)
        return found

    def _numbered(self, known: _Class, number: int) -> tuple[MemberRef, ir.Lambda | None] | None:
        """Return the lambda of a class that the compiler gave ``number``, and where it stands.

        They are counted by members, an inner one before the one around it.  References to methods of variable
        arity count, too, which is not known here; so the answer is to be checked by its name.
        """
        key = (known.path, known.number)
        counted = self._counted.get(key)
        if counted is None:
            members = self._members_of(known.path).get(known.number, {})
            counted = self._counted[key] = [
                (ref, found)
                for item in sorted(item for numbers in members.values() for item in numbers)
                for ref in self._refs(known, [item])
                for found in self.lambdas_of(ref)
            ]
        return counted[number] if number < len(counted) else None

    # -- tables --------------------------------------------------------------------------------

    def signature(self, descriptor: str) -> Signature | None:
        """Take a JVM descriptor apart; ``None`` if it is none."""
        if descriptor not in self._signatures:
            self._signatures[descriptor] = parse_descriptor(descriptor)
        return self._signatures[descriptor]

    def _refs(self, known: _Class, numbers: Sequence[int]) -> tuple[MemberRef, ...]:
        owner = self.program.type_name(known.path, known.number)
        return tuple([MemberRef(known.path, number, owner) for number in numbers])

    def _members_of(self, path: str) -> Mapping[int, dict[str, list[int]]]:
        found = self._members.get(path)
        if found is None:
            by_owner: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
            for number, member in enumerate(self.program.files[path].members):
                by_owner[member.owner][member.name].append(number)
            found = self._members[path] = by_owner
        return found

    def _anonymous_in(self, around: _Class) -> list[int]:
        found = self._anonymous.get(around.path)
        if found is None:
            found = self._anonymous[around.path] = {}
            for number, decl in enumerate(self.program.files[around.path].types):
                if decl.member >= 0 and not decl.name:
                    found.setdefault(decl.outer, []).append(number)
        return found.get(around.number, [])


def binary_names(facts: FileFacts) -> list[str]:
    """Return the binary names of the types of a file, with dots between packages."""
    names: list[str] = []
    counts: dict[tuple[int, str], int] = {}
    prefix = f"{facts.package}." if facts.package else ""
    for decl in facts.types:
        outer = names[decl.outer] if 0 <= decl.outer < len(names) else ""
        if decl.member >= 0:
            number = counts.get((decl.outer, decl.name), 0) + 1
            counts[decl.outer, decl.name] = number
            names.append(f"{outer}${number}{decl.name}")
        elif outer:
            names.append(f"{outer}${decl.name}")
        else:
            names.append(prefix + decl.name)
    return names


def _bound(facts: FileFacts, number: int, member: Member, name: str) -> str | None:
    """Return the first bound of type variable ``name`` as a member sees it, empty if it has none; ``None`` if no
    type variable is called so."""
    seen: Member | None = member
    while True:
        for param in (*(seen.type_params if seen is not None else ()),):
            if param.name == name:
                return param.bound if param.bound != name else ""
        if number < 0:
            return None
        decl = facts.types[number]
        for param in decl.type_params:
            if param.name == name:
                return param.bound if param.bound != name else ""
        seen = facts.members[decl.member] if decl.member >= 0 else None
        number = decl.outer


def _has_outer(facts: FileFacts, decl: TypeDecl) -> bool:
    """Tell whether objects of a class may hold one of the class around it."""
    if decl.kind != "class" or decl.modifiers & Modifier.STATIC or decl.outer < 0:
        return False
    return decl.member >= 0 or facts.types[decl.outer].kind not in ("interface", "annotation")
