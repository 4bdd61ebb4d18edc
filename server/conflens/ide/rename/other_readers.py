"""Whether something else than its binder may read the members of a class by their names.

Code generators, serialisers, templates and mappers of objects do; which ones there are is not known.  So it must be known that the class,
and each that leads to it (``holders``), is given to none of them: by no annotation on it, on its members or on what is declared with
its type; in no method that somebody else writes, no source that is not analysed; and no object of it leaves the code (``escapes``).

Plain are annotations that bind, inject, limit or describe: their package or name says so.  All others count as readers, and so
do those that the project declares, which may stand for any.
Absent: texts that hold a name (``sure``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.base.span import Place
from conflens.facts.model import Annotation, FileFacts, Member, Modifier
from conflens.ide.rename.edits import where_of
from conflens.ide.rename.escapes import Escapes
from conflens.ide.rename.holders import Declared
from conflens.ide.rename.texts import unread_texts
from conflens.options.member_types import simple
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis

_PLAIN_PACKAGE = frozenset(
    [
        "condition", "config", "configuration", "constraints", "context", "factory", "inject", "lang", "nullness",
        "properties", "stereotype", "validation", "validator",
    ]
)  # fmt: skip
_PLAIN_NAME = re.compile(
    r"(?:Non|Not|Check)?[Nn]ull\w*|Nonnull|Deprecated|SuppressWarnings|SafeVarargs|FunctionalInterface|Override|Inject|PostConstruct"
    r"|PreDestroy|Generated|VisibleForTesting|Beta|Experimental|Immutable|ThreadSafe|ToString|EqualsAndHashCode|Slf4j|Log\d?|Log4j2?|CommonsLog"
)
_COMPONENT = re.compile(
    r"\w*(?:Application|Component|Configuration|Controller|ControllerAdvice|Repository|Service)|Enable\w+"
)
"""Annotations of what a container makes one of, and nobody takes for data; for those that lead to the class alone."""
_LETTER = re.compile(rb"\\u+00[4-7]")


class OtherReaders:
    """Answers for one analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._program = analysis.program
        self._known: dict[str, str] = {}
        self._declared: Declared | None = None

    def read(self, owner: str) -> str:
        """Return why something may read the members of a class of the project; empty if nothing does."""
        if owner not in self._known:
            self._known[owner] = self._why(owner)
        return self._known[owner]

    def _why(self, owner: str) -> str:
        if self._declared is None:
            self._declared = Declared(self._program)
        holders = self._declared.holders(owner)
        if holders.doubt:
            return holders.doubt
        for name in sorted(holders.names):
            info = self._program.type(name)
            notes = info.decl.annotations if info is not None else ()
            if name != owner:
                notes = tuple(one for one in notes if not _COMPONENT.fullmatch(simple(one.name)))
            if info is None or not self._are_plain(notes, info.path, name):
                return f"an annotation of {simple(name)} may be for one that reads it"
        found = self._declaration(owner, holders.names) or self._unread(owner, holders.names)
        if found:
            return found
        escape = Escapes(self._analysis, self._declared, owner, holders.names).first()
        if isinstance(escape, Place):
            return f"what holds it may leave the program in {where_of(self._analysis, escape)}"
        return escape

    def _declaration(self, owner: str, names: frozenset[str]) -> str:
        """Why a declaration may be for others: in a file that names the class or one that leads to it."""
        words = {name: _word(name) for name in names}
        homes = {info.path for name in names if (info := self._program.type(name)) is not None}
        literal = _word(*names, behind=rb"\s*\.\s*class(?![\w$])")
        for path, facts in self._program.files.items():
            text = self._analysis.text(path)
            named = (
                [name for name in names if text is None or _has(text, name, words[name])]
                if path not in homes
                else list(names)
            )
            if not named:
                continue
            if text is not None and _LETTER.search(text):
                return f"names in {path} may be written with escapes"
            simples = {simple(name) for name in named}
            if any(decl.member >= 0 and decl.name in simples for decl in facts.types):
                return f"a class in {path} hides it"  # where is not worked out
            if text is not None and literal.search(text):
                notes = [note for decl in facts.types for note in decl.annotations]
                notes += [note for member in facts.members for note in _notes(member)]
                for note in notes:
                    if literal.search(text, note.at, note.end) and not self._is_plain(
                        note.name, path, ""
                    ):
                        return f"an annotation in {path} names it"
            for number, member in enumerate(facts.members):
                ref = self._program.ref(path, number)
                declared = _is_declared(member, simples)
                if (ref.owner == owner or declared) and self._is_read(
                    facts, ref, member, declared
                ):
                    return f"{member.name} in {path} may be for one that reads it"
        return ""

    def _unread(self, owner: str, names: frozenset[str]) -> str:
        """Why a source that is not analysed and is no test may give it away."""
        word = _word(*names)
        for text, is_test in unread_texts(self._analysis, simple(owner).encode()):
            if not is_test and (text is None or word.search(text)):
                return "a source that is not analysed names it"
        return ""

    def _is_read(self, facts: FileFacts, ref: MemberRef, member: Member, declared: bool) -> bool:
        """Whether a declaration is for others: a member of the class, or one with its type."""
        if not self._are_plain(_notes(member), ref.path, ref.owner):
            return True
        written = facts.types[member.owner] if 0 <= member.owner < len(facts.types) else None
        around = written is not None and written.kind == "interface"
        abstract = member.modifiers & Modifier.ABSTRACT or (
            around
            and not member.modifiers & (Modifier.DEFAULT | Modifier.STATIC | Modifier.PRIVATE)
        )
        return bool(
            declared and member.kind == "method" and abstract and not self._program.overriders(ref)
        )

    def _are_plain(self, notes: Iterable[Annotation], path: str, scope: str) -> bool:
        return all(self._is_plain(note.name, path, scope) for note in notes)

    def _is_plain(self, name: str, path: str, scope: str) -> bool:
        generators = self._program.generators
        if _PLAIN_NAME.fullmatch(simple(name)) or generators.knows(name):
            return True
        found = self._program.resolve_name(name, path, scope)
        if found is not None:
            if self._program.type(found.name) is not None:
                return False
            package = found.name.rpartition(".")[0]
            return generators.knows(found.name) or _is_plain_package(package)
        packages = [one.name for one in self._program.files[path].imports if one.on_demand]
        if any(generators.knows(f"{one}.{name}") for one in packages):
            return True
        return bool(packages) and all(map(_is_plain_package, packages))


def _is_declared(member: Member, names: set[str]) -> bool:
    """Whether the type of a member, or of a parameter, names one of some classes."""
    texts = (member.type, *(param.type for param in member.params))
    return any(not names.isdisjoint(re.findall(r"[\w$]+", text)) for text in texts)


def _notes(member: Member) -> list[Annotation]:
    return [*member.annotations, *(one for param in member.params for one in param.annotations)]


def _word(*names: str, behind: bytes = b"") -> re.Pattern[bytes]:
    """The simple names of classes as whole words."""
    words = b"|".join(re.escape(simple(name).encode()) for name in sorted(names))
    return re.compile(rb"(?<![\w$])(?:%b)(?![\w$])%b" % (words, behind))


def _has(text: bytes, name: str, word: re.Pattern[bytes]) -> bool:
    return simple(name).encode() in text and word.search(text) is not None


def _is_plain_package(package: str) -> bool:
    return not _PLAIN_PACKAGE.isdisjoint(package.split("."))
