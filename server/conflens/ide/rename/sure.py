"""Which edits of a rename are made without asking; a person confirms all others.

The policy.  Sure is, and nothing else:

1. *The cursor's text*: the literal, key or placeholder from which the rename was started.
2. *A key in a read*: the literal that is the whole key argument of a read, where the call or annotation itself fixes where the
   value comes from: a static method of ``java.lang``, an annotation of a framework, or a method of a type that belongs to the framework
   of the option's domain (``libraries`` of the domain's row).  In a text with placeholders, only the position that asks the option's own object.
3. *A private name for it*: the initialiser of a private constant or a local, if its name stands nowhere in its file but in its
   declaration and as the key argument of reads under 2.
4. *A key at home*: in a file which a framework of the option's domain reads by itself (``files`` of its row), in the resource root
   beside the code that reads or declares the option, where the key means no other option, and if all code under 1 to 3 is sure: the
   two must change together.
A *bound member* is never sure, with its accessors and their uses: tests, templates, reflection, expressions and what is serialised name it in
more ways than are known.  Where one changes, nothing is sure, not even the cursor's text: a key without its member sets nothing.

Where a library or the platform has names like that of the option, nothing is sure.  Beyond the cursor's text nothing is sure in a file
that is not known to meet with that text in one program (``programs``); "all code" is that of programs which the file can be part of.
The finders of places (``java_code``, ``bound_members``, ``config_files``, ``texts``, ``variables``) say only what they found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.ide.rename.edits import Part, RenameEdit
from conflens.ide.rename.java_code import Change
from conflens.ide.rename.programs import Homes
from conflens.ide.targets.name_literals import Spellings
from conflens.options.model import Option, Read, ReadKind
from conflens.options.names.placeholders import OBJECTS
from conflens.session.analysis import Analysis

_PLATFORM = "java.lang."
_WORDS = re.compile(rb"[\w$\x80-\xff]+")
_MOST_BEFORE = 2_000
_JAVA = frozenset((Part.CODE, Part.MEMBER))


class Sure:
    """Answers for one rename, which starts at a byte ``offset`` of a file."""

    def __init__(self, spellings: Spellings, path: str, offset: int) -> None:
        self._analysis: Analysis = spellings.analysis
        self._program = self._analysis.program
        self._spellings = spellings
        self._homes = Homes(self._analysis)
        self._cursor = path, offset
        self._at_cursor: set[Place] = set()
        self._fixed: dict[Place, set[str]] = {}
        self._learned: set[tuple[str, str]] = set()
        self._words: dict[str, Counter[bytes]] = {}

    # -- 1, 2, 3: texts in code ------------------------------------------------------------------

    def has_cursor(self, place: Place) -> bool:
        """Tell whether the rename started in a text."""
        path, offset = self._cursor
        return place.path == path and place.start <= offset <= place.end

    def started(self, edits: Iterable[Place]) -> None:
        """Remember the edits of the text in which the rename started."""
        self._at_cursor.update(edits)

    def is_code(self, place: Place, change: Change, options: Iterable[Option]) -> bool:
        """Tell whether a change of a literal, or of a part of one, is sure, in a rename of ``options``."""
        if self.has_cursor(place):
            self._at_cursor.add(place)
            return True
        self._learn(options)
        domains = self._fixed.get(change.literal)
        if domains is None:
            return change.whole and self._is_private(change)
        if change.asks is None:
            return change.whole
        return change.asks in domains if change.asks else bool(domains - OBJECTS)

    def _learn(self, options: Iterable[Option]) -> None:
        """Collect the key arguments of the reads of ``options`` that fix where the value comes from, with the domains."""
        for option in options:
            if option.key not in self._learned:
                self._learned.add(option.key)
                for read in option.reads:
                    if not read.guessed and self._is_fixed(option.domain, read):
                        self._fixed.setdefault(read.name_place, set()).add(option.domain)

    def _is_fixed(self, domain: str, read: Read) -> bool:
        if read.kind is ReadKind.ANNOTATION:
            types = list(self._spellings.annotations_around(read.name_place))
            return bool(types) and all(self._is_of_framework(one) for one in types)
        place = read.name_place
        text = self._analysis.text(place.path) or b""
        before = text[max(0, place.start - _MOST_BEFORE) : place.start].rstrip()
        if read.kind is not ReadKind.CALL or before[-1:] not in (b"(", b","):
            return False  # `get(key = "a.b")` keeps the text
        for context, number in self._spellings.calls_at(read.place):
            call = context.code[number]
            if not isinstance(call, ir.Call) or call.object == NONE or context.targets(number):
                return False
            named = context.denotes(call.object)
            if named is not None:
                return named.startswith(_PLATFORM) and self._program.type(named) is None
            type_ = context.type_of(call.object)
            return type_ is not None and self._is_of_framework(type_.name, domain)
        return False

    def _is_of_framework(self, type_: str, domain: str = "") -> bool:
        """Whether a type belongs to the framework of a domain, or to any."""
        rows = self._analysis.recognised.rows
        return self._program.type(type_) is None and any(
            type_.startswith(f"{one}.")
            for row in rows
            if domain in ("", row.domain)
            for one in row.libraries
        )

    def _is_private(self, change: Change) -> bool:
        name = self._spellings.private_name(change.literal)
        if name is None:
            return False
        path, asked = change.literal.path, 0
        text = self._analysis.text(path) or b""
        for place in set(change.asked):
            written = text[place.start : place.end]
            same = written == name or written.endswith(b"." + name)
            asked += same and place.path == path and place in self._fixed
        words = self._words.get(path)
        if words is None:
            # What is written with escapes is no word.
            escaped = b"\\u" in text
            words = self._words[path] = Counter(() if escaped else _WORDS.findall(text))
        return bool(asked) and words[name] == asked + 1

    # -- 4: config files -------------------------------------------------------------------------

    def is_key(self, path: str, named: Iterable[Option], options: Iterable[Option]) -> bool:
        """Tell whether a key of a config file that means the options ``named`` is sure, in a rename of ``options``."""
        analysis = self._analysis
        group = {option.key: option for option in options}
        typical = analysis.recognised.typical(analysis.config_files[path])
        if not all(one.key in group for one in named) or typical.isdisjoint(
            option.domain for option in named
        ):
            return False
        places = [read.place for option in group.values() for read in option.reads]
        places += [one.place for option in group.values() for one in option.declarations]
        return any(self._homes.feeds(path, place.path) for place in places)

    # -- all together ----------------------------------------------------------------------------

    def settled(
        self, edits: Mapping[Place, RenameEdit], is_shared: bool
    ) -> dict[Place, RenameEdit]:
        """Return the edits with what holds for all of them: nothing is sure of a shared name or beside a bound member, nor but for the
        cursor's text in another program, and keys are only as sure as the code that must change with them."""
        code = {place.path for place, edit in edits.items() if edit.part in _JAVA}
        paths = {place.path for place, edit in edits.items() if edit.sure}
        near = self._homes.met(self._cursor[0], code, paths)
        sure = {place for place, edit in edits.items() if edit.sure and place.path in near}
        sure -= self._keys_without_code(edits, sure)
        has_member = any(edit.part is Part.MEMBER for edit in edits.values())
        sure = set() if is_shared or has_member else sure | self._at_cursor
        return {
            place: edit if edit.sure is (place in sure) else attrs.evolve(edit, sure=False)
            for place, edit in edits.items()
        }

    def _keys_without_code(
        self, edits: Mapping[Place, RenameEdit], sure: Set[Place]
    ) -> set[Place]:
        """The keys in whose programs some code is not sure."""
        modules = self._program.modules
        unsure = frozenset(
            modules.at(place.path)
            for place, edit in edits.items()
            if edit.part is Part.CODE and place not in sure
        )
        return {
            place
            for place in sure
            if edits[place].part is Part.CONFIG
            and modules.related_to_any(modules.at(place.path), unsure)
        }
