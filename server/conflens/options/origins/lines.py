"""Lines of a configuration file that a program takes apart itself (``cuts``).

A line is one of a configuration file if it was read from a file, if some name on the way (class, method, variable, the
file's own) says that it is configuration, and if none says that it is data.  What was read from a connection has no file
on the way.  Words are role rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conflens.facts import ir
from conflens.models.load import Models
from conflens.options.constant_arguments import rendered, words
from conflens.options.cuts import Cut
from conflens.options.member_types import simple
from conflens.options.origins.backward import Part, parts
from conflens.options.origins.tracing import Tracer
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

_FILES = ("java.io.File", "java.nio.file.Path", "java.nio.file.Files", "java.io.FileReader")
_FILE_STREAM = "java.io.FileInputStream"


class Lines:
    """Judges lines of one program."""

    def __init__(self, tracer: Tracer, models: Models) -> None:
        """Judge by the words of ``models``."""
        self.tracer = tracer
        self.models = models

    def configure(self, context: Context, key: Cut) -> bool:
        """Tell whether a text is a line of a configuration file."""
        place = ("line", context.ref, key.line)
        return self.tracer.values.trail.remembered(place, lambda: self._judge(context, key.text))

    def _judge(self, context: Context, text: int) -> bool:
        filed = spoken = False
        joined: set[tuple[MemberRef, int]] = set()
        for part in parts(self.tracer, context, text):
            ref, instr = part.context.ref, part.instr
            # A text may be joined in many steps: its operands are judged one by one, the whole text once.
            whole = not isinstance(instr, ir.Binary) or (ref, part.value) not in joined
            if isinstance(instr, ir.Binary):
                joined.update(((ref, instr.left), (ref, instr.right)))
            for speaks in self._speaks(self._names(part, whole)):
                if not speaks:
                    return False
                spoken = True
            filed = filed or self._is_file(part)
        return filed and spoken

    def _is_file(self, part: Part) -> bool:
        """Tell whether a value is a file, or is read from one."""
        type_ = part.context.type_of(part.value)
        names = [type_.name] if type_ is not None else []
        if isinstance(part.instr, ir.Call):
            receiver = part.context.receiver_type(part.instr)
            names += [receiver.name] if receiver is not None else []
        return any(name in _FILES or name == _FILE_STREAM for name in names)

    def _names(self, part: Part, whole: bool) -> Iterator[str]:
        """Yield what the things on the way are called; of an operand that was a part of a ``whole`` text not its own text."""
        context, instr = part.context, part.instr
        yield context.member.name
        yield simple(context.ref.owner)
        type_ = context.type_of(part.value)
        if type_ is not None:
            yield simple(type_.name)
        match instr:
            case ir.Load() if not instr.up and instr.slot < len(context.body.locals):
                yield context.body.locals[instr.slot].name
            case ir.Name() | ir.Field() | ir.Call():
                yield instr.name
            case _:
                pass
        if whole and isinstance(instr, (ir.Const, ir.Name, ir.Field, ir.Binary)):
            for template in self.tracer.values.of(context, part.value):
                yield rendered(template)

    def _speaks(self, names: Iterable[str]) -> Iterator[bool]:
        """Yield what the words of names speak for: configuration or data."""
        for name in names:
            for word in words(name):
                row = self.models.roles_by_word.get(word)
                if row is None:
                    continue
                if row.speaks == "against":
                    yield False
                elif "type" in row.on and "head" in row.on:
                    yield True
