"""Which calls of unknown libraries read options.

A project that reads its options through a library of its company, or through a class of its own in another language, calls
methods of which neither code nor rows are known.  What they are given tells what they do: a method that is given many names, most
of which the project's documents or config files state with a value, is one that reads options.  It becomes a row like those in
``grammars``: then its other names are options too, and methods around it are followed.

The rule: in one place of its arguments the method is given at least ``FEWEST`` different names that are stated, and they are at least
``SHARE`` of all names given there.  Names are those with a separator inside, as ordinary words stand everywhere.  A type that the
project, the JDK or a row knows is not judged, nor a method that says that it writes.  The argument in which the stated values stand is
the default.

Absent: what documents and config files state (given as ``Vocabulary``).
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import attrs

from conflens.base.paths import is_test_path
from conflens.base.words import count
from conflens.facts.model import FileFacts
from conflens.models.beans import BeanRow
from conflens.models.load import Models, merge
from conflens.models.members import MapEntryRow
from conflens.models.schema import DefinitionRow, ParameterReadRow, ReadRow
from conflens.models.workspace import WorkspaceModel
from conflens.options.constant_arguments import library_types, words
from conflens.options.learned.beans import Beans
from conflens.options.learned.evidence import Callee, Passed, mentioning, passed
from conflens.options.learned.option_objects import OptionObjects
from conflens.options.learned.own_trees import OwnTrees, Trees
from conflens.options.learned.wires import Entering, entries
from conflens.options.learned.wires import rows as wired
from conflens.program.library import NO_LIBRARY, Library
from conflens.program.program import Program

FEWEST = 5
"""Different stated names that a method must be given."""
SHARE = 0.1
"""Their share of all names that it is given."""
MOST = 50
"""Methods that are learned; each costs a look at every call of its name."""
_AGREEING = 3
"""Stated values that must stand in one place of the arguments for it to be the default."""

_WRITES = frozenset(
    {
        "set",
        "put",
        "add",
        "with",
        "remove",
        "delete",
        "register",
        "override",
        "append",
        "write",
        "log",
    }
)
_DEFAULT = frozenset({"default", "def", "else", "fallback"})

Described = tuple[tuple[DefinitionRow, ...], tuple[ReadRow, ...]]
_Wired = tuple[tuple[ParameterReadRow, ...], tuple[MapEntryRow, ...]]
"""The rows of classes of option objects."""
Vocabulary = Mapping[str, frozenset[str]]
"""The names that documents and config files state, each with the values stated for it, in small letters."""
NOTHING_STATED: Vocabulary = MappingProxyType({})


class Learned(NamedTuple):
    """A method that was found to read options: ``stated`` of the ``given`` different names that it is given are stated."""

    callee: Callee
    stated: int
    given: int

    def sentence(self) -> str:
        """Return what was found, for a person."""
        return (
            f"{self.callee.type}.{self.callee.method} reads options: documents or config files state {self.stated:,} "
            f"of the {count(self.given, 'name')} it is given."
        )


@attrs.frozen
class _Of:
    """What was found in a file: the members in which stated names stand, and what calls in them hand over."""

    facts: FileFacts
    members: tuple[int, ...]
    passed: tuple[Passed, ...]


class Learner:
    """Learns rows, and again after an edit from what other files said before."""

    def __init__(self) -> None:
        self._files: dict[str, _Of] = {}
        self._all: dict[tuple[str, str], tuple[FileFacts, tuple[Passed, ...]]] = {}
        self._names: frozenset[str] = frozenset()
        self._encoded: frozenset[bytes] = frozenset()
        self._packaged: Models | None = None
        self._known: Library = NO_LIBRARY
        self._extended: Models | None = None
        self._rows: tuple[ReadRow, ...] = ()
        self._objects = OptionObjects()
        self._described: Described = ((), ())
        self._trees = Trees()
        self._own: OwnTrees = ((), ())
        self._beans = Beans()
        self._bound: tuple[BeanRow, ...] = ()
        self._entered: _Wired = ((), ())
        self._asked: tuple[Program, Vocabulary, tuple[Entering, ...]] | None = None
        self.learned: tuple[Learned, ...] = ()
        """What the last rows rest on."""
        self.cut = False
        """Whether there were more than ``MOST``."""

    def extended(
        self,
        program: Program,
        models: Models,
        vocabulary: Vocabulary,
        entering: tuple[Entering, ...] = (),
    ) -> Models:
        """Return ``models`` with the rows that the names in ``program`` tell, and what files of beans give its classes; equal
        questions give the same object."""
        same = self._packaged is not None and self._packaged.digest == models.digest
        if not same:
            self._packaged, self._known = models, library_types(models)
        if same and self._is_asked_again(program, vocabulary, entering):
            return self._extended or models
        rows = self._learned_rows(program, vocabulary)
        beans = self._beans.rows(program, models.domains, vocabulary, models.bound_classes)
        entered = wired(program, entering), entries(program, entering)
        described = self._objects.rows(program.files, partial(_unknown, program, self._known))
        own = self._trees.rows(program, models)
        found = rows, beans, entered, described, own
        last = self._rows, self._bound, self._entered, self._described, self._own
        if found != last or not same:
            self._rows, self._bound, self._entered, self._described, self._own = found
            told = rows or beans or any(entered) or described[0] or own[0]
            self._extended = _with(models, *found) if told else None
        self._asked = program, vocabulary, entering
        return self._extended or models

    def _is_asked_again(
        self, program: Program, vocabulary: Vocabulary, entering: tuple[Entering, ...]
    ) -> bool:
        if self._asked is None:
            return False
        last, stated, entered = self._asked
        return last is program and stated is vocabulary and entered == entering

    def _learned_rows(self, program: Program, vocabulary: Vocabulary) -> tuple[ReadRow, ...]:
        if self._asked is None or self._asked[1] is not vocabulary:
            self._take_names(frozenset(vocabulary))
        self._look(program)
        given: dict[tuple[Callee, int], set[str]] = defaultdict(set)
        for of in self._files.values():
            for item in of.passed:
                if item.name in vocabulary:
                    given[item.callee, item.slot].add(item.name)
        judged = {
            place: stated
            for place, stated in sorted(given.items())
            if len(stated) >= FEWEST and _judged(program, self._known, place[0])
        }
        self.cut = len(judged) > MOST
        if self.cut:
            likely = sorted(judged, key=lambda place: -len(judged[place]))[:MOST]
            judged = {place: judged[place] for place in sorted(likely)}
        calls = self._calls(program, {callee for callee, _ in judged})
        rows: list[ReadRow] = []
        learned: list[Learned] = []
        for (callee, slot), stated in judged.items():
            found = calls[callee, slot]
            names = {item.name for item in found}
            if len(stated) >= SHARE * len(names):
                learned.append(Learned(callee, len(stated), len(names)))
                rows += _rows(callee, slot, found, vocabulary)
        self.learned = tuple(learned)
        return tuple(rows)

    def _take_names(self, names: frozenset[str]) -> None:
        """Note the names that are stated, and which files must be looked at again because of new ones."""
        new = frozenset(name.encode("utf-8", "replace") for name in names - self._names)
        gone = names != self._names and not self._names <= names
        if new and self._files:
            for path, of in list(self._files.items()):
                if mentioning(of.facts, new):
                    del self._files[path]
        if new or gone:
            self._names = names
            self._encoded = frozenset(name.encode("utf-8", "replace") for name in names)

    def _look(self, program: Program) -> None:
        files = program.files
        for path in self._files.keys() - files.keys():
            del self._files[path]
        for key in [key for key in self._all if key[0] not in files]:
            del self._all[key]
        for path, facts in files.items():
            known = self._files.get(path)
            if known is not None and known.facts is facts:
                continue
            members: tuple[int, ...] = ()
            if self._encoded and not is_test_path(path):
                members = mentioning(facts, self._encoded)
            self._files[path] = _Of(facts, members, passed(facts, members))

    def _calls(
        self, program: Program, callees: Set[Callee]
    ) -> Mapping[tuple[Callee, int], list[Passed]]:
        """Return what all calls of some methods are given, by method and place of the argument."""
        found: dict[tuple[Callee, int], list[Passed]] = defaultdict(list)
        for name in sorted({one.method for one in callees}):
            for path in dict.fromkeys(ref.path for ref in program.users(name)):
                if not is_test_path(path):
                    for item in self._handed(path, program.files[path], name):
                        if item.callee in callees and item.callee.method == name:
                            found[item.callee, item.slot].append(item)
        return found

    def _handed(self, path: str, facts: FileFacts, name: str) -> tuple[Passed, ...]:
        """Return what the members of a file that call methods of a name hand to calls."""
        key = path, name
        known = self._all.get(key)
        if known is None or known[0] is not facts:
            known = self._all[key] = facts, passed(facts, facts.calls[name])
        return known[1]


def _with(
    models: Models,
    rows: tuple[ReadRow, ...],
    beans: tuple[BeanRow, ...],
    entered: _Wired,
    described: Described,
    own: OwnTrees,
) -> Models:
    """Return all rows, with a digest of their own."""
    told = [(one.type, one.prefix, one.domain, sorted(one.sections)) for one in beans]
    digest = hashlib.sha256(repr((rows, told, entered, described, own)).encode()).hexdigest()
    definitions, reads = described
    reads = (*rows, *reads, *own[0])
    workspace = WorkspaceModel(reads=reads, parameter_reads=entered[0], digest=digest)
    found = merge(models, workspace)
    definitions = (*found.definitions, *definitions)
    prefixes = (*found.prefixes, *own[1])
    return attrs.evolve(
        found, beans=beans, wired=entered[1], definitions=definitions, prefixes=prefixes
    )


def _judged(program: Program, known: Library, callee: Callee) -> bool:
    """Tell whether nothing but the names can tell what a method does."""
    found = words(callee.method)
    return _unknown(program, known, callee.type) and (not found or found[0] not in _WRITES)


def _unknown(program: Program, known: Library, type_: str) -> bool:
    """Tell whether neither the project nor the JDK nor a row says what a type is."""
    outer = type_
    while outer:
        if outer in known or program.type(outer) or program.jdk_type(outer):
            return False
        outer, _, rest = outer.rpartition(".")
        if not rest[:1].isupper():
            break
    return True


def _rows(
    callee: Callee, slot: int, calls: Iterable[Passed], vocabulary: Vocabulary
) -> Iterator[ReadRow]:
    """Yield a row for each number of arguments."""
    by_arity: dict[int, list[Passed]] = defaultdict(list)
    for item in calls:
        by_arity[item.arity].append(item)
    environment = all(item.name.isupper() for found in by_arity.values() for item in found)
    for arity, found in sorted(by_arity.items()):
        yield ReadRow(
            type=callee.type,
            method=callee.method,
            domain="environment" if environment else "settings",
            name=slot,
            default=_default(callee, slot, arity, found, vocabulary),
            min_args=arity,
            max_args=arity,
            provenance="learned from the names it is given",
        )


def _default(
    callee: Callee, slot: int, arity: int, calls: Iterable[Passed], vocabulary: Vocabulary
) -> int | None:
    """Return the place of the default among the arguments."""
    agreeing, stated = Counter[int](), Counter[int]()
    for item in dict.fromkeys(calls):
        values = vocabulary.get(item.name, frozenset())
        for place, text in item.others if values else ():
            stated[place] += 1
            agreeing[place] += text.lower() in values
    best = min(agreeing, key=lambda place: (-agreeing[place], place), default=None)
    if best is not None and agreeing[best] >= max(_AGREEING, stated[best] / 2):
        return best
    if arity == slot + 2 and not _DEFAULT.isdisjoint(words(callee.method)):
        return arity - 1
    return None
