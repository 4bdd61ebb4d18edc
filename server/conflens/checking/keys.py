"""Keys of a config file that are no option: nearly one, in a namespace that is known, or never read.

What is said, from sure to less sure:
    nearly     the key is one typo away from an option that the file does not set, and from no other.  Where the typo is
               none by itself (a short word, a plural), all else in the file must be options and code not have the key.
    unknown    the key goes into a class that has no such property, and nothing reads a name that is not known there.
    misplaced  the key lacks parts of the name of an option that the file does not set, though others beside it.
    unused     the keys around it are options, and code mentions this one nowhere.
An option that the file sets too is no evidence for a typo, but it may be what was meant: the last two name it as well.
Of keys that are options, only that they are deprecated is told here.

Nothing is said of a key that a placeholder means, that code spells out in any way, that lies below an option which takes
what it likes (a map, a class of a library), that a library reserves (``spring.*``) unless the project reads options beside
it, or that a build fills in (``@…@``); in a documentation folder only keys that look like a misspelt option are reported.  Sections are reported once, not for each key below.
Absent: repeated and overridden keys (``repeats``), values (``values``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import attrs

from conflens.base.span import Place
from conflens.checking import misplaced, repeats
from conflens.checking.code import deprecation
from conflens.checking.key_differences import PLAIN, difference
from conflens.checking.namespaces import of_libraries, package_of, parent_of
from conflens.checking.placeholders import named_by_scheme, referenced
from conflens.checking.recognition import Match, is_telling
from conflens.checking.results import Code, Edit, Finding, Fix, Key
from conflens.checking.subject import Subject
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind
from conflens.documents.configfiles.parsing import renamed
from conflens.options.model import Option
from conflens.options.names.naming import Near, loose
from conflens.options.names.spelling import adds_no_word, squashed, words_of

_INDEX = re.compile(r"\[[^\]]*\]")
_ALIKE = 2
_MANY = 8
_MOSTLY = 0.8
_SURROUNDED = 3
_SHORTEST = 4
_MAX_LOOKED_AT = 500
"""Keys of one file that are no option; a file with more of them says little."""
_MAX_SEARCHED = 100
"""Keys of one file that are looked for in all code."""
_DOCUMENTATION = frozenset({"doc", "docs", "documentation"})
_CHECKED_FOR_USE = frozenset(
    {Format.PROPERTIES, Format.YAML, Format.XML, Format.ELEMENTS, Format.TOML}
)


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield the findings of one file."""
    file = subject.config_files.get(path)
    match = subject.recognised.match(path)
    if file is None or match is None:
        return
    if not match.counts:
        yield from _at_home(subject, file, match)
        return
    seen: set[tuple[Place, str]] = set()
    for finding in _Keys(subject, file, match).findings():
        if (finding.place, finding.code) not in seen:
            seen.add((finding.place, finding.code))
            yield finding
    yield from repeats.findings(subject, path)


def _at_home(subject: Subject, file: ConfigFile, match: Match) -> Iterator[Finding]:
    """Yield words at the top, and keys that are nearly an option, of a file which sets no option that the program reads, but has
    the name and the place of one that does: a file of another profile beside it."""
    domains = misplaced.at_home(subject.recognised, file)
    if domains and domains <= subject.recognised.names.relaxed:
        keys = _Keys(subject, file, attrs.evolve(match, domains=domains))
        yield from keys.nearest()
        if file.format is Format.YAML:
            yield from keys.at_top()


class _Keys:
    """One file being looked at."""

    def __init__(self, subject: Subject, file: ConfigFile, match: Match) -> None:
        self.subject = subject
        self.recognised = subject.recognised
        self.names = subject.recognised.names
        self.file = file
        self.match = match
        self.looked_at = 0
        self.searched = 0
        self.below: dict[str, list[Option]] = {}
        self.anchored = {
            one.key.start for one in file.assignments if one.merged and one.name in match.options
        }

    def findings(self) -> Iterator[Finding]:
        for name, options in self.match.options.items():
            if options and all(option.deprecated for option in options):
                yield from self._deprecated(name, options[0])
        for name, found in self.file.by_name.items():
            if name in self.match.options or not self._said_of(name, found):
                continue
            self.looked_at += 1
            if self.looked_at > _MAX_LOOKED_AT:
                return
            assignment = next((one for one in found if not one.merged), found[0])
            meant = self._meant(name, found)
            near = tuple(one for one in meant if not self._is_set(one, found))
            if near and near[0].surely and self._trusted(name, near[0]):
                # A single plain word stands as a text in code for many reasons.
                if not self._used(name) or not is_telling(name, ()):
                    for one in found:
                        yield self._nearly(one, near)
                continue
            finding = self._misplaced(name, assignment)
            if finding is not None:
                # Code that has a name of one part asks for it in the section that the file has.
                if not self._used(name) or "." not in name:
                    yield finding
                continue
            if self._holds_values or self._is_shown:
                continue
            finding = self._unknown(name, assignment, meant)
            if finding is None and near and self._alone(name, assignment, near):
                finding = self._nearly(assignment, near)
            if finding is None and not near:
                finding = self._unused(name, assignment, meant)
            if finding is not None and (self._alone_at_top(name) or not self._used(name)):
                yield finding

    def at_top(self) -> Iterator[Finding]:
        """Yield the words at the top that lack the section of an option."""
        for name, found in self.file.by_name.items():
            if "." not in name and self._said_of(name, found) and self._alone_at_top(name):
                finding = self._misplaced(name, found[0])
                if finding is None and self._may_be_unused(name, found[0]):
                    finding = self._at_top(name, found[0])
                if finding is not None:
                    yield finding

    def nearest(self) -> Iterator[Finding]:
        """Yield keys of several parts that are one typo away from an option of the program."""
        for name, found in self.file.by_name.items():
            if not is_telling(name, ()) or not self._said_of(name, found) or self._used(name):
                continue
            near = self._meant(name, found)[:1]
            if (
                all(one.surely and one.distance == 1 and self._trusted(name, one) for one in near)
                and all(self.recognised.belongs(one.option, self.file.path) for one in near)
                and near
            ):
                yield self._nearly(found[0], near)

    @cached_property
    def _holds_values(self) -> bool:
        """Whether the file holds what values of other files refer to."""
        return self.recognised.is_referred_to(self.file.path, named_by_scheme)

    @cached_property
    def _is_shown(self) -> bool:
        """Whether the file lies beside pages that show pieces of it: they may be those of several programs."""
        return not _DOCUMENTATION.isdisjoint(self.file.path.split("/")[:-1])

    @cached_property
    def _set(self) -> dict[Key, set[tuple[int, str]]]:
        """The options that the file sets, each with the documents and conditions it is set for."""
        found: dict[Key, set[tuple[int, str]]] = {}
        for name, options in self.match.options.items():
            parts = {(one.document, one.condition) for one in self.file.by_name[name]}
            for option in options:
                if not option.pattern:
                    found.setdefault(option.key, set()).update(parts)
        return found

    @cached_property
    def _beside(self) -> dict[str, list[str]]:
        """The names of keys with values by the namespace that they lie in directly."""
        found: dict[str, list[str]] = {}
        for name, assignments in self.file.by_name.items():
            if any(one.kind is not Kind.SECTION for one in assignments):
                found.setdefault(parent_of(name), []).append(name)
        return found

    # -- what is left alone ----------------------------------------------------------------------

    def _said_of(self, name: str, found: Sequence[Assignment]) -> bool:
        """Whether anything may be said of a key."""
        first = found[0]
        bare = name.replace("[@", "[") if self.file.format is Format.ELEMENTS else name
        if all(one.kind is Kind.SECTION for one in found) or PLAIN.fullmatch(bare) is None:
            return False
        if name.startswith("."):
            return False
        if any(one.key.start in self.anchored for one in found):
            return False
        if self.file.format is Format.ARGUMENTS and first.domain != "system-property":
            return False
        if "@" in bare or self.names.named(name, self._domains(first)):
            return False
        if all(one.value is None and not one.items for one in found) and self._holds_options(name):
            return False
        return not self.recognised.below_open(name, self.match.domains) or self._turned(
            name, found
        )

    def _turned(self, name: str, found: Sequence[Assignment]) -> bool:
        """Whether a key has just the words of an option that is missing here, so that it is no key of a map's own."""
        near = [one for one in self._meant(name, found) if not self._is_set(one, found)]
        return (
            bool(near)
            and near[0].surely
            and sorted(words_of(name)) == sorted(words_of(near[0].name))
            and self._trusted(name, near[0])
        )

    def _holds_options(self, name: str) -> bool:
        """Whether options lie below a key: without anything behind it, it is a section that is just being written."""
        return self.names.any_below(f"{_INDEX.sub('.*', name)}.", self.match.domains)

    def _domains(self, assignment: Assignment) -> frozenset[str] | None:
        return self.recognised.domains_for(self.file.format, assignment.domain)

    def _used(self, name: str) -> bool:
        """Whether something may use a key in a way that is not seen as a read."""
        mentions = self.recognised.mentions
        relaxed = not self.match.domains.isdisjoint(self.names.relaxed)
        return self.recognised.refers(name, referenced, relaxed) or (
            mentions is not None and mentions.holds(name, relaxed)
        )

    # -- nearly ----------------------------------------------------------------------------------

    def _meant(self, name: str, found: Sequence[Assignment]) -> tuple[Near, ...]:
        """What may be meant, likeliest first; of equally likely ones those that the file does not set."""
        domains = self.match.domains
        if found[0].domain:
            domains &= self._domains(found[0]) or domains
        near = self.names.near(name, domains)
        return tuple(sorted(near, key=lambda one: (one.distance, self._is_set(one, found))))

    def _is_set(self, near: Near, found: Sequence[Assignment]) -> bool:
        """Whether the option that may be meant is set in the same part of the file."""
        parts = {(one.document, one.condition) for one in found}
        return not parts.isdisjoint(self._set.get(near.option.key, ()))

    def _reserved(self, name: str) -> bool:
        return self.recognised.reserved.holds(name, self.match.domains)

    def _trusted(self, name: str, near: Near) -> bool:
        """Whether a near name may be said where libraries have names of their own: not if only words are
        turned round, unless the project reads many options there."""
        return (
            not self._reserved(name)
            or parent_of(name) == parent_of(near.name) != ""
            or sorted(words_of(name)) != sorted(words_of(near.name))
            or words_of(name) == words_of(near.name)
            or len(self.names.below(f"{near.name.partition('.')[0]}.", self.match.domains))
            >= _MANY
        )

    def _alone(self, name: str, assignment: Assignment, near: Sequence[Near]) -> bool:
        """Whether a key is the odd one out in a file of options, so that even a typo that might be none is one."""
        if (
            near[0].distance > 1
            or any(one.distance < 2 for one in near[1:])
            or len(squashed(near[0].name)) < _SHORTEST
            or [*filter(str.isdigit, name)] != [*filter(str.isdigit, near[0].name)]
            or not adds_no_word(name, near[0].name)
            or not self._may_be_unused(name, assignment)
        ):
            return False
        known, exact = self._valued
        if exact < _SURROUNDED or known < _MOSTLY * (self._counted - 1):
            return False
        mentions = self.recognised.mentions
        self.searched += 1
        return mentions is not None and self.searched <= _MAX_SEARCHED and not mentions.ends(name)

    @cached_property
    def _counted(self) -> int:
        """How many names have values."""
        return sum(len(names) for names in self._beside.values())

    @cached_property
    def _valued(self) -> tuple[int, int]:
        """How many names are options, and how many those of options that are read by just this name."""
        found = self.match.options.values()
        exact = [any(one.reads and not one.pattern for one in options) for options in found]
        return len(exact), sum(exact)

    def _nearly(self, assignment: Assignment, near: Sequence[Near]) -> Finding:
        best = near[0]
        return Finding(
            Code.UNKNOWN_OPTION,
            self._wrong(assignment, best.name),
            f"Unknown option '{assignment.name}'.{_question(assignment.name, near)}",
            assignment.name,
            (best.option.key,),
            fixes=self._fixes(assignment, near),
        )

    def _deprecated(self, name: str, option: Option) -> Iterator[Finding]:
        message, new = deprecation(option)
        known = bool(new) and " " not in new and bool(self.names.named(new, {option.domain}))
        for assignment in self.file.by_name[name]:
            if assignment.merged:
                continue
            edits = self._edits(assignment, new) if known else ()
            yield Finding(
                Code.DEPRECATED_OPTION,
                self.file.place(assignment.key),
                message,
                name,
                (option.key,),
                fixes=(Fix(f"Change to {new}", edits, name=new),) if edits else (),
            )

    def _fixes(self, assignment: Assignment, near: Sequence[Near]) -> tuple[Fix, ...]:
        found = []
        for one in near:
            if self._is_set(one, (assignment,)):
                continue  # the option would be set twice
            edits = self._edits(assignment, one.name)
            if edits:
                found.append(Fix(f"Change to {one.name}", edits, name=one.name))
        return tuple(found)

    def _wrong(self, assignment: Assignment, right: str) -> Place:
        """Where a key differs from the right name: whole segments."""
        start, end, _ = difference(assignment, right, self.file)
        return Place(self.file.path, start, end)

    def _edits(self, assignment: Assignment, right: str) -> tuple[Edit, ...]:
        if self.file.format is Format.HOCON:
            return ()
        start, end, text = difference(assignment, right, self.file)
        if text is not None and self.file.format is not Format.ELEMENTS:
            return (Edit(Place(self.file.path, start, end), text),)
        changes = None if assignment.merged else renamed(self.file, assignment, right)
        return tuple(
            Edit(Place(self.file.path, change.start, change.end), change.text)
            for change in changes or ()
        )

    # -- misplaced -------------------------------------------------------------------------------

    def _misplaced(self, name: str, assignment: Assignment) -> Finding | None:
        if not self._may_be_unused(name, assignment) or assignment.kind is Kind.SECTION:
            return None
        part = assignment.document, assignment.condition
        meant = [
            one
            for one in self._sections.meant(name)
            if part not in self._set.get(one.option.key, ()) and not self._has(one.name, part)
        ]
        if not meant or len(meant) > misplaced.MOST:
            return None
        best = meant[0]
        return Finding(
            Code.UNKNOWN_OPTION,
            self.file.place(assignment.key),
            f"Unknown option '{name}'. Did you mean '{best.name}'?",
            name,
            (best.option.key,),
            fixes=tuple(
                Fix(f"Change to {one.name}", edits, name=one.name)
                for one in meant
                if (edits := self._edits(assignment, one.name))
            ),
        )

    def _has(self, name: str, part: tuple[int, str]) -> bool:
        """Whether the same part of the file has a key, in whatever spelling where that does not count."""
        plain = loose if self._relaxed else str
        return part in self._keys.get(plain(name), ())

    @cached_property
    def _keys(self) -> dict[str, set[tuple[int, str]]]:
        plain = loose if self._relaxed else str
        found: dict[str, set[tuple[int, str]]] = {}
        for name, assignments in self.file.by_name.items():
            if any(one.kind is not Kind.SECTION for one in assignments):
                parts = {(one.document, one.condition) for one in assignments}
                found.setdefault(plain(name), set()).update(parts)
        return found

    @cached_property
    def _relaxed(self) -> bool:
        """Whether all names of the file are relaxed."""
        return bool(self.match.domains) and self.match.domains <= self.names.relaxed

    @property
    def _in_sections(self) -> bool:
        """Whether every key of the file belongs into a section, so that nobody reads one of a single word."""
        return self.file.format is Format.YAML and self._relaxed

    @cached_property
    def _sections(self) -> misplaced.Sections:
        return misplaced.Sections(
            self.names,
            self.match.domains,
            (name for _, name in self._set),
            self.file.by_name if self._in_sections else (),
            at_top=self._in_sections,
        )

    # -- unknown ---------------------------------------------------------------------------------

    def _unknown(self, name: str, assignment: Assignment, meant: Sequence[Near]) -> Finding | None:
        bare = _INDEX.sub(".*", name)
        whole = "" in self.match.known
        inside = [
            head for one in self.match.known if one and (head := _head_in(one, bare)) is not None
        ]
        if (not inside and not whole) or self._reserved(name):
            return None
        namespace = max(inside, key=len, default="")
        rest = bare[len(namespace) :]
        if not whole and "." in rest:
            return self._too_deep(name, assignment, namespace, rest)
        head = f"{namespace}{rest.partition('.')[0]}"
        if self.names.named(head, self.match.domains) or self.names.any_below(
            f"{head}.", self.match.domains
        ):
            return None
        if "." in rest and self._used(head):
            return None
        part = assignment.path[-1]
        at = 0
        for segment in assignment.path:
            at += len(_INDEX.sub(".*", segment.text)) + 1
            if at > len(head):
                part = segment
                break
        return Finding(
            Code.UNKNOWN_OPTION,
            self.file.place(part),
            f"Unknown option '{name}'.{_question(name, meant)}",
            name,
            fixes=self._fixes(assignment, meant),
            related=self._siblings(namespace, head),
        )

    def _too_deep(
        self, name: str, assignment: Assignment, namespace: str, rest: str
    ) -> Finding | None:
        """Judge a key that has one part more than a member of a class: ``cache.limits.size`` where ``cache.size`` is meant."""
        extra, _, last = rest.partition(".")
        right = f"{namespace}{last}"
        found = [one for one in self.names.named(right, self.match.domains) if not one.pattern]
        part = assignment.document, assignment.condition
        if (
            not self._may_be_unused(name, assignment)
            or "." in last
            or not found
            or self.names.named(f"{namespace}{extra}", self.match.domains)
            or any(part in self._set.get(one.key, ()) for one in found)
        ):
            return None
        return Finding(
            Code.UNKNOWN_OPTION,
            self.file.place(assignment.key),
            f"Unknown option '{name}'. Did you mean '{right}'?",
            name,
            (found[0].key,),
            fixes=(Fix(f"Change to {right}", edits, name=right),)
            if (edits := self._edits(assignment, right))
            else (),
        )

    # -- unused ----------------------------------------------------------------------------------

    def _unused(self, name: str, assignment: Assignment, meant: Sequence[Near]) -> Finding | None:
        if not self._may_be_unused(name, assignment):
            return None
        if self._in_sections and "." not in name:
            return self._at_top(name, assignment)
        parent = parent_of(name)
        beside = [other for other in self._beside[parent] if other != name]
        options = [other for other in beside if other in self.match.options]
        exact = [
            other
            for other in options
            if any(one.reads and not one.pattern for one in self.match.options[other])
        ]
        if len(exact) < _ALIKE or len(options) < _MOSTLY * len(beside):
            return None
        mentions = self.recognised.mentions
        self.searched += 1
        if mentions is None or self.searched > _MAX_SEARCHED or mentions.ends(name):
            return None
        if package_of(name) in of_libraries(self.subject.program):
            return None
        likely = [one for one in meant if one.surely]
        return Finding(
            Code.UNUSED_OPTION,
            self.file.place(assignment.key),
            f"The program never reads '{name}'.{_question(name, likely)}",
            name,
            fixes=self._fixes(assignment, likely),
            related=self._siblings(parent, name, exact),
        )

    def _alone_at_top(self, name: str) -> bool:
        """Whether a word that stands outside of all sections is asked for by no placeholder; texts in code say nothing."""
        return (
            self._in_sections
            and "." not in name
            and not self.recognised.refers(name, referenced, relaxed=True)
        )

    def _at_top(self, name: str, assignment: Assignment) -> Finding | None:
        """Judge a single word outside of all sections: no library reads one, so that nobody does if code does not.

        The file must set options, or the word be the last part of some."""
        mentions = self.recognised.mentions
        if mentions is None or assignment.value is None:
            return None
        if self._valued[1] < _SURROUNDED and not self._sections.ends(name):
            return None
        return Finding(
            Code.UNUSED_OPTION,
            self.file.place(assignment.key),
            f"The program never reads '{name}'.",
            name,
        )

    def _may_be_unused(self, name: str, assignment: Assignment) -> bool:
        """Whether nothing but the absence of reads speaks of a key."""
        return (
            self.file.format in _CHECKED_FOR_USE
            and self.subject.complete
            and not assignment.merged
            and not self._reserved(name)
            and "[" not in name
        )

    def _siblings(
        self, namespace: str, name: str, chosen: Sequence[str] = ()
    ) -> tuple[tuple[Place, str], ...]:
        """Where one option of a namespace is read."""
        options: list[Option] = [
            option for other in chosen for option in self.match.options[other] if option.reads
        ]
        if not options:
            if namespace not in self.below:
                below = self.names.below(namespace, self.match.domains)
                self.below[namespace] = [one for one in below if one.reads][:1]
            options = self.below[namespace]
        for option in options[:1]:
            return ((option.reads[0].place, f"'{option.name}' is read here."),)
        return ()


def _head_in(namespace: str, name: str) -> str | None:
    """Return the beginning of a name that is a namespace, in which ``*`` is any one part but the first; ``None`` if none is."""
    if "*" not in namespace or namespace.startswith("*"):
        return namespace if name.startswith(namespace) else None
    wanted, parts = namespace.split(".")[:-1], name.split(".")
    if len(parts) <= len(wanted) or any(
        part != one != "*" for one, part in zip(wanted, parts, strict=False)
    ):
        return None
    return ".".join(parts[: len(wanted)]) + "."


def _question(name: str, meant: Sequence[Near]) -> str:
    """Ask for what is likeliest meant, by its last part if the rest is the same."""
    if not meant:
        return ""
    right = meant[0].name
    if parent_of(name) == parent_of(right):
        right = right[len(parent_of(right)) :]
    return f" Did you mean '{right}'?"
