"""Uses of private members that no code of the program writes down.

Annotations stand for generated accessors and for libraries that reach in; serialisation, records and
enums read fields themselves; reflection and handles name a member in a text; native code names
one where it cannot be seen.  Annotations of the language itself do none of that.

Facts do not keep the word ``native``: a method is taken for native when it has no code and its
declaration leaves room for the word.  Absent: members that are not private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conflens.facts import ir
from conflens.facts.model import Annotation, Modifier
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_OF_THE_LANGUAGE = frozenset(
    {"Deprecated", "FunctionalInterface", "Override", "SafeVarargs", "SuppressWarnings"}
)
_STORED = ("java.io.Serializable", "java.io.Externalizable")
_WORDS = {
    Modifier.STATIC: "static",
    Modifier.FINAL: "final",
    Modifier.ABSTRACT: "abstract",
    Modifier.PRIVATE: "private",
    Modifier.PUBLIC: "public",
    Modifier.PROTECTED: "protected",
    Modifier.SYNCHRONIZED: "synchronized",
    Modifier.DEFAULT: "default",
}
_ROOM = len("native ")


class Hidden:
    """Answers for one program; each file is looked through once, however many of its members are asked about."""

    def __init__(self, program: Program) -> None:
        """Look at files of ``program``."""
        self.program = program
        self._files: dict[str, tuple[frozenset[str], bool]] = {}

    def may_be_used(self, ref: MemberRef) -> bool:
        """Tell whether a private field or method may be used where no code of the program says so."""
        program = self.program
        member = program.member(ref)
        if _marked(member.annotations) or _owner_marked(program, ref.owner):
            return True
        stored = member.kind != "method" and not member.modifiers & Modifier.STATIC
        if stored and _kept(program, ref):
            return True
        texts, native = self._file(ref.path)
        return native or member.name in texts

    def _file(self, path: str) -> tuple[frozenset[str], bool]:
        """Return the texts of a file's code, and whether some of its code may be native."""
        found = self._files.get(path)
        if found is None:
            refs = [
                self.program.ref(path, at) for at in range(len(self.program.files[path].members))
            ]
            native = any(may_be_native(self.program, ref) for ref in refs)
            found = self._files[path] = (frozenset(self._texts(refs)), native)
        return found

    def _texts(self, refs: Iterable[MemberRef]) -> Iterator[str]:
        for ref in refs:
            code = self.program.body(ref).code
            self.program.meter.spend(len(code))
            for instr in code:
                if isinstance(instr, ir.Const) and instr.kind == "s":
                    yield instr.value


def may_be_native(program: Program, ref: MemberRef) -> bool:
    """Tell whether a method's missing code may be native code."""
    member = program.member(ref)
    if member.kind != "method" or member.modifiers & Modifier.ABSTRACT or program.body(ref).code:
        return False
    known = sum(len(word) + 1 for flag, word in _WORDS.items() if member.modifiers & flag)
    known += sum(item.end - item.at + 1 for item in member.annotations)
    known += len(member.type.encode()) + 1
    return member.name_at - member.at - known >= _ROOM


def _marked(annotations: Iterable[Annotation]) -> bool:
    return any(item.name.rpartition(".")[2] not in _OF_THE_LANGUAGE for item in annotations)


def _owner_marked(program: Program, owner: str) -> bool:
    for name in (owner, *program.supertypes(owner)):
        info = program.type(name)
        if info is not None and _marked(info.decl.annotations):
            return True
    return False


def _kept(program: Program, ref: MemberRef) -> bool:
    """Tell whether objects of the field's class are written out or compared by their fields."""
    info = program.type(ref.owner)
    if info is not None and info.decl.kind in ("record", "enum"):
        return True
    return any(program.is_subtype(ref.owner, stored) for stored in _STORED)
