"""Whether something else than its binder may read the members of a class by their names.

Code generators, serialisers, templates and mappers of objects do; which ones there are is not known.  What is looked for is that the class
is given to any of them: by an annotation on it, on its members or on what is declared with its type; as an argument of a call that
leaves the project; or in a method that somebody else writes.

Plain are annotations that bind, inject, limit or describe: their package or name says so.  All others count as readers, and so
do those that the project declares, which may stand for any.
Absent: texts that hold a name (``sure``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Annotation, FileFacts, Member, Modifier
from conflens.options.member_types import simple
from conflens.program.expressions import Context
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
_WITHOUT_NAMES = ("java.lang.", "java.util.")
"""What is given to these stays in the program; reflection begins at a class or a field, which is found by its text."""
_LETTER = re.compile(rb"\\u+00[4-7]")
_REFLECTION = "java.lang.reflect."


class OtherReaders:
    """Answers for one analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._program = analysis.program
        self._known: dict[str, bool] = {}
        self._libraries = tuple(
            f"{one}." for row in analysis.recognised.rows for one in row.libraries
        )

    def read(self, owner: str) -> bool:
        """Tell whether something may read the members of a class of the project."""
        if owner not in self._known:
            self._known[owner] = self._is_given(owner)
        return self._known[owner]

    def _is_given(self, owner: str) -> bool:
        info = self._program.type(owner)
        if info is None or not self._are_plain(info.decl.annotations, info.path, owner):
            return True
        name = simple(owner)
        word = re.compile(rb"(?<![\w$])%b(?![\w$])" % re.escape(name.encode()))
        for path, facts in self._program.files.items():
            text = self._analysis.text(path)
            if path != info.path and (text is None or word.search(text) is None):
                continue
            if text is not None and _LETTER.search(text):
                return True  # an identifier may be written so
            if any(decl.member >= 0 and decl.name == name for decl in facts.types):
                return True  # where a class of a body hides this one is not worked out
            for number, member in enumerate(facts.members):
                ref = self._program.ref(path, number)
                own = ref.owner == owner
                declared = _is_declared(member, name)
                if (own or declared) and self._is_read(facts, ref, member, declared):
                    return True
                if self._leaves(ref, member, owner):
                    return True
        return False

    def _is_read(self, facts: FileFacts, ref: MemberRef, member: Member, declared: bool) -> bool:
        """Whether a declaration is for others: a member of the class, or one with its type."""
        notes = [
            *member.annotations,
            *(one for param in member.params for one in param.annotations),
        ]
        if not self._are_plain(notes, ref.path, ref.owner):
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

    def _leaves(self, ref: MemberRef, member: Member, owner: str) -> bool:
        """Whether a body gives a value of the class, or the class, to something outside of the project."""
        if member.modifiers & Modifier.IMPLIED:
            return False
        context = Context.of(self._program, ref)
        for number, instr in enumerate(context.code):
            if not isinstance(instr, ir.Call | ir.New) or not instr.args:
                continue
            classes = [isinstance(context.code[one], ir.ClassLiteral) for one in instr.args]
            given = [
                is_class
                for one, is_class in zip(instr.args, classes, strict=True)
                if self._is_of(context, one, owner)
            ]
            if given and not context.targets(number) and self._reads(context, instr, all(given)):
                return True
        return False

    def _is_of(self, context: Context, value: int, owner: str) -> bool:
        instr = context.code[value]
        if isinstance(instr, ir.ClassLiteral):
            found = self._program.resolve_name(instr.type, context.ref.path, context.ref.owner)
            return found is not None and found.name == owner
        type_ = context.type_of(value)
        return type_ is not None and type_.name == owner

    def _reads(self, context: Context, instr: ir.Call | ir.New, only_class: bool) -> bool:
        """Whether what is outside may read names: of a class alone its binder does not count."""
        if isinstance(instr, ir.New):
            type_ = self._program.resolve(instr.type, context.ref.path, context.ref.owner)
        elif instr.object == NONE:
            return not self._program.type(context.ref.owner)
        else:
            found = context.receiver_type(instr)
            if found is None:
                return True
            type_ = found
        if self._program.type(type_.name) is not None:
            return False  # a constructor or method that is not written, or of a supertype
        if type_.name.startswith(_WITHOUT_NAMES) and not type_.name.startswith(_REFLECTION):
            return False
        return not (only_class and type_.name.startswith(self._libraries))


def _is_declared(member: Member, name: str) -> bool:
    """Whether the type of a member, or of a parameter, names a class."""
    texts = (member.type, *(param.type for param in member.params))
    return any(name in re.findall(r"[\w$]+", text) for text in texts)


def _is_plain_package(package: str) -> bool:
    return not _PLAIN_PACKAGE.isdisjoint(package.split("."))
