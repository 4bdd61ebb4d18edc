"""Renaming an option everywhere it is spelled: code, config files, documents.

Terms
    part      what an edit is about: ``CODE`` and ``CONFIG`` are known to be this option; ``DOCUMENT`` and ``MENTION`` (comments
              and other texts in code) are whole tokens equal to its name, ``CALL`` uses of a bound member on a value of unknown type or
              in tests; at these a person should look.
    subject   what is under the cursor: a literal that spells one option's name, a key, a placeholder.  An identifier in Java is
              none: it belongs to whoever renames Java.  A new name is always the whole name, wherever the cursor was.
    derived   a name that comes from a member of a class that a container fills: the member is renamed with its key.

Invariants: all or nothing: where one read, key or placeholder cannot follow, ``RefusedError`` names it.  Edits do not overlap, and
each replaces text that was seen there.  Nothing is renamed from an analysis that has not seen all files.
Absent: whether open documents are newer than the analysis (``lsp``), patterns, and what
``documents.policy`` leaves out: change logs, tests' resources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.checking.harmless import keeps_values
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import Assignment, ConfigFile
from conflens.ide.rename.bound_members import BoundMember
from conflens.ide.rename.java_code import CodeChange, code_change, stuck
from conflens.ide.rename.key_names import (
    derived,
    forms,
    is_kebab,
    is_relaxed,
    new_member,
    respelled,
)
from conflens.ide.rename.refusal import RefusedError, refused_at
from conflens.ide.rename.variables import has_variables, is_variable, sets_variable, spellings
from conflens.ide.targets.config_keys import name_place
from conflens.ide.targets.config_names import named_at, placeholders
from conflens.ide.targets.mentions import is_distinct, occurrences
from conflens.ide.targets.name_literals import (
    Derived,
    Holding,
    Spelling,
    Stuck,
    literal_at,
    spelled,
)
from conflens.options.model import Option
from conflens.options.names.naming import loose
from conflens.session.analysis import Analysis

_MAX_NAME = 200
_STRANGE = re.compile(r"[\x00-\x20\x7f\u2028\u2029*]")
_NOT_IN_VARIABLE = re.compile(r"[^A-Za-z0-9]+")
_PLAIN = re.compile(r"\w+(?:[.\-]\w+)*")
"""A name that no format of config files has to quote."""
_NOT_IN_PLACEHOLDER = re.compile(r"[${}:\"'\\]")
_TEXTS = re.compile(
    rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    rb'|"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\r\n]|\\.)*+"?'
    rb"|'(?:[^'\\\r\n]|\\.)*+'?",
    re.DOTALL,
)


class Part(StrEnum):
    """What an edit is about; see the module text."""

    CODE = "code"
    CALL = "call"
    CONFIG = "config"
    DOCUMENT = "document"
    MENTION = "mention"

    @property
    def sure(self) -> bool:
        """Whether nobody needs to confirm it."""
        return self in (Part.CODE, Part.CONFIG)


@attrs.frozen
class Subject:
    """``place`` is the text under the cursor that is renamed, ``name`` the option's whole name."""

    place: Place
    name: str
    options: tuple[Option, ...]


@attrs.frozen(order=True)
class RenameEdit:
    """Replaces the text at ``place``."""

    place: Place
    text: str
    part: Part


@attrs.frozen
class Renamed:
    """``edits`` in order; ``domains`` are those of all options that get the new name."""

    old: str
    new: str
    edits: tuple[RenameEdit, ...]
    domains: tuple[str, ...]


def subject_at(analysis: Analysis, path: str, offset: int) -> Subject | None:
    """Return what would be renamed at a byte offset, ``None`` for nothing of ours; raises ``RefusedError`` for an option
    that cannot be renamed."""
    if path in analysis.config_files:
        named = named_at(analysis, path, offset)
        if named is None:
            return None
        found = Subject(named.place, named.options[0].name, _alike(named.options))
    else:
        literal = literal_at(analysis, path, offset)
        options = () if literal is None else _spelled_by(analysis, *literal)
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
    _check_followed(analysis, found)
    return found


def _check_followed(analysis: Analysis, subject: Subject) -> None:
    """Refuse what no new name could mend, before one is typed."""
    for option in subject.options:
        for _, how in spelled(analysis, option):
            if isinstance(how, Stuck):
                raise stuck(analysis, option.name, how)
            if isinstance(how, Derived):
                member = BoundMember(analysis, how.place)
                member.uses()
                is_kebab(analysis, option, member)


def renamed(analysis: Analysis, path: str, offset: int, new: str) -> Renamed | None:
    """Return the edits that rename the option at a byte offset, ``None`` if there is none; raises ``RefusedError``."""
    subject = subject_at(analysis, path, offset)
    if subject is None:
        return None
    old = subject.name
    if new == old:
        return Renamed(old, new, (), ())
    _check_text(new)
    plan = _Plan(analysis)
    new = plan.rename(subject.options, new)
    edits = plan.edits
    for before, after in plan.variables.items():
        for edit in _variable_edits(analysis, before, after):
            edits.setdefault(edit.place, edit)
    _check_apart(analysis, edits.values())
    taken = _Taken(edits)
    renames = [(before, after, group) for before, (after, group) in plan.done.items()]
    for before, _, group in renames:
        _keep_others(analysis, taken, before, group)
    for before, after, group in renames:
        relaxed = any(
            option.key in plan.derived and is_relaxed(analysis, option) for option in group
        )
        for form in (before, *(forms(before) if relaxed and is_distinct(before) else ())):
            said = respelled(form, before, after) if form != before else after
            for edit in (
                *_document_edits(analysis, taken, form, said),
                *_mentions(analysis, form, said),
            ):
                if taken.free(edit.place):
                    edits[edit.place] = edit
                    taken.keep((edit.place,))
    for before, after in plan.variables.items():
        for edit in _document_edits(analysis, taken, before, after):
            if taken.free(edit.place):
                edits[edit.place] = edit
                taken.keep((edit.place,))
    _check_files(analysis, edits.values())
    domains = {option.domain for _, _, group in renames for option in group}
    return Renamed(old, new, tuple(sorted(edits.values())), tuple(sorted(domains)))


def _check_files(analysis: Analysis, edits: Iterable[RenameEdit]) -> None:
    """Refuse what would take values away from a config file, or leave it unreadable."""
    of_files: dict[str, list[RenameEdit]] = {}
    for edit in edits:
        if edit.place.path in analysis.config_files:
            of_files.setdefault(edit.place.path, []).append(edit)
    for path, own in of_files.items():
        file = analysis.config_files[path]
        if not keeps_values(file, own):
            raise RefusedError(
                f"{path} could not be read as before: one of its keys or comments does not go with the new name."
            )


def _keep_others(analysis: Analysis, taken: _Taken, old: str, group: tuple[Option, ...]) -> None:
    """Keep the places where options of the same name that stay are spelled."""
    for other in analysis.options.options:
        if other.name != old or other in group:
            continue
        for _, how in spelled(analysis, other):
            if isinstance(how, Holding):
                taken.keep((how.place,))
            elif isinstance(how, Spelling):
                taken.keep(piece.place for piece in how.pieces)


class _Plan:
    """The sure edits of a rename, and the unsure ones of code.  A member may give its name to several keys (a class bound under
    two prefixes): all are renamed.  ``done`` are the old names with the new ones and the options, ``derived`` those options
    whose names come from members, ``variables`` the environment variables that get another name with them."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.edits: dict[Place, RenameEdit] = {}
        self.done: dict[str, tuple[str, tuple[Option, ...]]] = {}
        self.derived: set[tuple[str, str]] = set()
        self.variables: dict[str, str] = {}
        self._members: dict[Place, str] = {}

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
        code = code_change(analysis, options, new)
        group = _set_together(analysis, code.options)
        if len(group) > len(code.options):
            code = code_change(analysis, group, new)
        self.done[old] = new, code.options
        for place, text in code.edits.items():
            self._add(RenameEdit(place, text, Part.CODE))
        followed = [
            (option, place)
            for option in code.options
            for place in code.bound
            if any(one.place == place for one in option.declarations)
        ]
        self.derived.update(option.key for option, _ in followed)
        for edit in _config_edits(analysis, code, old, new, bool(followed), self.variables):
            self.edits.setdefault(edit.place, edit)
        for form, wanted in _forms(analysis, code.options, old, new, bool(followed)).items():
            self.variables.setdefault(form, wanted)
        for option, place in followed:
            self._member(option, place, new)
        return new

    def _bound(self, options: Iterable[Option]) -> list[tuple[Option, Place]]:
        return [
            (option, how.place)
            for option in options
            for _, how in spelled(self.analysis, option)
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
        sure, unsure = member.edits(name)
        for part, edits in ((Part.CODE, sure), (Part.CALL, unsure)):
            for at, text in edits.items():
                self._add(RenameEdit(at, text, part))
        for other in analysis.options.options:
            if other.name not in self.done and any(
                one.place == place and one.kind == "field" for one in other.declarations
            ):
                self.rename((other,), derived(analysis, other, member, name))

    def _add(self, edit: RenameEdit) -> None:
        if self.edits.setdefault(edit.place, edit).text != edit.text:
            where = _where(self.analysis, edit.place)
            raise RefusedError(f"Can't rename: two names would stand in {where}.")


class _Taken:
    """Places that are spoken for, by file: which bytes they take, and where they only insert."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._bytes: dict[str, bytearray] = {}
        self._inserts: dict[str, set[int]] = {}
        self.keep(places)

    def keep(self, places: Iterable[Place]) -> None:
        for place in places:
            taken = self._bytes.setdefault(place.path, bytearray())
            taken.extend(bytes(max(0, place.end - len(taken))))
            taken[place.start : place.end] = b"\1" * (place.end - place.start)
            if place.start == place.end:
                self._inserts.setdefault(place.path, set()).add(place.start)

    def free(self, place: Place) -> bool:
        if self._bytes.get(place.path, b"").find(1, place.start, place.end) >= 0:
            return False
        inserts = self._inserts.get(place.path)
        return not inserts or inserts.isdisjoint(range(place.start + 1, place.end))


# -- what is renamed ---------------------------------------------------------------------------


def _alike(options: tuple[Option, ...]) -> tuple[Option, ...]:
    return tuple(option for option in options if option.name == options[0].name)


def _spelled_by(analysis: Analysis, place: Place, text: str) -> tuple[Option, ...]:
    """The options whose names a literal spells, the whole names first."""
    found: list[Option] = []
    for option in analysis.options.options:
        if option.pattern:
            reads = (
                read.name_place for read in option.reads if read.name_place.path == place.path
            )
            if any(at.start <= place.start and place.end <= at.end for at in reads):
                found.append(option)
        elif text and (text in option.name or option.name in text):
            for _, how in spelled(analysis, option):
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
            places = [read.name_place for read in option.reads]
            places += [declaration.place for declaration in option.declarations]
            where = f", in {_where(analysis, min(places))}" if places else ""
            raise RefusedError(f"There is an option {option.name} already{where}.")


def _check_apart(analysis: Analysis, edits: Iterable[RenameEdit]) -> None:
    before: RenameEdit | None = None
    for edit in sorted(edits):
        if before is not None and edit.place.path == before.place.path:
            same = edit.place.start == before.place.start
            if edit.place.start < before.place.end or (
                same and edit.place.end == edit.place.start
            ):
                where = _where(analysis, edit.place)
                raise RefusedError(f"Two changes would meet in {where}.")
        before = edit


# -- config files ------------------------------------------------------------------------------


def _config_edits(
    analysis: Analysis,
    code: CodeChange,
    old: str,
    new: str,
    derived: bool,
    variables: dict[str, str],
) -> Iterator[RenameEdit]:
    """The edits of keys and placeholders; of a ``derived`` name the last part, in the form that stands there.  What they spell as
    environment variables goes into ``variables``."""
    spell = respelled if derived else _spelled_as
    keys = {option.key for option in code.options}
    for path in analysis.recognised.config_files():
        match = analysis.recognised.match(path)
        file = analysis.config_files[path]
        if match is None:
            continue
        names = {name for name, of in match.options.items() if any(one.key in keys for one in of)}
        for name in sorted(names):
            wanted = spell(name, old, new)
            written = list(file.by_name.get(name, ()))
            if written and wanted in file.by_name:
                where = _where(analysis, name_place(path, file.by_name[wanted][0]))
                raise RefusedError(f"{where} sets {wanted} already.")
            if sets_variable(name, old, wanted, match.options[name]):
                _check_own(analysis, file, written, match.options[name], keys)
                variables[name] = wanted
            yield from _keys(analysis, file, written, wanted)
        for place, name in placeholders(analysis, file, match.domains, code.options):
            wanted = spell(name, old, new)
            if _NOT_IN_PLACEHOLDER.search(wanted):
                where = _where(analysis, place)
                raise RefusedError(f"A placeholder in {where} cannot hold the name {wanted}.")
            if sets_variable(name, old, wanted, code.options):
                variables[name] = wanted
            yield RenameEdit(place, wanted, Part.CONFIG)


def _forms(
    analysis: Analysis, options: tuple[Option, ...], old: str, new: str, derived: bool
) -> dict[str, str]:
    """The environment variables that set a relaxed option, with their new names: files that are not known to belong to the
    program set them, too."""
    if not any(is_relaxed(analysis, option) for option in options):
        return {}
    spell = respelled if derived else _spelled_as
    others = {option.name for option in analysis.options.options}
    return {
        form: spell(form, old, new)
        for form in forms(old)
        if is_variable(form) and is_distinct(form) and form not in others
    }


def _check_own(
    analysis: Analysis,
    file: ConfigFile,
    written: Iterable[Assignment],
    options: Iterable[Option],
    keys: set[tuple[str, str]],
) -> None:
    """Refuse to rename a variable that is an option of its own, too."""
    for one in options:
        if one.key not in keys and not one.pattern and is_variable(one.name):
            for assignment in written:
                where = _where(analysis, name_place(file.path, assignment))
                raise RefusedError(f"{where} sets {one.name}, which is another option as well.")


def _variable_edits(analysis: Analysis, old: str, new: str) -> Iterator[RenameEdit]:
    """The edits of all spellings of an environment variable."""
    counting = set(analysis.recognised.config_files())
    for path, file in sorted(analysis.config_files.items()):
        if has_variables(file):
            sure = path in counting or is_distinct(old)  # what one script sets another one may use
            for place in spellings(file, old, new, counts=path in counting):
                yield RenameEdit(place, new, Part.CONFIG if sure else Part.DOCUMENT)


def _keys(
    analysis: Analysis, file: ConfigFile, written: list[Assignment], wanted: str
) -> Iterator[RenameEdit]:
    own = {(one.key.start, one.key.end) for one in written if not one.merged}
    for assignment in written:
        key = (assignment.key.start, assignment.key.end)
        where = _where(analysis, Place(file.path, *key))
        if assignment.merged:
            if key not in own:
                raise RefusedError(f"{where} sets it through an alias, which others use as well.")
            continue
        changes = parsing.renamed(file, assignment, wanted)
        if changes is None:
            raise RefusedError(f"The name {wanted} cannot be written in {where}.")
        for change in changes:
            place = Place(file.path, change.start, change.end)
            yield RenameEdit(place, change.text, Part.CONFIG)


def _spelled_as(name: str, old: str, new: str) -> str:
    """The new name in the way that a file writes the old one: as itself, or as an environment variable."""
    if name != old and is_variable(name):
        return _NOT_IN_VARIABLE.sub("_", new).upper()
    return new


# -- documents and other texts -----------------------------------------------------------------


def _document_edits(analysis: Analysis, taken: _Taken, old: str, new: str) -> Iterator[RenameEdit]:
    last = old.rpartition(".")[2].encode()
    counting = set(analysis.recognised.config_files())
    for path in sorted({*analysis.documents.harvests, *analysis.config_files}):
        text = analysis.document_text(path)
        if text is None or last not in text:
            continue
        if path in counting:
            file = analysis.config_files[path]
            # Keys that are options of another domain keep their name.
            taken.keep(name_place(path, one) for one in file.by_name.get(old, ()))
        elif path in analysis.config_files and is_distinct(old):
            file = analysis.config_files[path]
            for assignment in file.by_name.get(old, ()):
                changes = None if assignment.merged else parsing.renamed(file, assignment, new)
                if changes is None:
                    taken.keep([name_place(path, assignment)])
                for change in changes or ():
                    place = Place(path, change.start, change.end)
                    yield RenameEdit(place, change.text, Part.DOCUMENT)
        if path in analysis.config_files and not _is_plain(new, old):
            continue  # as bare text it could end what it stands in
        for start, end in occurrences(text, old, inside=old.startswith("--")):
            yield RenameEdit(Place(path, start, end), new, Part.DOCUMENT)


def _is_plain(new: str, old: str) -> bool:
    """Whether a name needs no quotes wherever the old one needs none; both may begin with the dashes of a command line's option."""
    dashes = old[: len(old) - len(old.lstrip("-"))]
    return new.startswith(dashes) and _PLAIN.fullmatch(new, len(dashes)) is not None


def _mentions(analysis: Analysis, old: str, new: str) -> Iterator[RenameEdit]:
    """Comments and literals of Java files that hold a distinct name."""
    if not is_distinct(old) or '"' in new or "\\" in new:
        return
    written = old.encode()
    for path in sorted(analysis.program.files):
        text = analysis.text(path)
        if text is None or written not in text:
            continue
        spans = [found.span() for found in _TEXTS.finditer(text)]
        at = 0
        for start, end in occurrences(text, old):
            while at < len(spans) and spans[at][1] < end:
                at += 1
            if at < len(spans) and spans[at][0] < start:
                yield RenameEdit(Place(path, start, end), new, Part.MENTION)


def _where(analysis: Analysis, place: Place) -> str:
    return f"{place.path}:{analysis.line(place)}"
