"""Lowering of code: statements and expressions of one member to instructions.

A ``BodyLowerer`` holds the state of one member's body while it is built: instructions so far, local
variables, the scope that maps names in sight to slots, and the names that open blocks have declared,
each with the slot that it hides.  A class inside a body is handed back to the file's collector, with
this lowerer as the outer one, so that its members see our locals.

Deep nesting is bounded: spines of binary operators and of call chains are walked by loops, anything
else nested deeper than ``DEPTH`` becomes an ``Unknown`` and one problem.  Half-typed code becomes
``Unknown`` around whatever could be lowered inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from conflens.facts import ir, kinds
from conflens.facts.ir import NONE
from conflens.facts.text import type_text
from conflens.syntax.java import Node

DEPTH = 160
"""Nesting of statements and expressions that is followed; each level costs two Python frames."""
_BODY_DEPTH = 4
"""What a member of a class in code counts for: the frames between its body and the outer one."""

_EQUALITY = frozenset({"equals", "equalsIgnoreCase", "startsWith", "endsWith", "contentEquals"})
LOOKUP = frozenset({"get", "getOrDefault", "remove", "containsKey"})
"""Methods whose calls are so common that ``hints`` tells which members call them with a name."""

_PICKS = frozenset({"startsWith", "endsWith"})
"""Calls by which a helper picks keys with a sign that its caller names."""

_KEY_LOOPS = frozenset({"stringPropertyNames", "propertyNames", "keySet", "entrySet", "forEach"})
"""Calls that show keys to code that may compare them: then one comparison is enough."""

_NUMBERS = frozenset({"int", "long", "short", "byte", "char", "Integer", "Long", ""})


class Collector(Protocol):
    """What a body needs from the file it stands in."""

    source: bytes

    def nested(self, node: Node, outer: BodyLowerer | None, ordinal: int) -> None:
        """Lower a class declared inside a body; ``node`` is a class body or a declaration."""

    def problem(self, at: int, message: str) -> None:
        """Note something that was left out."""


class BodyLowerer:
    """Builds one :class:`ir.Body`.  ``base`` is the member's first byte."""

    def __init__(
        self, collector: Collector, base: int, outer: BodyLowerer | None, type_index: int
    ) -> None:
        """Start an empty body inside the type numbered ``type_index``."""
        self.collector = collector
        self.source = collector.source
        self.base = base
        self.outer = outer
        self.type_index = type_index
        self.code: list[ir.Instr] = []
        self.locals: list[ir.Local] = []
        self.scope: dict[str, int] = {}
        self.declared: list[tuple[str, int | None]] = []
        self.calls: set[str] = set()
        self.names: set[str] = set()
        self.compared: dict[int, int] = {}
        self.lookups = False
        self.classes = 0
        self.depth: int = outer.depth + _BODY_DEPTH if outer is not None else 0
        self.member = NONE

    # -- results -----------------------------------------------------------------------------

    def body(self) -> ir.Body:
        """Return the finished body."""
        return ir.Body(tuple(self.locals), tuple(self.code))

    def hints(self) -> list[str]:
        """Return the shapes this body shows (see ``model.FileFacts.hints``)."""
        found = []
        if self.lookups:
            found.append("lookup")
        if any(
            isinstance(instr, ir.Const) and instr.value.startswith("${") for instr in self.code
        ):
            found.append("variable")
        if any(count > 1 for count in self.compared.values()) or (
            self.compared and not self.calls.isdisjoint(_KEY_LOOPS)
        ):
            found.append("dispatch")
        return found

    # -- helpers -----------------------------------------------------------------------------

    def text(self, node: Node) -> str:
        """Return the source text of ``node``."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def type_of(self, node: Node | None) -> str:
        """Return the type text of a type node; empty for ``var`` and for nothing."""
        if node is None:
            return ""
        text = type_text(self.text(node))
        self.qualified(text)
        return "" if text == "var" else text

    def qualified(self, type_: str) -> None:
        """Note a type that is named in full, which no import tells."""
        if "." in type_ and type_[0].islower():
            self.names.add(type_.partition("<")[0].rstrip("[]"))

    def emit(self, instr: ir.Instr) -> int:
        """Append an instruction and return its index."""
        self.code.append(instr)
        return len(self.code) - 1

    def declare(self, name: str, type_: str, at: int, parameter: bool = False) -> int:
        """Add a local variable to the scope and return its slot."""
        self.qualified(type_)
        self.locals.append(ir.Local(name, type_, at - self.base, parameter))
        slot = len(self.locals) - 1
        self.declared.append((name, self.scope.get(name)))
        self.scope[name] = slot
        return slot

    def leave(self, outside: int) -> None:
        """Take out of the scope what was declared since ``declared`` was ``outside`` long.

        Leaving costs what was declared inside, however much is in sight around it.
        """
        while len(self.declared) > outside:
            name, hidden = self.declared.pop()
            if hidden is None:
                del self.scope[name]
            else:
                self.scope[name] = hidden

    def lookup(self, name: str) -> tuple[int, int] | None:
        """Return (slot, levels up) of a local in sight."""
        lowerer: BodyLowerer | None = self
        up = 0
        while lowerer is not None:
            slot = lowerer.scope.get(name)
            if slot is not None:
                return slot, up
            lowerer = lowerer.outer
            up += 1
        return None

    # -- expressions -------------------------------------------------------------------------

    def expr(self, node: Node) -> int:
        """Lower an expression and return the index of its value."""
        if self.depth > DEPTH:
            return self._too_deep(node)
        self.depth += 1
        try:
            return _EXPRESSIONS[node.kind_id](self, node)
        finally:
            self.depth -= 1

    def _too_deep(self, node: Node) -> int:
        self.collector.problem(node.start_byte, "nested too deeply; not analysed")
        return self.emit(ir.Unknown(node.start_byte - self.base, node.end_byte - self.base, ()))

    def optional(self, node: Node | None) -> int:
        """Lower an expression that may be absent."""
        return NONE if node is None else self.expr(node)

    def arguments(self, node: Node | None) -> tuple[int, ...]:
        """Lower an argument list."""
        if node is None:
            return ()
        return tuple(
            [
                self.expr(child)
                for child in node.named_children
                if child.kind_id not in kinds.COMMENTS
            ]
        )

    def unknown(self, node: Node) -> int:
        """Lower the parts of something that is not understood."""
        parts = []
        for child in node.named_children:
            handler = _EXPRESSIONS[child.kind_id]
            if handler is not BodyLowerer.unknown or child.named_child_count:
                if child.kind_id in _STATEMENT_KINDS:
                    self.statement(child)
                elif child.kind_id not in kinds.COMMENTS and child.kind_id not in kinds.TYPES:
                    parts.append(self.expr(child))
        return self.emit(
            ir.Unknown(node.start_byte - self.base, node.end_byte - self.base, tuple(parts))
        )

    def name(self, node: Node) -> int:
        """Lower a simple name."""
        name = self.text(node)
        at, end = node.start_byte - self.base, node.end_byte - self.base
        slot = self.scope.get(name)
        if slot is not None:
            return self.emit(ir.Load(at, end, slot, 0))
        found = self.lookup(name) if self.outer is not None else None
        if found is not None:
            return self.emit(ir.Load(at, end, *found))
        self.names.add(name)
        return self.emit(ir.Name(at, end, name))

    def this(self, node: Node) -> int:
        """Lower ``this`` and ``super``."""
        text = self.text(node)
        at, end = node.start_byte - self.base, node.end_byte - self.base
        return self.emit(ir.This(at, end, "super" if text == "super" else ""))

    def _static(self, link: Node, value: int) -> None:
        """Note the type of which a static method is called, if it is named in full."""
        owner = link.child_by_field_id(kinds.OBJECT)
        held = self.code[value] if value >= 0 else None
        if isinstance(held, ir.Field) and owner is not None and held.name[:1].isupper():
            self.qualified(type_text(self.text(owner)))

    def chain(self, node: Node) -> int:
        """Lower a chain of calls and field accesses, from its first receiver on, without recursion."""
        spine = []
        current: Node | None = node
        while current is not None and current.kind_id in _CHAIN:
            spine.append(current)
            current = current.child_by_field_id(kinds.OBJECT)
        value = NONE if current is None else self.expr(current)
        base = self.base
        for link in reversed(spine):
            at, end = link.start_byte - base, link.end_byte - base
            if link.kind_id in kinds.FIELD_ACCESS:
                field = link.child_by_field_id(kinds.FIELD)
                if field is None:
                    continue
                if field.kind_id in kinds.THIS:
                    qualifier = self.text(link).rsplit(".", 1)[0]
                    value = self.emit(ir.This(at, end, qualifier))
                    continue
                name = self.text(field)
                self.names.add(name)
                value = self.emit(ir.Field(at, end, value, name))
                continue
            self._static(link, value)
            name_node = link.child_by_field_id(kinds.NAME)
            if value >= 0 and any(child.kind_id in kinds.SUPER for child in link.children[1:4]):
                value = self.emit(ir.This(at, end, "super"))
            args = self.arguments(link.child_by_field_id(kinds.ARGUMENTS))
            if name_node is None:
                value = self.emit(ir.Unknown(at, end, args))
                continue
            name = self.text(name_node)
            self.calls.add(name)
            self._notice(name, value, args)
            value = self.emit(ir.Call(at, end, value, name, args, name_node.start_byte - base))
        return value

    def _notice(self, name: str, receiver: int, args: tuple[int, ...]) -> None:
        if name in LOOKUP and args and self._may_be_text(args[0]):
            self.lookups = True
        if name in _EQUALITY and len(args) == 1 and receiver >= 0:
            pairs = ((receiver, args[0]), (args[0], receiver))
        elif len(args) == 2:
            pairs = ((args[0], args[1]), (args[1], args[0]))
            if not any(self._switch_like(arg) for arg in args):
                return
        else:
            return
        picks = name in _PICKS and len(args) == 1
        for subject, other in pairs:
            if self._constant_like(other) or (picks and self._is_parameter(other)):
                slot = self._root_slot(subject)
                if slot is not None:
                    sure = self._switch_like(other) or self._is_argument(subject)
                    weight = 2 if sure else 1
                    self.compared[slot] = self.compared.get(slot, 0) + weight

    def _switch_like(self, value: int) -> bool:
        instr = self.code[value]
        return isinstance(instr, ir.Const) and instr.kind == "s" and instr.value.startswith("-")

    def _is_argument(self, value: int) -> bool:
        """Tell whether a value may be an argument: an element of texts, or a local of that name."""
        instr = self.code[value]
        if isinstance(instr, ir.Load) and not instr.up:
            return self.locals[instr.slot].name in ("arg", "argument")
        if not isinstance(instr, ir.Index):
            return False
        array = self.code[instr.array]
        return (
            isinstance(array, ir.Load)
            and not array.up
            and self.locals[array.slot].type in ("String[]", "String...")
        )

    def _may_be_text(self, value: int) -> bool:
        instr = self.code[value]
        if isinstance(instr, ir.Const):
            return instr.kind == "s"
        if isinstance(instr, ir.Load) and not instr.up:
            return self.locals[instr.slot].type not in _NUMBERS
        return True

    def _constant_like(self, value: int) -> bool:
        instr = self.code[value]
        if isinstance(instr, ir.Const):
            return instr.kind == "s"
        if isinstance(instr, ir.Call) and not instr.args and instr.object >= 0:
            instr = self.code[instr.object]
        return isinstance(instr, (ir.Name, ir.Field)) and instr.name.isupper()

    def _is_parameter(self, value: int) -> bool:
        """Tell whether a value is a parameter, in whatever case."""
        instr = self.code[value]
        if isinstance(instr, ir.Call) and not instr.args and instr.object >= 0:
            instr = self.code[instr.object]
        return isinstance(instr, ir.Load) and not instr.up and self.locals[instr.slot].parameter

    def _root_slot(self, value: int) -> int | None:
        while value >= 0:
            instr = self.code[value]
            if isinstance(instr, ir.Load):
                return instr.slot
            if isinstance(instr, (ir.Call, ir.Field)):
                value = instr.object
            elif isinstance(instr, ir.Index):
                value = instr.array
            elif isinstance(instr, ir.Cast):
                value = instr.value
            else:
                break
        return None

    def index(self, node: Node) -> int:
        """Lower ``a[i]``."""
        array = self.optional(node.child_by_field_id(kinds.ARRAY))
        index = self.optional(node.child_by_field_id(kinds.INDEX))
        return self.emit(
            ir.Index(node.start_byte - self.base, node.end_byte - self.base, array, index)
        )

    def store(self, node: Node, target: Node, make: Callable[[int], int], read: bool) -> int:
        """Lower an assignment to ``target``; ``make`` lowers the value from the old one."""
        while target.kind_id in _PARENTHESIZED and target.named_children:
            target = target.named_children[0]
        at, end = node.start_byte - self.base, node.end_byte - self.base
        kind = target.kind_id
        if kind in kinds.IDENTIFIER:
            name = self.text(target)
            found = self.lookup(name)
            value = make(self.expr(target) if read else NONE)
            if found is not None:
                self.emit(ir.Store(at, end, *found, value, False))
            else:
                self.names.add(name)
                self.emit(ir.StoreField(at, end, NONE, name, value))
            return value
        if kind in kinds.FIELD_ACCESS:
            name = self.text(target.child_by_field_id(kinds.FIELD) or target)
            owner = self.optional(target.child_by_field_id(kinds.OBJECT))
            old = self.emit(ir.Field(at, end, owner, name)) if read else NONE
            value = make(old)
            self.names.add(name)
            self.emit(ir.StoreField(at, end, owner, name, value))
            return value
        if kind in _ARRAY_ACCESS:
            array = self.optional(target.child_by_field_id(kinds.ARRAY))
            index = self.optional(target.child_by_field_id(kinds.INDEX))
            old = self.emit(ir.Index(at, end, array, index)) if read else NONE
            value = make(old)
            self.emit(ir.StoreIndex(at, end, array, index, value))
            return value
        return self.emit(ir.Unknown(at, end, (make(self.expr(target)),)))

    def assignment(self, node: Node) -> int:
        """Lower ``a = b`` and ``a op= b``."""
        left = node.child_by_field_id(kinds.LEFT)
        right = node.child_by_field_id(kinds.RIGHT)
        operator = node.child_by_field_id(kinds.OPERATOR)
        if left is None or right is None:
            return self.unknown(node)
        op = self.text(operator)[:-1] if operator is not None else ""
        at, end = node.start_byte - self.base, node.end_byte - self.base

        def make(old: int) -> int:
            value = self.expr(right)
            return self.emit(ir.Binary(at, end, op, old, value)) if op else value

        return self.store(node, left, make, read=bool(op))

    def update(self, node: Node) -> int:
        """Lower ``++`` and ``--``."""
        if not node.named_children:
            return self.unknown(node)
        op = "++" if b"++" in self.source[node.start_byte : node.end_byte] else "--"
        at, end = node.start_byte - self.base, node.end_byte - self.base
        return self.store(
            node, node.named_children[0], lambda old: self.emit(ir.Unary(at, end, op, old)), True
        )

    def binary(self, node: Node) -> int:
        """Lower a left-leaning tree of binary operators without recursion."""
        spine = []
        current: Node = node
        while current.kind_id in kinds.BINARY:
            spine.append(current)
            left = current.child_by_field_id(kinds.LEFT)
            if left is None:
                break
            current = left
        value = self.expr(current) if current.kind_id not in kinds.BINARY else NONE
        base = self.base
        for link in reversed(spine):
            right_node = link.child_by_field_id(kinds.RIGHT)
            operator = link.child_by_field_id(kinds.OPERATOR)
            op = self.text(operator) if operator is not None else "?"
            start = len(self.code)
            right = self.optional(right_node)
            at, end = link.start_byte - base, link.end_byte - base
            if op in ("&&", "||"):
                value = self.emit(ir.ShortCircuit(at, end, op, value, right, start))
            else:
                value = self.emit(ir.Binary(at, end, op, value, right))
        return value

    def unary(self, node: Node) -> int:
        """Lower a prefix operator."""
        operand = self.optional(node.child_by_field_id(kinds.OPERAND))
        operator = node.child_by_field_id(kinds.OPERATOR)
        op = self.text(operator) if operator is not None else "?"
        return self.emit(
            ir.Unary(node.start_byte - self.base, node.end_byte - self.base, op, operand)
        )

    def ternary(self, node: Node) -> int:
        """Lower ``a ? b : c``."""
        test = self.optional(node.child_by_field_id(kinds.CONDITION))
        then_start = len(self.code)
        then = self.optional(node.child_by_field_id(kinds.CONSEQUENCE))
        other_start = len(self.code)
        other = self.optional(node.child_by_field_id(kinds.ALTERNATIVE))
        return self.emit(
            ir.Choice(
                node.start_byte - self.base,
                node.end_byte - self.base,
                test,
                then,
                other,
                then_start,
                other_start,
            )
        )

    def cast(self, node: Node) -> int:
        """Lower ``(T) x``."""
        type_ = self.type_of(node.child_by_field_id(kinds.TYPE))
        value = self.optional(node.child_by_field_id(kinds.VALUE))
        return self.emit(
            ir.Cast(node.start_byte - self.base, node.end_byte - self.base, type_, value)
        )

    def instance_of(self, node: Node) -> int:
        """Lower ``x instanceof T`` with its patterns."""
        value = self.optional(node.child_by_field_id(kinds.LEFT))
        right = node.child_by_field_id(kinds.RIGHT)
        pattern = node.child_by_field_id(kinds.PATTERN)
        slots: list[int] = []
        type_ = self.type_of(right)
        bound = node.child_by_field_id(kinds.NAME)
        if bound is not None:
            slots.append(self.declare(self.text(bound), type_, bound.start_byte))
        elif pattern is not None:
            type_ = self.pattern(pattern, slots)
        return self.emit(
            ir.InstanceOf(
                node.start_byte - self.base, node.end_byte - self.base, value, type_, tuple(slots)
            )
        )

    def pattern(self, node: Node, slots: list[int]) -> str:
        """Declare what a pattern binds; return its type text."""
        if self.depth > DEPTH:
            self._too_deep(node)
            return ""
        self.depth += 1
        try:
            return self._bindings(node, slots)
        finally:
            self.depth -= 1

    def _bindings(self, node: Node, slots: list[int]) -> str:
        type_ = ""
        for child in node.named_children:
            kind = child.kind_id
            if kind in kinds.RECORD_BODY:
                for part in child.named_children:
                    self.pattern(part, slots)
            elif kind in kinds.PATTERN_KIND:
                inner = self.pattern(child, slots)
                type_ = type_ or inner
            elif kind in kinds.TYPES and not type_:
                type_ = type_text(self.text(child))
            elif kind in kinds.IDENTIFIER:
                if type_ and node.kind_id not in kinds.RECORD_PATTERN:
                    declared = "" if type_ == "var" else type_
                    slots.append(self.declare(self.text(child), declared, child.start_byte))
                elif not type_:
                    type_ = self.text(child)
        return type_

    def parenthesized(self, node: Node) -> int:
        """Lower ``(x)``."""
        for child in node.named_children:
            if child.kind_id not in kinds.COMMENTS:
                return self.expr(child)
        return self.unknown(node)

    def annotation_value(self, node: Node) -> int:
        """Lower an annotation inside another: its values are parts of something not modelled."""
        return self.unknown(node)

    # -- statements (``statements`` adds them to the table) -------------------------------------

    def statement(self, node: Node) -> None:
        """Lower a statement; an expression is one too."""
        if self.depth > DEPTH:
            self._too_deep(node)
            return
        self.depth += 1
        try:
            STATEMENTS[node.kind_id](self, node)
        finally:
            self.depth -= 1

    def block(self, node: Node) -> None:
        """Lower the statements of a block; names declared in it end with it."""
        if self.depth > DEPTH:
            self._too_deep(node)
            return
        outside = len(self.declared)
        self.depth += 1
        for child in node.named_children:
            STATEMENTS[child.kind_id](self, child)
        self.depth -= 1
        self.leave(outside)


_CHAIN = kinds.INVOCATION | kinds.FIELD_ACCESS
_ARRAY_ACCESS = kinds.kinds("array_access")
_PARENTHESIZED = kinds.kinds("parenthesized_expression")

_HANDLERS: dict[str, Callable[[BodyLowerer, Node], int]] = {
    "identifier": BodyLowerer.name,
    "this": BodyLowerer.this,
    "super": BodyLowerer.this,
    "field_access": BodyLowerer.chain,
    "method_invocation": BodyLowerer.chain,
    "array_access": BodyLowerer.index,
    "assignment_expression": BodyLowerer.assignment,
    "update_expression": BodyLowerer.update,
    "binary_expression": BodyLowerer.binary,
    "unary_expression": BodyLowerer.unary,
    "ternary_expression": BodyLowerer.ternary,
    "cast_expression": BodyLowerer.cast,
    "instanceof_expression": BodyLowerer.instance_of,
    "parenthesized_expression": BodyLowerer.parenthesized,
    "annotation": BodyLowerer.annotation_value,
    "marker_annotation": BodyLowerer.annotation_value,
}
EXPRESSION_KINDS: set[int] = set(kinds.kinds(*_HANDLERS))
_EXPRESSIONS = kinds.table(_HANDLERS, BodyLowerer.unknown)
STATEMENTS: list[Callable[[BodyLowerer, Node], None]] = []
_STATEMENT_KINDS: set[int] = set()


def register(
    expressions: dict[str, Callable[[BodyLowerer, Node], int]],
    statements: dict[str, Callable[[BodyLowerer, Node], None]],
    default: Callable[[BodyLowerer, Node], None],
) -> None:
    """Complete the tables; ``statements`` calls it once when it is imported."""
    for name, handler in expressions.items():
        for index in kinds.kinds(name):
            _EXPRESSIONS[index] = handler
            EXPRESSION_KINDS.add(index)
    STATEMENTS[:] = kinds.table(statements, default)
    _STATEMENT_KINDS.update(kinds.kinds(*statements))
