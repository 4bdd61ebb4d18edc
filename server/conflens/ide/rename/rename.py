"""Renaming an option everywhere it is spelled: code, config files, documents.

Terms
    subject   what is under the cursor: a literal that spells one option's name, a key, a placeholder.  An identifier in Java is
              none: it belongs to whoever renames Java.  A new name is always the whole name, wherever the cursor was.
    derived   a name that comes from a member of a class that a container fills: the member is renamed with its key.

Invariants: all or nothing: where one read, key or placeholder cannot follow, ``RefusedError`` names it.  What ``sure`` does not know
to be sure is to be confirmed.  Edits do not overlap, and each replaces text that was seen there.  Nothing is renamed from an analysis that has not seen all files.
Absent: whether open documents are newer than the analysis (``lsp``), patterns, and what
``documents.policy`` leaves out, such as change logs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import attrs

from conflens.base.span import Place
from conflens.checking.harmless import keeps_values
from conflens.ide.rename.bound_members import BoundMember, accessor
from conflens.ide.rename.config_files import config_edits, variable_edits, variable_forms
from conflens.ide.rename.edits import Part, RenameEdit, Taken, where_of
from conflens.ide.rename.entries import entries_of
from conflens.ide.rename.java_code import code_change, stuck
from conflens.ide.rename.key_names import (
    derived,
    forms,
    is_kebab,
    is_relaxed,
    new_member,
    respelled,
)
from conflens.ide.rename.refusal import RefusedError, refused_at
from conflens.ide.rename.sure import Sure
from conflens.ide.rename.test_files import edits_of_tests
from conflens.ide.rename.texts import document_edits, mentions, misread, unwritten
from conflens.ide.targets.config_names import named_at
from conflens.ide.targets.mentions import is_distinct
from conflens.ide.targets.name_literals import (
    Derived,
    Holding,
    Spelling,
    Spellings,
    Stuck,
)
from conflens.options.model import Option
from conflens.options.names.naming import loose
from conflens.session.analysis import Analysis

_MAX_NAME = 200
_STRANGE = re.compile(r"[\x00-\x20\x7f\u2028\u2029*]")


@attrs.frozen
class Subject:
    """``place`` is the text under the cursor that is renamed, ``name`` the option's whole name."""

    place: Place
    name: str
    options: tuple[Option, ...]


@attrs.frozen
class Renamed:
    """``edits`` in order; ``domains`` are those of all options that get the new name, ``left`` files that may use the old name and
    cannot be edited, ``derived`` whether members change with the name."""

    old: str
    new: str
    edits: tuple[RenameEdit, ...]
    domains: tuple[str, ...]
    left: tuple[str, ...] = ()
    derived: bool = False


def subject_at(analysis: Analysis, path: str, offset: int) -> Subject | None:
    """Return what would be renamed at a byte offset, ``None`` for nothing of ours; raises ``RefusedError`` for an option
    that cannot be renamed."""
    return _subject(Spellings(analysis), path, offset)


def _subject(spellings: Spellings, path: str, offset: int) -> Subject | None:
    analysis = spellings.analysis
    if path in analysis.config_files:
        named = named_at(analysis, path, offset)
        if named is None:
            return None
        found = Subject(named.place, named.options[0].name, _alike(named.options))
    else:
        literal = spellings.literal_at(path, offset)
        options = () if literal is None else _spelled_by(spellings, *literal)
        if literal is None or not options:
            return None
        place = literal[0]
        inner = Place(path, place.start + 1, place.end - 1)
        found = Subject(inner, options[0].name, _alike(options))
        others = sorted({option.name for option in options} - {found.name})
        if others:
            raise RefusedError(
                f"This text is part of the names of several options, {found.name} and {others[0]} among them."
            )
    if not analysis.complete:
        raise RefusedError("Not all files have been read yet; try again in a moment.")
    if found.options[0].pattern:
        raise RefusedError(
            f"{found.name} is a pattern: a part of its name is known only when the program runs."
        )
    _check_followed(spellings, found)
    return found


def _check_followed(spellings: Spellings, subject: Subject) -> None:
    """Refuse what no new name could mend, before one is typed."""
    analysis = spellings.analysis
    for option in subject.options:
        for _, how in spellings.of(option):
            if isinstance(how, Stuck):
                raise stuck(analysis, option.name, how)
            if isinstance(how, Derived):
                member = BoundMember(analysis, how.place)
                member.uses()
                is_kebab(analysis, option, member)


def renamed(analysis: Analysis, path: str, offset: int, new: str) -> Renamed | None:
    """Return the edits that rename the option at a byte offset, ``None`` if there is none; raises ``RefusedError``."""
    spellings = Spellings(analysis)
    subject = _subject(spellings, path, offset)
    if subject is None:
        return None
    old = subject.name
    if new == old:
        return Renamed(old, new, (), ())
    _check_text(new)
    sure = Sure(spellings, path, offset)
    plan = _Plan(spellings, sure)
    new = plan.rename(subject.options, new)
    edits = plan.edits
    written: dict[str, str] = {}
    for before, (after, group) in plan.done.items():
        names, variables = entries_of(analysis, group, before)
        written |= {name: respelled(name, before, after) for name in names}
        for name in variables:
            plan.variables.setdefault(name, respelled(name, before, after))
    for before, after in plan.variables.items():
        for edit in variable_edits(analysis, before, after):
            edits.setdefault(edit.place, edit)
    _check_apart(analysis, edits.values())
    taken = Taken(edits)
    renames = [(before, after, group) for before, (after, group) in plan.done.items()]
    for before, _, group in renames:
        _keep_others(spellings, taken, before, group)
    said: dict[str, str] = {}
    for before, after, group in renames:
        said[before] = after
        if is_distinct(before) and any(
            option.key in plan.derived and is_relaxed(analysis, option) for option in group
        ):
            for form in forms(before):
                said.setdefault(form, respelled(form, before, after))
    relaxed = {
        before for before, _, group in renames if any(is_relaxed(analysis, one) for one in group)
    }
    every = {**written, **plan.variables, **said}
    in_tests, unwritten_tests = edits_of_tests(analysis, every, relaxed)
    for edit in (
        *in_tests,
        *document_edits(analysis, taken, every),
        *mentions(analysis, said),
    ):
        if taken.free(edit.place):
            edits[edit.place] = edit
            taken.keep((edit.place,))
    edits, unread = _without_misread(analysis, edits)
    _check_files(analysis, edits.values())
    edits = sure.settled(edits, _is_shared(plan, subject.options))
    domains = {option.domain for _, _, group in renames for option in group}
    left = {*unread, *unwritten_tests, *unwritten(analysis, plan.done, edits)}
    return Renamed(
        old,
        new,
        tuple(sorted(edits.values())),
        tuple(sorted(domains)),
        tuple(sorted(left)),
        bool(plan.derived),
    )


def _is_shared(plan: _Plan, options: Iterable[Option]) -> bool:
    """Whether a library or the platform has names like that of options which code here only reads."""
    return any(
        option.key not in plan.derived
        and all(one.kind != "definition" for one in option.declarations)
        and plan.analysis.recognised.reserved.holds(option.name, (option.domain,))
        for option in options
    )


def _check_files(analysis: Analysis, edits: Iterable[RenameEdit]) -> None:
    """Refuse what would take values away from a config file, or leave it unreadable, and edits of a file that has changed."""
    of_files: dict[str, list[RenameEdit]] = {}
    for edit in edits:
        of_files.setdefault(edit.place.path, []).append(edit)
    for path, own in of_files.items():
        if not analysis.is_as_read(path):
            raise RefusedError(f"{path} has changed on disk; try again in a moment.")
        file = analysis.config_files.get(path)
        if file is not None and not keeps_values(file, own):
            raise RefusedError(
                f"{path} could not be read as before: one of its keys or comments does not go with the new name."
            )


def _without_misread(
    analysis: Analysis, edits: dict[Place, RenameEdit]
) -> tuple[dict[Place, RenameEdit], set[str]]:
    """Drop edits that follow text in an unknown encoding, where an editor may count columns differently, and return the files
    concerned.  Raises ``RefusedError`` for an edit there that is needed."""
    of_files: dict[str, list[Place]] = {}
    for place in edits:
        of_files.setdefault(place.path, []).append(place)
    unknown = {
        place for path, places in of_files.items() for place in misread(analysis, path, places)
    }
    for place in sorted(unknown):
        if edits[place].needed:
            where = where_of(analysis, place)
            raise RefusedError(
                f"Can't rename: {where} is not written in UTF-8, so where the name stands is not known."
            )
    kept = {place: edit for place, edit in edits.items() if place not in unknown}
    return kept, {place.path for place in unknown}


def _keep_others(spellings: Spellings, taken: Taken, old: str, group: tuple[Option, ...]) -> None:
    """Keep the places where options of the same name that stay are spelled."""
    for other in spellings.analysis.options.options:
        if other.name != old or other in group:
            continue
        for _, how in spellings.of(other):
            if isinstance(how, Holding):
                taken.keep((how.place,))
            elif isinstance(how, Spelling):
                taken.keep(piece.place for piece in how.pieces)


class _Plan:
    """The edits of code, keys and placeholders.  A member may give its name to several keys (a class bound under
    two prefixes): all are renamed.  ``done`` are the old names with the new ones and the options, ``derived`` those options
    whose names come from members, ``variables`` the environment variables that get another name with them."""

    def __init__(self, spellings: Spellings, sure: Sure) -> None:
        self.analysis = spellings.analysis
        self.spellings = spellings
        self.sure = sure
        self.edits: dict[Place, RenameEdit] = {}
        self.done: dict[str, tuple[str, tuple[Option, ...]]] = {}
        self.derived: set[tuple[str, str]] = set()
        self.variables: dict[str, str] = {}
        self._members: dict[Place, str] = {}
        self._work = Counter[str]()

    def rename(self, options: tuple[Option, ...], new: str) -> str:
        """Rename options of one name, and all that follow; return the new name as it is spelled in the end."""
        analysis, old = self.analysis, options[0].name
        bound = self._bound(options)
        for option, place in bound:
            member = BoundMember(analysis, place)
            name = new_member(analysis, option, member, new)
            new = derived(analysis, option, member, name)
        _check_free(analysis, options, new)
        options = _set_together(analysis, options)
        code = code_change(self.spellings, options, new)
        group = _set_together(analysis, code.options)
        if len(group) > len(code.options):
            code = code_change(self.spellings, group, new)
        self.done[old] = new, code.options
        for place, change in code.edits.items():
            known = self.sure.is_code(place, change, code.options)
            self._add(RenameEdit(place, change.text, Part.CODE, known))
        followed = [
            (option, place)
            for option in code.options
            for place in code.bound
            if any(one.place == place for one in option.declarations)
        ]
        self.derived.update(option.key for option, _ in followed)
        for edit in config_edits(
            analysis, self.sure, code, old, new, bool(followed), self.variables, self._work
        ):
            self.edits.setdefault(edit.place, edit)
        for form, wanted in variable_forms(
            analysis, code.options, old, new, bool(followed)
        ).items():
            self.variables.setdefault(form, wanted)
        for option, place in followed:
            self._member(option, place, new)
        return new

    def _bound(self, options: Iterable[Option]) -> list[tuple[Option, Place]]:
        return [
            (option, how.place)
            for option in options
            for _, how in self.spellings.of(option)
            if isinstance(how, Derived)
        ]

    def _member(self, option: Option, place: Place, new: str) -> None:
        """Rename the member that a key is derived from, and the other keys that are derived from it."""
        analysis = self.analysis
        member = BoundMember(analysis, place)
        name = new_member(analysis, option, member, new)
        known = self._members.get(place)
        if known is not None:
            if known != name:
                raise refused_at(analysis, place, f"two keys are derived from {member.symbol}")
            return
        self._members[place] = name
        uses = member.all_uses(name)
        for part, places in ((Part.MEMBER, uses.sure), (Part.CALL, uses.unsure)):
            for at, prefix in places.items():
                text = accessor(prefix, name) if prefix else name
                self._add(RenameEdit(at, text, part))
        for other in analysis.options.options:
            if other.name not in self.done and any(
                one.place == place and one.kind == "field" for one in other.declarations
            ):
                self.rename((other,), derived(analysis, other, member, name))

    def _add(self, edit: RenameEdit) -> None:
        if self.edits.setdefault(edit.place, edit).text != edit.text:
            where = where_of(self.analysis, edit.place)
            raise RefusedError(f"Can't rename: two names would stand in {where}.")


# -- what is renamed ---------------------------------------------------------------------------


def _alike(options: tuple[Option, ...]) -> tuple[Option, ...]:
    return tuple(option for option in options if option.name == options[0].name)


def _spelled_by(spellings: Spellings, place: Place, text: str) -> tuple[Option, ...]:
    """The options whose names a literal spells, the whole names first."""
    found: list[Option] = []
    for option in spellings.analysis.options.options:
        if option.pattern:
            reads = (
                read.name_place for read in option.reads if read.name_place.path == place.path
            )
            if any(at.start <= place.start and place.end <= at.end for at in reads):
                found.append(option)
        elif text and (text in option.name or option.name in text):
            for _, how in spellings.of(option):
                if isinstance(how, Spelling):
                    hit = any(piece.place == place for piece in how.pieces)
                else:
                    hit = isinstance(how, Holding) and how.place == place
                if hit:
                    found.append(option)
                    break
    return tuple(sorted(found, key=lambda option: (option.name != text, option.name)))


def _set_together(analysis: Analysis, options: Iterable[Option]) -> tuple[Option, ...]:
    """The options and those of the same name that the same keys of config files set."""
    group = {option.key: option for option in options}
    (name,) = {option.name for option in group.values()}
    for path in analysis.recognised.config_files():
        match = analysis.recognised.match(path)
        found = () if match is None else match.options.get(name, ())
        if any(option.key in group for option in found):
            group.update((option.key, option) for option in found if option.name == name)
    return tuple(group.values())


def _check_text(new: str) -> None:
    if not new.strip():
        raise RefusedError("An option needs a name.")
    if len(new) > _MAX_NAME:
        raise RefusedError(f"A name of more than {_MAX_NAME} characters is too long.")
    if _STRANGE.search(new) or not new.isprintable():
        raise RefusedError(f"{new!r} cannot be the name of an option.")


def _check_free(analysis: Analysis, options: Iterable[Option], new: str) -> None:
    own = {option.key for option in options}
    relaxed = analysis.recognised.names.relaxed
    for option in analysis.options.options:
        # In a relaxed domain another spelling of a name is the same name.
        alike = option.domain in relaxed and loose(option.name) == loose(new)
        if (
            option.name == new
            or any(name == new for _, name in option.aliases)
            or (alike and option.key not in own)
        ):
            raise _taken(analysis, option, option.name)
        if new.startswith("-") and _is_written(analysis, option, f'"{new}"'.encode()):
            raise _taken(analysis, option, new)


def _is_written(analysis: Analysis, option: Option, literal: bytes) -> bool:
    """Whether the declaration of a command line's option holds a literal, as all of its names."""
    for one in option.declarations if option.name.startswith("-") else ():
        text = analysis.text(one.scope.path) or b""
        if literal in text[one.scope.start : one.scope.end]:
            return True
    return False


def _taken(analysis: Analysis, option: Option, name: str) -> RefusedError:
    places = [read.name_place for read in option.reads]
    places += [declaration.place for declaration in option.declarations]
    where = f", in {where_of(analysis, min(places))}" if places else ""
    return RefusedError(f"There is an option {name} already{where}.")


def _check_apart(analysis: Analysis, edits: Iterable[RenameEdit]) -> None:
    before: RenameEdit | None = None
    for edit in sorted(edits):
        if before is not None and edit.place.path == before.place.path:
            same = edit.place.start == before.place.start
            if edit.place.start < before.place.end or (
                same and edit.place.end == edit.place.start
            ):
                where = where_of(analysis, edit.place)
                raise RefusedError(f"Two changes would meet in {where}.")
        before = edit
