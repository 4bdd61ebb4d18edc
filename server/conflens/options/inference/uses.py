"""Evidence from what a program does with a value: calls, comparisons, arithmetic, declared types.

Source: Rabkin, dissertation §4.4: the type a read returns, the argument table (model rows), and
arithmetic with clock values; modes by chains of comparisons and by enums.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.code import Code
from conflens.flow.domain import Followed, Passed, Relation, Role, Trace, Use
from conflens.flow.kinds import NUMBERS, enum_constants, kind_of
from conflens.flow.rows import scaled
from conflens.flow.transfer import EQUALITY
from conflens.flow.uses import Uses
from conflens.models.schema import CONSTRUCTOR, ValueRow
from conflens.options.inference.clocks import Clocks
from conflens.options.inference.evidence import (
    CERTAIN,
    CODE,
    NAMED,
    TESTED,
    WEAK,
    Evidence,
)
from conflens.options.inference.open_values import Openness, openness
from conflens.options.inference.value_sets import LOOKUPS, collection_texts, enum_texts
from conflens.options.model import OptionType
from conflens.options.text_reasons import EQUALS, LOOKED_UP, ONLY_COMPARED, SWITCHED
from conflens.options.value_names import says
from conflens.program.types import OBJECT, JavaType, unboxed

TRUTH = frozenset({"true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "0", "1"})
_SPELLED = frozenset({"true", "false", "yes", "no", "on", "off"})
_UNITS = {"B": "bytes"}
_SHOWN = 4
_MIRRORS = ("java.lang.reflect.", "java.lang.invoke.")
"""Packages of types that speak of a class: what is cast to one of them is no object of the class."""
_MADE = frozenset({"class", "file", "uri", "address", "regex", "mode"})
"""Kinds of objects that were made of the value: what is done with them tells of them, not of it."""

_COUNTED = frozenset({OptionType.INTEGER, OptionType.FRACTION})
"""What a text is not that is also compared with words and looked at in parts."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*\Z")
"""A text that can be one of a few words, and no address, path or number."""
_HEADS = frozenset({OptionType.FILE, OptionType.URI, OptionType.ADDRESS})


def unit_text(unit: str) -> str:
    """Return a row's unit in the words of ``Option.unit``."""
    return _UNITS.get(unit, unit)


def declared(uses: Uses, type_: JavaType | None, why: str) -> Evidence | None:
    """Return what a Java type says; ``None`` for texts and for types that say nothing."""
    kind = kind_of(uses.program, type_)
    if not kind or kind == "string":
        return None
    values = enum_constants(uses.program, type_) if kind == "mode" else ()
    if kind == "mode" and not values:
        return None
    return Evidence(OptionType(kind), why, CERTAIN, "", values)


def _is_truth(texts: Iterable[str]) -> bool:
    """Tell whether texts are words for true and false, and not only digits or letters, which may mean something else."""
    lowered = {text.lower() for text in texts}
    return lowered <= TRUTH and not lowered.isdisjoint(_SPELLED)


class UseReader:
    """Turns uses into evidence for one program."""

    def __init__(self, uses: Uses) -> None:
        """Read uses that ``uses`` found."""
        self.uses = uses
        self.program = uses.program
        self.clocks = Clocks(uses)

    def made_as(self, followed: Followed) -> str:
        """Return the type that objects of a class option are cast to, as written; perhaps empty."""
        for use in followed.uses:
            if use.role is Role.CAST and use.trace.relation is Relation.SAME:
                code = self.uses.code(use.ref)
                type_ = code.context.type_of(use.index)
                if type_ not in (None, OBJECT) and not kind_of(self.program, type_):
                    return _cast_text(code, use.index)
        return ""

    def made_type(self, followed: Followed) -> str:
        """Return the one type of the project or of a library that objects of a class option are surely cast to."""
        found: set[str] = set()
        for use in followed.uses:
            if use.trace.relation is not Relation.SAME:
                continue
            code = self.uses.code(use.ref)
            if isinstance(code.code[use.index], ir.InstanceOf):
                return ""
            if use.role is Role.CAST:
                type_ = code.context.type_of(use.index)
                if type_ is not None and not kind_of(self.program, type_):
                    if type_.name.startswith(_MIRRORS) or not self._is_class(type_.name):
                        continue
                    found.add(type_.name)
        found.discard(OBJECT.name)
        name = found.pop() if len(found) == 1 else ""
        info = self.program.type(name)
        concrete = info is not None and info.decl.kind == "class"
        if info is not None and concrete and not info.decl.modifiers & Modifier.ABSTRACT:
            return ""
        return name

    def _is_class(self, name: str) -> bool:
        """Tell a class from a type variable (``(T) object``), which says nothing of what is made."""
        return "." in name or self.program.type(name) is not None

    def read(self, followed: Followed, own: str) -> Iterator[Evidence]:
        """Yield what the uses say; ``own`` is the kind of the value's own Java type."""
        compared: dict[str, None] = {}
        more = openness(self.uses, followed)
        found = list(self._uses(followed, own, compared, more is not Openness.NONE))
        words = any(any(map(str.isalpha, text)) for text in compared)
        for item in found:
            if more is not Openness.PARTS or not words or item.type not in _COUNTED:
                yield item
        yield from self._compared(list(compared), more is not Openness.NONE)
        if more is Openness.NONE and len(compared) == 1 and _only_compared(followed):
            (text,) = compared
            if _WORD.match(text) and text.lower() not in TRUTH:
                yield Evidence(OptionType.MODE, f"{ONLY_COMPARED} '{text}'", CODE)
        for passed in followed.passed:
            yield from self._passed(passed, own)

    def _uses(
        self, followed: Followed, own: str, compared: dict[str, None], open_: bool
    ) -> Iterator[Evidence]:
        for use in followed.uses:
            match use.role:
                case Role.ARGUMENT:
                    self._listed(use, compared)
                    yield from self._argument(use)
                case Role.COMPARED | Role.LOOP | Role.ARITHMETIC:
                    yield from self._operand(use, compared)
                case Role.SWITCHED:
                    yield from self._switched(use, open_)
                case Role.LENGTH:
                    yield from self._length(use)
                case Role.INDEX if use.trace.relation is Relation.SAME:
                    yield Evidence(OptionType.INTEGER, "index of an array", CODE)
                case Role.SPLIT if not self._one_part(use):
                    yield Evidence(OptionType.LIST, "split into a list", CERTAIN)
                case Role.ITERATED if use.trace.relation is Relation.SAME:
                    if self._kind(use) == "list":
                        yield Evidence(OptionType.LIST, "iterated over", CODE)
                case Role.CAST if not own and _near(use.trace):
                    yield from self._cast(use)
                case _:
                    pass

    def _one_part(self, use: Use) -> bool:
        """Tell whether of all that a value is split into, one part at a fixed place is taken at once: no list of equals."""
        code = self.uses.code(use.ref)
        takers = [code.code[taker] for taker in code.takers.get(use.index, ())]
        return bool(takers) and all(
            isinstance(taker, ir.Index)
            and taker.array == use.index
            and isinstance(code.code[taker.index], ir.Const)
            for taker in takers
        )

    def _kind(self, use: Use) -> str:
        return kind_of(self.program, self.uses.code(use.ref).context.type_of(use.value))

    # -- calls -------------------------------------------------------------------------------------

    def _argument(self, use: Use) -> Iterator[Evidence]:
        code = self.uses.code(use.ref)
        row = self.uses.rows.value(code, use.index, use.place)
        if row is None:
            yield from self._looked_up(code, use)
            return
        type_ = OptionType(row.value_type)
        kind = self._kind(use)
        if kind in _MADE and kind != row.value_type:
            return
        if kind == "integer" and type_ is OptionType.FRACTION:
            return
        relation = use.trace.relation
        why = f"passed to {label(row)}"
        if relation is Relation.SAME:
            yield self._certain(code, use, row, type_, why)
        elif relation is Relation.SCALED:
            if row.value_type in NUMBERS:
                yield Evidence(OptionType.INTEGER, "a factor in arithmetic", CODE)
        elif relation is Relation.HEAD and type_ in _HEADS:
            yield Evidence(type_, why, CODE)

    def _listed(self, use: Use, compared: dict[str, None]) -> None:
        """Note the constants with one of which a method that is called so says that a value is equal."""
        code = self.uses.code(use.ref)
        call = code.code[use.index]
        if not isinstance(call, ir.Call) or not call.name.startswith(EQUALS) or use.place:
            return
        texts = [self.uses.transfer.constant(code, arg) for arg in call.args[1:]]
        if len(texts) > 1 and all(texts) and use.trace.relation is Relation.SAME:
            compared.update(dict.fromkeys(text for text in texts if text))

    def _looked_up(self, code: Code, use: Use) -> Iterator[Evidence]:
        call = code.code[use.index]
        if (
            isinstance(call, ir.Call)
            and call.name in LOOKUPS
            and use.place == 0
            and call.object != NONE
            and _near(use.trace)
        ):
            texts = collection_texts(self.uses, code, call.object)
            if len(texts) > 1:
                yield Evidence(OptionType.MODE, LOOKED_UP, TESTED, "", texts)

    def _certain(
        self, code: Code, use: Use, row: ValueRow, type_: OptionType, why: str
    ) -> Evidence:
        unit = row.unit or self.uses.rows.unit_at(code, use.index, row.unit_argument)
        unit = unit_text(scaled(unit, use.trace.factor)) if unit else ""
        if type_ is OptionType.INTEGER and self._kind(use) in NUMBERS and row.method != "valueOf":
            unit = "count"
        values: tuple[str, ...] = ()
        if type_ is OptionType.MODE:
            values = self.enum_values(code, use.index)
            if not values:
                return Evidence(OptionType.STRING, why, WEAK)
        return Evidence(type_, why, CERTAIN, unit, values)

    def enum_values(self, code: Code, index: int) -> tuple[str, ...]:
        """Return the constants that a conversion of texts to an enum gives."""
        instr = code.code[index]
        if isinstance(instr, ir.MethodRef):
            type_ = self.program.resolve(instr.type, code.ref.path, code.ref.owner)
            return enum_constants(self.program, type_)
        if not isinstance(instr, ir.Call):
            return ()
        found = enum_constants(self.program, code.context.receiver_type(instr))
        for arg in instr.args[:1]:
            literal = code.code[arg]
            if not found and isinstance(literal, ir.ClassLiteral):
                type_ = self.program.resolve(literal.type, code.ref.path, code.ref.owner)
                found = enum_constants(self.program, type_)
        return found or enum_constants(self.program, code.context.type_of(index))

    # -- operators -----------------------------------------------------------------------------------

    def _operand(self, use: Use, compared: dict[str, None]) -> Iterator[Evidence]:
        if use.trace.relation is Relation.SCALED:
            yield Evidence(OptionType.INTEGER, "a factor in arithmetic", CODE)
            return
        if use.trace.relation is not Relation.SAME or use.other == NONE:
            return
        code = self.uses.code(use.ref)
        instr = code.code[use.index]
        if isinstance(instr, ir.Call):
            text = self.uses.transfer.constant(code, use.other)
            if text and instr.name in EQUALITY:
                compared[text] = None
            elif text is None and self._kind(use) == "string":
                texts = enum_texts(self.uses, code, use.other)
                if texts:
                    why = "compared with the constants of an enum"
                    yield Evidence(OptionType.MODE, why, TESTED, "", texts)
            return
        if isinstance(instr, ir.Binary) and instr.op in ("*", "/", "%"):
            return
        if self._kind(use) not in NUMBERS:
            return
        clock = self.clocks.reading(code, use.other)
        if clock is not None:
            unit, name = clock
            verb = "added to" if use.role is Role.ARITHMETIC else "compared with"
            found = scaled(unit, use.trace.factor) if unit else ""
            yield Evidence(OptionType.TIME, f"{verb} {name}", CERTAIN, found)
        elif use.role is Role.LOOP:
            yield Evidence(OptionType.INTEGER, "bound of a loop", CODE)

    def _compared(self, texts: Sequence[str], open_: bool) -> Iterator[Evidence]:
        if not texts:
            return
        why = f"{EQUALS} " + ", ".join(f"'{text}'" for text in texts[:_SHOWN])
        if len(texts) == 1 and texts[0].isdigit():
            return  # a number that is a special case as well as a word for true or false
        if TRUTH.issuperset(map(str.lower, texts)):
            yield Evidence(OptionType.BOOLEAN, why, TESTED if _is_truth(texts) else WEAK)
        elif not open_ and sum(any(map(str.isalnum, text)) for text in texts) > 1:
            yield Evidence(OptionType.MODE, why, TESTED, "", tuple(texts))
        else:
            yield Evidence(OptionType.STRING, why, WEAK, "", tuple(texts))

    def _switched(self, use: Use, open_: bool) -> Iterator[Evidence]:
        if use.trace.relation is not Relation.SAME:
            return
        code = self.uses.code(use.ref)
        switch = code.code[use.index]
        if not isinstance(switch, ir.Switch):
            return
        texts: dict[str, None] = {}
        for case in switch.cases:
            for value in case.labels:
                text = self.uses.transfer.constant(code, value)
                if text:
                    texts[text] = None
        kind = self._kind(use)
        if len(texts) > 1 and (kind == "integer" or (kind == "string" and not open_)):
            why = f"{SWITCHED} " + ", ".join(f"'{text}'" for text in list(texts)[:_SHOWN])
            if kind == "string" and _is_truth(texts):
                yield Evidence(OptionType.BOOLEAN, why, TESTED)
            else:
                yield Evidence(OptionType.MODE, why, TESTED, "", tuple(texts))

    def _length(self, use: Use) -> Iterator[Evidence]:
        if use.trace.relation is not Relation.SAME:
            return
        array = self.uses.code(use.ref).code[use.index]
        element = array.type.removesuffix("[]") if isinstance(array, ir.NewArray) else ""
        if element == "byte":
            unit = unit_text(scaled("B", use.trace.factor))
            yield Evidence(OptionType.SIZE, "length of a byte array", CERTAIN, unit)
        elif element == "char":
            yield Evidence(OptionType.SIZE, "length of a char array", CERTAIN)
        else:
            yield Evidence(OptionType.INTEGER, "length of an array", CERTAIN, "count")

    # -- declarations on the way ----------------------------------------------------------------------

    def _cast(self, use: Use) -> Iterator[Evidence]:
        code = self.uses.code(use.ref)
        found = declared(
            self.uses, code.context.type_of(use.index), f"cast to {_cast_text(code, use.index)}"
        )
        if found is not None:
            yield found

    def _passed(self, passed: Passed, own: str) -> Iterator[Evidence]:
        if passed.trace.relation is not Relation.SAME:
            return
        if not own and _near(passed.trace) and passed.type not in (None, OBJECT):
            found = declared(self.uses, passed.type, f"stored in {passed.name}")
            if found is not None:
                yield found
        if unboxed(passed.type) not in ("int", "long", "short"):
            return
        named = says(passed.name)
        if named.number is None:
            return
        why = f"stored in {passed.name}"
        factor = passed.trace.factor
        if named.exact:
            unit = "B" if named.unit == "bytes" else named.unit
            if factor != 1.0:
                unit = scaled(unit, factor)
            yield Evidence(named.number, why, NAMED, unit_text(unit))
        elif factor == 1.0:
            yield Evidence(named.number, why, WEAK)


def _only_compared(followed: Followed) -> bool:
    """Tell whether all that is done with a value is to compare it."""
    known = not followed.cut and not followed.open
    return known and all(use.role in (Role.COMPARED, Role.SWITCHED) for use in followed.uses)


def _near(trace: Trace) -> bool:
    """Tell whether a value is still in the method that read it; helpers may serve several types."""
    return trace.relation is Relation.SAME and not trace.stack


def _cast_text(code: Code, index: int) -> str:
    instr = code.code[index]
    return instr.type if isinstance(instr, ir.Cast) else ""


def label(row: ValueRow) -> str:
    """Return a row's call as a person would write it."""
    simple = row.type.rpartition(".")[2]
    return f"new {simple}" if row.method == CONSTRUCTOR else f"{simple}.{row.method}"
