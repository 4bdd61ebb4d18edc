"""Which classes without source make option objects, told by what builder chains state and by where their objects are looked up.

Terms
    chain       calls on one another that begin with a constructor or a static method, and end in a constant field
    facet       what a call of the chain states, by the words in its name: the option's name, its description, its default, …

A class of a library is one of option objects if its chains state names, defaults and something else that only options have (allowed
values, a validator, whether it is required or secret, a description), and if constants made by them are handed to a method that looks
something up in what is called a context or a configuration.  Metrics, columns, routes and relations have names, too, but lack one of these.
Then the chain becomes a row for definitions, and the lookup a row for reads, like those in ``grammars``.

``evidence`` is a function of the facts of one file.
Absent: classes that the project, the JDK or a row knows (``learner``); names, defaults and types of one option (``declared.definitions``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import attrs

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.codec import decode_body
from conflens.facts.ir import NONE
from conflens.facts.model import FileFacts, Modifier
from conflens.models.schema import CONSTRUCTOR, DefinitionRow, ReadRow, Refinement
from conflens.models.words import Aspect
from conflens.options.constant_arguments import words
from conflens.options.learned.evidence import FileTypes
from conflens.options.sites import DESCRIBED

FEWEST = 2
"""Different constants that must be made by chains, and looked up."""
SHARE = 0.1
"""Their share of all that are made."""
_PROVENANCE = "learned from what builders state"

_CONSTANT = Modifier.STATIC | Modifier.FINAL
_OF_OPTION = frozenset({"set", "with", "property", "option", "setting", "config", "parameter"})
_NAMES = frozenset({("name",), ("key",), ("id",)})
_FACETS = {
    "kind": frozenset({"validator", "validators", "validate", "validated", "type"}),
    "values": frozenset({"allowable", "allowed", "choices", "permitted", "legal"}),
    "secret": frozenset({"sensitive", "secret", "masked", "password"}),
    "deprecated": frozenset({"deprecated"}),
    "description": frozenset({"description", "desc", "doc", "documentation", "help"}),
    "required": frozenset({"required", "optional", "mandatory"}),
    "copied": frozenset({"from"}),
}
"""What the words of a method's name say that it states; the first that fits counts."""
_TELLING = frozenset({"name", "default", "copied"})
"""What a chain must state one of."""
_ASPECTS: Mapping[str, Aspect] = {
    "name": "name",
    "default": "object-default",
    "values": "object-values",
    "kind": "kind",
    "secret": "secret",
    "deprecated": "deprecated",
    "description": "description",
    "required": "required",
    "copied": "copied",
}
"""What a row calls a facet."""
_DENIES = frozenset({"no", "clear", "display"})
_OF_OPTIONS_ONLY = frozenset({"kind", "values", "secret", "required", "description"})
_ASKS = frozenset({"get", "is", "has", "find", "lookup", "value", "read", "resolve", "fetch"})
_TESTS = frozenset({"is", "has"})
_ASKED = frozenset(
    {
        "context",
        "config",
        "configuration",
        "conf",
        "settings",
        "setting",
        "properties",
        "property",
        "options",
        "option",
        "parameters",
    }
)


@attrs.frozen
class Made:
    """A constant field of class ``owner`` and of type ``type`` that a chain makes, which begins with ``method`` of ``builder``."""

    owner: str
    field: str
    type: str
    builder: str
    method: str
    steps: tuple[str, ...]


class Looked(NamedTuple):
    """A constant that is handed to ``method`` of ``owner``, which or whose object is called a configuration."""

    type: str
    field: str
    owner: str
    method: str
    slot: int
    arity: int


Constants = Mapping[str, Mapping[str, str]]
"""The types of constants by their name and the simple name of the class that holds them."""


@lru_cache(maxsize=1 << 15)
def facet(method: str) -> str:
    """Return what a call of a chain states by its name; empty for what may be anything."""
    said = words(method)
    left = tuple(word for word in said if word not in _OF_OPTION)
    if left in _NAMES:
        return "name"
    if left[:1] in (("default",), ("defaults",)):
        return "default"
    if said and said[0] in _DENIES:
        return ""
    return next((kind for kind, known in _FACETS.items() if not known.isdisjoint(said)), "")


def made_in(facts: FileFacts) -> tuple[Made, ...]:
    """Return the constants of a file that chains of libraries make."""
    stated = {facet(name) for name in facts.calls}
    if stated.isdisjoint(_TELLING):
        return ()
    return tuple(_made(facts, FileTypes(facts)))


def _made(facts: FileFacts, file: FileTypes) -> Iterator[Made]:
    for number, member in enumerate(facts.members):
        if member.kind != "field" or member.modifiers & _CONSTANT != _CONSTANT:
            continue
        type_ = file.named(member.type)
        code = decode_body(facts.bodies[number]).code if type_ else ()
        if not code or not isinstance(code[-1], ir.StoreField):
            continue
        builder, method, steps = _chain(file, code, code[-1].value)
        if builder and any(facet(step) in _TELLING for step in steps):
            owner = facts.types[member.owner].name
            yield Made(owner, member.name, type_, builder, method, steps)


def _chain(
    file: FileTypes, code: tuple[ir.Instr, ...], value: int
) -> tuple[str, str, tuple[str, ...]]:
    """Return the type and the method with which a chain begins, and the methods that are called after it."""
    steps: list[str] = []
    while value != NONE:
        instr = code[value]
        if isinstance(instr, ir.New):
            return file.named(instr.type), CONSTRUCTOR, tuple(steps)
        if not isinstance(instr, ir.Call) or instr.object == NONE:
            break
        if not isinstance(code[instr.object], (ir.Call, ir.New)):
            return file.named(_path(code, instr.object)), instr.name, tuple(steps)
        steps.append(instr.name)
        value = instr.object
    return "", "", ()


def _path(code: tuple[ir.Instr, ...], value: int) -> str:
    """Return what names a type, as written."""
    instr = code[value]
    if isinstance(instr, ir.Name):
        return instr.name
    if isinstance(instr, ir.Field) and instr.object != NONE:
        outer = _path(code, instr.object)
        return f"{outer}.{instr.name}" if outer else ""
    return ""


def looked_up_in(facts: FileFacts, constants: Constants) -> tuple[Looked, ...]:
    """Return which constants a file looks up in what it calls a configuration."""
    file = FileTypes(facts)
    numbers = {number for name in constants for number in facts.names.get(name, ())}
    found: dict[Looked, None] = {}
    for number in sorted(numbers):
        body = decode_body(facts.bodies[number])
        for instr in body.code:
            if not isinstance(instr, ir.Call) or instr.object == NONE or not instr.args:
                continue
            said = words(instr.name)
            if not said or said[0] not in _ASKS:
                continue
            asked = body.code[instr.object]
            owner = file.receiver(body, asked)
            called = (*said, *words(owner.rpartition(".")[2]), *words(_called(body, asked)))
            if not owner or _ASKED.isdisjoint(called):
                continue
            for slot, arg in enumerate(instr.args):
                type_, field = _constant(facts, body, arg, constants)
                if type_:
                    found[Looked(type_, field, owner, instr.name, slot, len(instr.args))] = None
    return tuple(found)


def _constant(
    facts: FileFacts, body: ir.Body, value: int, constants: Constants
) -> tuple[str, str]:
    """Return the type and name of the constant that an argument is."""
    instr = body.code[value] if value != NONE else None
    if not isinstance(instr, (ir.Name, ir.Field)) or instr.name not in constants:
        return "", ""
    by_owner = constants[instr.name]
    if isinstance(instr, ir.Field):
        owner = _path(body.code, instr.object).rpartition(".")[2] if instr.object != NONE else ""
        if owner in by_owner:
            return by_owner[owner], f"{owner}.{instr.name}"
    near = [type_.name for type_ in facts.types]
    near += [_simple(name) for type_ in facts.types for name in type_.supers]
    near += [
        one.name.split(".")[-2]
        for one in facts.imports
        if one.static and one.name.endswith(f".{instr.name}")
    ]
    for name in near:
        if name in by_owner:
            return by_owner[name], f"{name}.{instr.name}"
    return "", ""


def _simple(name: str) -> str:
    return name.partition("<")[0].rpartition(".")[2]


def _called(body: ir.Body, instr: ir.Instr) -> str:
    """Return what a variable or field is called."""
    if isinstance(instr, ir.Load) and not instr.up:
        return body.locals[instr.slot].name
    return instr.name if isinstance(instr, (ir.Name, ir.Field)) else ""


def candidates(made: Iterable[Made], judged: Callable[[str], bool]) -> dict[str, list[Made]]:
    """Return the chains by the type that they make, if they state what only options have; ``judged``: nothing else tells what a
    type is."""
    by_type: dict[str, list[Made]] = defaultdict(list)
    for one in made:
        by_type[one.type].append(one)
    return {
        type_: [one for one in chains if judged(one.builder)]
        for type_, chains in sorted(by_type.items())
        if len(chains) >= FEWEST and _states_options(chains) and judged(type_)
    }


def _states_options(chains: Iterable[Made]) -> bool:
    stated = {facet(step) for one in chains for step in one.steps}
    return {"name", "default"} <= stated and not stated.isdisjoint(_OF_OPTIONS_ONLY)


def rows(
    chains: Mapping[str, list[Made]], looked: Iterable[Looked], judged: Callable[[str], bool]
) -> tuple[tuple[DefinitionRow, ...], tuple[ReadRow, ...]]:
    """Return the rows that chains and lookups tell."""
    by_type: dict[str, set[Looked]] = defaultdict(set)
    for one in looked:
        by_type[one.type].add(one)
    definitions: list[DefinitionRow] = []
    reads: set[tuple[str, str, int, int]] = set()
    for type_, made in chains.items():
        asked = {one.field for one in by_type[type_]}
        if len(asked) < max(FEWEST, SHARE * len(made)):
            continue
        definitions += _definitions(made)
        reads |= {one[2:] for one in by_type[type_] if judged(one.owner)}
    return tuple(definitions), tuple(
        ReadRow(
            type=owner,
            method=method,
            domain=DESCRIBED,
            name=slot,
            min_args=arity,
            max_args=arity,
            definition=True,
            result="asked",
            presence=words(method)[0] in _TESTS,
            provenance=_PROVENANCE,
        )
        for owner, method, slot, arity in sorted(reads)
    )


def _definitions(chains: Iterable[Made]) -> Iterator[DefinitionRow]:
    by_start: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in chains:
        by_start[one.builder, one.method].update(one.steps)
    for (builder, method), steps in sorted(by_start.items()):
        yield DefinitionRow(
            type=builder,
            method=method,
            domain=DESCRIBED,
            names=(),
            refinements=tuple(
                Refinement(method=step, aspect=_ASPECTS[kind], argument=0)
                for step in sorted(steps)
                if (kind := facet(step))
            ),
            provenance=_PROVENANCE,
        )


class OptionObjects:
    """Learns rows, and again after an edit from what other files said before."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self._made: dict[str, tuple[FileFacts, tuple[Made, ...]]] = {}
        self._looked: dict[str, tuple[FileFacts, Constants, tuple[Looked, ...]]] = {}

    def rows(
        self, files: Mapping[str, FileFacts], judged: Callable[[str], bool]
    ) -> tuple[tuple[DefinitionRow, ...], tuple[ReadRow, ...]]:
        """Return the rows that files tell; ``judged``: whether nothing else tells what a type is."""
        files = {path: facts for path, facts in files.items() if not is_test_path(path)}
        for path in self._made.keys() - files.keys():
            del self._made[path]
            self._looked.pop(path, None)
        for path, facts in files.items():
            known = self._made.get(path)
            if known is None or known[0] is not facts:
                self._made[path] = facts, made_in(facts)
        chains = candidates((one for _, made in self._made.values() for one in made), judged)
        constants: dict[str, dict[str, str]] = {}
        for type_, made in chains.items():
            for one in made:
                constants.setdefault(one.field, {})[one.owner] = type_
        looked = (
            asked
            for path, facts in files.items()
            if constants
            for asked in self._asked(path, facts, constants)
        )
        return rows(chains, looked, judged)

    def _asked(self, path: str, facts: FileFacts, constants: Constants) -> tuple[Looked, ...]:
        """Return what a file looks up of the constants that it names."""
        named = {name: constants[name] for name in facts.names.keys() & constants.keys()}
        if not named:
            return ()
        known = self._looked.get(path)
        if known is None or known[0] is not facts or known[1] != named:
            known = self._looked[path] = facts, named, looked_up_in(facts, named)
        return known[2]
