"""Which literals of code are handed to something that takes a secret, so that excerpts of the code hide them.

Terms
    taker       what is handed a literal: a method or constructor of the program whose parameter has the name of a secret, a call of
                a library that a row names (``SecretRow``), or anything that is itself called like a secret, perhaps after a word
                such as ``set`` (``withPassword``).
    target      a method or constructor of the program, by its simple name and its number of parameters alone.  That hides a literal
                too many at times, which does no harm.
    secret      also what is compared with a variable, field or method that has the name of one, or with a local that holds what such a
                one gives, and what calls make that such a variable is set to.
    asking      a call whose name says that it looks something up: its first argument is a key, and stays readable.

Which names compare, look up or give back what they are given is told by rows (``SecretWordRow``).

Invariants: no context is opened.  Parameters are looked at once for each file of each version; which literals a file hands over is
found when an excerpt of it is asked for, and in those bodies alone that call a taker by its name.
Names of options stay readable everywhere.
Absent: literals that their own form or the text around them gives away (``base.secrets``), and bodies through which a secret goes
(``secret_bodies``).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from conflens.base.secrets import is_secret_name, is_switch
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import FileFacts, Member
from conflens.models.schema import CONSTRUCTOR, SecretRow, SecretWordRow
from conflens.options.constant_arguments import words
from conflens.options.model import OptionTable
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_TEXT = re.compile(r"\b(?:String|CharSequence|Object)\b|\b(?:char|byte)\[|\A[A-Z]\Z")
"""Types that hold a text: also a supplier or an array of texts, and a type variable."""
_TABLE = re.compile(r"Map\b|Properties\b")
_GIVING = frozenset({"set", "with", "put", "add"})
SETTERS = ("set", "with", "put", "add")
_KEY = re.compile(r"[a-z][\w-]*(?:\.[\w-]+)+|\$\{[\w.-]+\}")
"""What a name of an option looks like, or a placeholder of one."""
_CHARS = "toCharArray"
"""Texts that must not stay in memory are handed over as characters."""
_SAYS = re.compile(r"\w")
_EQUAL = frozenset({"==", "!="})
_LOOKED_AT = (ir.Call, ir.New, ir.Binary, ir.Switch, ir.Store, ir.StoreField)


class _Part(Enum):
    """What a value is to the secret that it is a part of."""

    SECRET = 0
    KEY = 1
    """The name that a secret is looked up by."""
    BESIDE = 2
    """What else the lookup is given: a default, or words for a user."""


class _Target(NamedTuple):
    """What is known of one target: how many parameters it has, and which of them are secrets."""

    size: int
    varargs: bool
    places: frozenset[int]

    def of(self, count: int) -> frozenset[int]:
        """Return which arguments are secrets of a call that has ``count``."""
        last = self.size - 1
        if not self.varargs:
            return self.places if count == self.size else frozenset()
        if count < last:
            return frozenset()
        return self.places | frozenset(range(last, count)) if last in self.places else self.places


_Targets = Mapping[str, tuple[_Target, ...]]


class Takers:
    """What takes secrets: what rows say, and parameters of files, which are kept from one version of a program to the next."""

    def __init__(self, rows: Iterable[SecretRow] = (), said: Iterable[SecretWordRow] = ()) -> None:
        """Look at no file yet."""
        does: dict[str, set[str]] = {}
        for word in said:
            does.setdefault(word.does, set()).add(word.method)
        self.comparing = frozenset(does.get("compares", ()))
        self.matching = frozenset(does.get("matches", ()))
        self.asking = frozenset(does.get("asks", ()))
        self.giving_back = frozenset(does.get("gives", ()))
        self.keeping = frozenset(does.get("keeps", ()))
        self.falling_back = frozenset(does.get("falls_back", ()))
        self.acting = frozenset(does.get("acts", ()))
        self.adding = frozenset(does.get("adds", ()))
        self.rows: dict[str, list[SecretRow]] = {}
        for row in rows:
            name = _simple(row.type) if row.method == CONSTRUCTOR else row.method
            self.rows.setdefault(name, []).append(row)
        self._files: dict[str, tuple[FileFacts, tuple[tuple[str, _Target], ...]]] = {}
        self._names: dict[str, bool] = {}
        self._called: dict[str, bool] = {}

    def targets(self, program: Program) -> _Targets:
        """Return the targets of a program that take secrets by their names, constructors by that of their type."""
        found: dict[str, tuple[_Target, ...]] = {}
        files = dict(program.files)
        for path, facts in files.items():
            known = self._files.get(path)
            if known is None or known[0] is not facts:
                known = self._files[path] = facts, tuple(self._of_file(facts))
            for name, target in known[1]:
                if target not in found.get(name, ()):
                    found[name] = (*found.get(name, ()), target)
        for path in [path for path in list(self._files) if path not in files]:
            self._files.pop(path, None)
        return found

    def is_called_like_a_secret(self, name: str) -> bool:
        """Tell whether a method is called like a secret, perhaps after ``set`` or a word like it; see the module text."""
        known = self._called.get(name)
        if known is None:
            first, *others = words(name) or ("",)
            given = name[len(first) :] if others and first in _GIVING else name
            known = self._called[name] = first not in self.asking and self.is_secret(given)
        return known

    def sets(self, name: str) -> bool:
        """Tell whether a method is called like what is given a secret: ``setPassword``, ``password``, ``apiKey``."""
        if not self.is_secret(name):
            return False
        if name.startswith(SETTERS):
            return True
        first = (words(name) or ("",))[0]
        return name[:1].islower() and first not in self.acting and first not in self.asking

    def is_secret(self, name: str) -> bool:
        """Tell whether a name is that of a secret; each is looked at once."""
        known = self._names.get(name)
        if known is None:
            known = self._names[name] = is_secret_name(name)
        return known

    def _of_file(self, facts: FileFacts) -> Iterator[tuple[str, _Target]]:
        for member in facts.members:
            places = frozenset(
                index
                for index, param in enumerate(member.params)
                if self.is_secret(param.name)
                and _TEXT.search(param.type)
                and not _TABLE.search(param.type)
            )
            if places:
                name = _owner(facts, member) if member.name == CONSTRUCTOR else member.name
                yield name, _Target(len(member.params), member.varargs, places)


class SecretArguments:
    """The literals that the program of one analysis hands to takers; nothing is looked at before it is asked for."""

    def __init__(self, program: Program, options: OptionTable, takers: Takers) -> None:
        """Ask these."""
        self._program, self._options, self._takers = program, options, takers
        self._targets: _Targets | None = None
        self._shown: frozenset[str] = frozenset()
        self._spans: dict[str, tuple[tuple[int, int], ...]] = {}

    def of(self, path: str) -> tuple[tuple[int, int], ...]:
        """Return the spans of the literals in a file that excerpts must hide, in their order."""
        spans = self._spans.get(path)
        if spans is None:
            facts = self._program.files.get(path)
            spans = () if facts is None else tuple(sorted(self._found(path, facts)))
            self._spans[path] = spans
        return spans

    def _found(self, path: str, facts: FileFacts) -> set[tuple[int, int]]:
        if self._targets is None:
            self._shown = frozenset(option.name for option in self._options.options)
            self._targets = self._takers.targets(self._program)
        found: set[tuple[int, int]] = set()
        for number in self._concerned(facts, self._targets):
            ref = self._program.ref(path, number)
            body = self._program.peek(ref)
            handed = _Handed(self._program, ref, body, self._targets, self._takers, self._shown)
            at = facts.members[number].at
            found.update((at + start, at + end) for start, end in handed.literals())
        return found

    def _concerned(self, facts: FileFacts, targets: _Targets) -> list[int]:
        """The members that call a taker, as far as names tell."""
        rows, is_secret = self._takers.rows, self._takers.is_called_like_a_secret
        found: set[int] = set()
        for name, users in facts.calls.items():
            if name in targets or name in rows or name == _CHARS or is_secret(name):
                found.update(users)
        made = set(facts.calls.get(CONSTRUCTOR, ()))
        for name, users in facts.names.items():
            if name in targets or name in rows or is_secret(name):
                found.update(made.intersection(users))
            if self._takers.is_secret(name):
                found.update(users)
        for number, member in enumerate(facts.members):
            if any(self._takers.is_secret(param.name) for param in member.params):
                found.add(number)
        for name in self._takers.comparing & facts.calls.keys():
            found.update(facts.calls[name])
        own = {_simple(name) for decl in facts.types for name in (decl.name, *decl.supers)}
        if not own.isdisjoint(targets):  # ``this(…)``, ``super(…)``, and constants of an enum
            found.update(made)
            for number, member in enumerate(facts.members):
                if member.kind == "enum_constant":
                    found.add(number)
        return sorted(number for number in found if 0 <= number < len(facts.members))


def by_rows(
    program: Program, ref: MemberRef, body: ir.Body, takers: Takers, call: ir.Call | ir.New
) -> frozenset[int]:
    """Return the arguments of a call in a body that are secrets, as rows say of a library."""
    name = _simple(call.type) if isinstance(call, ir.New) else call.name
    if name not in takers.rows:
        return frozenset()
    return frozenset(_Handed(program, ref, body, {}, takers, ()).by_rows(call, (name,)))


class _Handed:
    """What one body hands to takers."""

    def __init__(
        self,
        program: Program,
        ref: MemberRef,
        body: ir.Body,
        targets: _Targets,
        takers: Takers,
        shown: Container[str],
    ) -> None:
        self._program, self._ref, self._body = program, ref, body
        self._targets, self._takers, self._shown = targets, takers, shown
        self._seen: set[tuple[int, _Part]] = set()
        self._stores: dict[int, list[int]] | None = None

    def literals(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of literals, as the body counts."""
        for instr in self._body.code:
            if not isinstance(instr, _LOOKED_AT):
                continue
            if isinstance(instr, (ir.Call, ir.New)):
                if isinstance(instr, ir.Call) and instr.name == _CHARS and not instr.args:
                    yield from self._characters(instr.object)
                for place in self._places(instr):
                    yield from self._within(instr.args[place])
            yield from self._compared(instr)
            if (
                isinstance(instr, (ir.Store, ir.StoreField))
                and self._takers.is_secret(self._set(instr))
                # Of a literal alone the text around it tells.
                and not isinstance(self._body.code[instr.value], ir.Const)
            ):
                yield from self._within(instr.value)

    def _set(self, store: ir.Store | ir.StoreField) -> str:
        """The name of the variable or field that is set."""
        if isinstance(store, ir.StoreField):
            return store.name
        return "" if store.up else self._body.locals[store.slot].name

    def _compared(self, instr: ir.Instr) -> Iterator[tuple[int, int]]:
        """The literals that a secret is compared with."""
        comparing, operands = self._takers.comparing, list[int]()
        match instr:
            case ir.Call():
                handed = (self._body.code[one] for one in instr.args)
                by = [
                    one
                    for one in handed
                    if isinstance(one, ir.MethodRef) and one.name in comparing
                ]
                if instr.name in comparing or by:
                    operands = [instr.object, *instr.args, *(one.object for one in by)]
            case ir.Binary() if instr.op in _EQUAL:
                operands = [instr.left, instr.right]
            case ir.Switch():
                labels = [label for case in instr.cases for label in case.labels]
                operands = [instr.subject, *labels]
            case _:
                pass
        secret = {value for value in operands if self._is_secret(value)} if operands else None
        if secret:
            for value in operands:
                if value not in secret:
                    yield from self._within(value)

    def _is_secret(self, value: int) -> bool:
        """Tell whether a value is what a variable, field or method with the name of a secret gives, or made of that."""
        pending, seen = [value], set[int]()
        while pending:
            value = pending.pop()
            if value == NONE or value in seen:
                continue
            seen.add(value)
            instr = self._body.code[value]
            name = ""
            match instr:
                case ir.Name() | ir.Field():
                    name = instr.name
                case ir.Load(up=0):
                    name = self._body.locals[instr.slot].name
                    pending += self._stored(instr.slot)
                case ir.Call():
                    name = instr.name
                    pending += [instr.object, *instr.args]
                case ir.New() | ir.Cast():
                    pending += ir.operands(instr)
                case _:
                    pass
            if name and self._takers.is_secret(name):
                return True
        return False

    def _places(self, call: ir.Call | ir.New) -> Iterator[int]:
        """The arguments of a call that are secrets."""
        count = len(call.args)
        if not count:
            return
        names = self._names(call)
        own: set[int] = set()
        if not self._is_on_class_library(call):
            own.update(
                place
                for name in names
                for target in self._targets.get(name, ())
                for place in target.of(count)
            )
        own.update(self.by_rows(call, names))
        if not own and any(map(self._takers.is_called_like_a_secret, names)):
            own = set(range(count))
        yield from sorted(place for place in own if place < count)

    def by_rows(self, call: ir.Call | ir.New, names: tuple[str, ...]) -> Iterator[int]:
        """Yield the arguments of a call of a library that are secrets, as rows say."""
        count = len(call.args)
        for name in names:
            for row in self._takers.rows.get(name, ()):
                most = count if row.max_args is None else row.max_args
                if row.min_args <= count <= most and self._is_on(call, row):
                    yield row.argument

    def _names(self, call: ir.Call | ir.New) -> tuple[str, ...]:
        """The name of a method, or of the types whose constructor is called."""
        if isinstance(call, ir.New):
            return (_simple(call.type),)
        if call.name != CONSTRUCTOR:
            return (call.name,)
        facts = self._program.files[self._ref.path]
        owner = facts.members[self._ref.number].owner
        if not 0 <= owner < len(facts.types):
            return ()
        decl = facts.types[owner]
        return (decl.name, *map(_simple, decl.supers[:1]))

    def _is_on_class_library(self, call: ir.Call | ir.New) -> bool:
        """Tell whether the receiver is of a type of the class library, which has no target: a map, say."""
        if isinstance(call, ir.New) or call.object == NONE:
            return False
        given = self._type(call.object)
        if not given:
            return False
        resolved = self._program.resolve(given, self._ref.path, self._ref.owner).name
        return resolved.startswith("java.") and self._program.type(resolved) is None

    def _type(self, value: int) -> str:
        """The declared type of a value, or the type that a name may be; empty if only the whole program tells."""
        instr = self._body.code[value]
        match instr:
            case ir.Load(up=0):
                given = self._body.locals[instr.slot].type
                return "" if given == "var" else given
            case ir.Name() | ir.Field():
                field = self._program.own_fields(self._ref.owner).get(instr.name)
                return instr.name if field is None else self._program.member(field).type
            case ir.New() | ir.Cast():
                return instr.type
            case _:
                return ""

    def _is_on(self, call: ir.Call | ir.New, row: SecretRow) -> bool:
        """Tell whether the receiver may be of a row's type; see there."""
        if isinstance(call, ir.New) or row.method == CONSTRUCTOR:
            return isinstance(call, ir.New) and row.method == CONSTRUCTOR
        simple = _simple(row.type)
        if call.object == NONE:
            imports = self._program.files[self._ref.path].imports
            return any(one.static and simple in one.name.split(".") for one in imports)
        value = call.object
        while isinstance(receiver := self._body.code[value], ir.Call):
            if receiver.name.endswith(simple) or _gives_named(receiver.name, simple):
                return True
            if receiver.object == NONE:
                return self._is_on(receiver, row)
            value = receiver.object
        given = _simple(self._type(value))
        outer = _simple(row.type.rpartition(".")[0])  # of a builder: ``Client.builder().…``
        made = isinstance(self._body.code[call.object], ir.Call)
        built = (outer[:1].isupper() and given == outer) or f"{given}Builder" == simple
        return not given or given.lower().endswith(simple.lower()) or (made and built)

    def _characters(self, value: int) -> Iterator[tuple[int, int]]:
        """The literals of a text of which the characters are taken, unless it is an alphabet."""
        pending = [value]
        while pending:
            value = pending.pop()
            instr = self._body.code[value] if value != NONE else None
            if isinstance(instr, ir.Binary):
                pending += (instr.right, instr.left)
            elif isinstance(instr, ir.Const) and not _is_alphabet(instr.value):
                yield from self._literal(instr)

    def _within(self, value: int) -> Iterator[tuple[int, int]]:
        """The literals that a secret is made of."""
        pending = [(value, _Part.SECRET)]
        while pending:
            one = value, part = pending.pop()
            if value == NONE or one in self._seen:
                continue
            self._seen.add(one)
            instr = self._body.code[value]
            if not isinstance(instr, ir.Const):
                pending += self._made_of(instr, part)
            elif part is _Part.SECRET or (part is _Part.BESIDE and _may_be_value(instr.value)):
                yield from self._literal(instr)

    def _made_of(self, instr: ir.Instr, part: _Part) -> Iterator[tuple[int, _Part]]:
        match instr:
            case ir.Call():
                if instr.object != NONE and not isinstance(self._body.code[instr.object], ir.Load):
                    yield instr.object, part
                first = (words(instr.name) or ("",))[0]
                asking = first in self._takers.asking
                asking = asking and instr.name not in self._takers.giving_back
                for index, arg in enumerate(instr.args):
                    asked = _Part.BESIDE if index else _Part.KEY
                    yield arg, asked if asking and part is not _Part.KEY else part
            case ir.Choice():
                yield from ((instr.then, part), (instr.other, part))
            case ir.Load(up=0) if part is _Part.SECRET:
                yield from ((value, part) for value in self._stored(instr.slot))
            case ir.Lambda():
                yield from self._returned(instr.start, instr.stop, part)
            case ir.Join():
                switch = self._body.code[instr.switch]
                if isinstance(switch, ir.Switch):
                    for case in switch.cases:
                        yield from self._returned(case.start, case.stop, part)
            case ir.Index():
                yield instr.array, part
            case ir.New() | ir.NewArray() | ir.Binary() | ir.Cast() | ir.Store() | ir.Unknown():
                yield from ((value, part) for value in ir.operands(instr))
            case _:
                pass

    def _returned(self, start: int, stop: int, part: _Part) -> Iterator[tuple[int, _Part]]:
        for instr in self._body.code[start:stop]:
            if isinstance(instr, ir.Return):
                yield instr.value, part

    def _stored(self, slot: int) -> list[int]:
        """The values of a local variable, also by a pattern or a loop; of a lambda's parameter, what the lambda is handed to."""
        if self._stores is None:
            stores: dict[int, list[int]] = {}
            self._stores = stores
            for instr in self._body.code:
                match instr:
                    case ir.Store(up=0):
                        stores.setdefault(instr.slot, []).append(instr.value)
                    case ir.InstanceOf():
                        for one in instr.slots:
                            stores.setdefault(one, []).append(instr.value)
                    case ir.ForEach():
                        stores.setdefault(instr.slot, []).append(instr.iterable)
                    case ir.Call() if instr.object != NONE:
                        for arg in instr.args:
                            function = self._body.code[arg]
                            for one in function.params if isinstance(function, ir.Lambda) else ():
                                stores.setdefault(one, []).append(instr.object)
                    case _:
                        pass
        return self._stores.get(slot, [])

    def _literal(self, literal: ir.Const) -> Iterator[tuple[int, int]]:
        text = literal.value
        if literal.kind != "s" or is_switch(text) or not _SAYS.search(text):
            return
        is_name = text in self._shown or (
            _KEY.fullmatch(text) and is_secret_name(text.strip("${}"))
        )
        if not is_name:
            yield literal.at, literal.end


def _may_be_value(text: str) -> bool:
    """Tell whether a text beside a key may be a default, and is no second key or words for a user."""
    return " " not in text and not is_secret_name(text)


def _is_alphabet(text: str) -> bool:
    """Tell whether the characters of a text mostly follow each other, as digits do."""
    steps = sum(ord(after) - ord(before) == 1 for before, after in pairwise(text))
    return len(text) >= 10 and steps >= 0.7 * len(text)


def _gives_named(method: str, simple: str) -> bool:
    """Tell whether a method may be called for the type of what it gives: ``http.rememberMe()`` for ``RememberMeConfigurer``."""
    return len(words(method)) > 1 and simple.lower().startswith(method.lower())


def _simple(type_: str) -> str:
    return type_.partition("<")[0].rpartition(".")[2]


def _owner(facts: FileFacts, member: Member) -> str:
    return facts.types[member.owner].name if 0 <= member.owner < len(facts.types) else ""
