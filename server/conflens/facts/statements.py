"""Lowering of statements; importing this module completes the tables of ``bodies``.

A control instruction stands before the code it governs, so its ranges are known only afterwards: it
is reserved first and put in place when its code is complete.
"""

from __future__ import annotations

from conflens.facts import ir, kinds
from conflens.facts.bodies import BodyLowerer, Collector, register
from conflens.facts.creations import HANDLERS
from conflens.facts.ir import NONE
from conflens.facts.text import type_text
from conflens.syntax.java import Node


def lowerer(
    collector: Collector, base: int, outer: BodyLowerer | None, type_index: int
) -> BodyLowerer:
    """Return an empty body that can lower expressions and statements."""
    return BodyLowerer(collector, base, outer, type_index)


def _span(lowerer: BodyLowerer, node: Node) -> tuple[int, int]:
    return node.start_byte - lowerer.base, node.end_byte - lowerer.base


def _reserve(lowerer: BodyLowerer, node: Node) -> int:
    return lowerer.emit(ir.Unknown(*_span(lowerer, node), ()))


def _arm(lowerer: BodyLowerer, node: Node | None) -> None:
    """Lower the statement that is an arm or body of another one."""
    if node is None:
        return
    if node.kind_id in kinds.BLOCK:
        lowerer.block(node)
    else:
        lowerer.statement(node)


def expression(lowerer: BodyLowerer, node: Node) -> None:
    """Lower an expression statement, or anything else that is an expression."""
    lowerer.expr(node)


def expression_statement(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``x;``."""
    for child in node.named_children:
        if child.kind_id not in kinds.COMMENTS:
            lowerer.expr(child)


def nothing(lowerer: BodyLowerer, node: Node) -> None:
    """Skip a comment or an empty statement."""


def declaration(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``T a = x, b[];``."""
    type_ = lowerer.type_of(node.child_by_field_id(kinds.TYPE))
    for child in node.children_by_field_id(kinds.DECLARATOR):
        declarator(lowerer, child, type_)


def declarator(lowerer: BodyLowerer, node: Node, type_: str) -> None:
    """Lower one variable of a declaration."""
    name = node.child_by_field_id(kinds.NAME)
    value_node = node.child_by_field_id(kinds.VALUE)
    dimensions = node.child_by_field_id(kinds.DIMENSIONS)
    if dimensions is not None:
        type_ += "[]" * lowerer.text(dimensions).count("[")
    if name is None:
        return
    value = lowerer.optional(value_node)
    slot = lowerer.declare(lowerer.text(name), type_, name.start_byte)
    if value != NONE:
        lowerer.emit(ir.Store(*_span(lowerer, node), slot, 0, value, True))


def inner_block(lowerer: BodyLowerer, node: Node) -> None:
    """Lower a block that stands by itself."""
    here = _reserve(lowerer, node)
    lowerer.block(node)
    lowerer.code[here] = ir.Block(*_span(lowerer, node), "", len(lowerer.code))


def labeled(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``label: statement``."""
    named = [child for child in node.named_children if child.kind_id not in kinds.COMMENTS]
    here = _reserve(lowerer, node)
    for child in named[1:]:
        _arm(lowerer, child)
    label = lowerer.text(named[0]) if named else ""
    lowerer.code[here] = ir.Block(*_span(lowerer, node), label, len(lowerer.code))


def if_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``if``; a chain of ``else if`` is walked by a loop."""
    pending: list[tuple[int, Node, int, int, int]] = []
    current: Node | None = node
    while current is not None and current.kind_id == node.kind_id:
        test = lowerer.optional(current.child_by_field_id(kinds.CONDITION))
        here = _reserve(lowerer, current)
        start = len(lowerer.code)
        _arm(lowerer, current.child_by_field_id(kinds.CONSEQUENCE))
        pending.append((here, current, test, start, len(lowerer.code)))
        current = current.child_by_field_id(kinds.ALTERNATIVE)
    _arm(lowerer, current)
    stop = len(lowerer.code)
    for here, owner, test, start, other in pending:
        lowerer.code[here] = ir.If(*_span(lowerer, owner), test, start, other, stop)


def while_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``while``."""
    here = _reserve(lowerer, node)
    start = len(lowerer.code)
    test = lowerer.optional(node.child_by_field_id(kinds.CONDITION))
    body = len(lowerer.code)
    _arm(lowerer, node.child_by_field_id(kinds.BODY))
    stop = len(lowerer.code)
    lowerer.code[here] = ir.Loop(*_span(lowerer, node), "while", test, start, body, stop, stop)


def do_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``do … while``."""
    here = _reserve(lowerer, node)
    body = len(lowerer.code)
    _arm(lowerer, node.child_by_field_id(kinds.BODY))
    start = len(lowerer.code)
    test = lowerer.optional(node.child_by_field_id(kinds.CONDITION))
    stop = len(lowerer.code)
    lowerer.code[here] = ir.Loop(*_span(lowerer, node), "do", test, start, body, stop, stop)


def for_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``for (init; test; update)``; the initialisation stands before the loop."""
    outside = len(lowerer.declared)
    for child in node.children_by_field_id(kinds.INIT):
        lowerer.statement(child)
    here = _reserve(lowerer, node)
    start = len(lowerer.code)
    test = lowerer.optional(node.child_by_field_id(kinds.CONDITION))
    body = len(lowerer.code)
    _arm(lowerer, node.child_by_field_id(kinds.BODY))
    update = len(lowerer.code)
    for child in node.children_by_field_id(kinds.UPDATE):
        lowerer.expr(child)
    stop = len(lowerer.code)
    lowerer.code[here] = ir.Loop(*_span(lowerer, node), "for", test, start, body, update, stop)
    lowerer.leave(outside)


def for_each(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``for (T x : xs)``."""
    outside = len(lowerer.declared)
    iterable = lowerer.optional(node.child_by_field_id(kinds.VALUE))
    name = node.child_by_field_id(kinds.NAME)
    type_ = lowerer.type_of(node.child_by_field_id(kinds.TYPE))
    slot = (
        lowerer.declare(lowerer.text(name), type_, name.start_byte) if name is not None else NONE
    )
    here = _reserve(lowerer, node)
    start = len(lowerer.code)
    _arm(lowerer, node.child_by_field_id(kinds.BODY))
    lowerer.code[here] = ir.ForEach(
        *_span(lowerer, node), slot, iterable, start, len(lowerer.code)
    )
    lowerer.leave(outside)


def try_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``try``, with or without resources."""
    outside = len(lowerer.declared)
    here = _reserve(lowerer, node)
    start = len(lowerer.code)
    resources = node.child_by_field_id(kinds.RESOURCES)
    if resources is not None:
        for child in resources.named_children:
            if child.kind_id in kinds.RESOURCE:
                _resource(lowerer, child)
    _arm(lowerer, node.child_by_field_id(kinds.BODY))
    lowerer.leave(outside)
    body_stop = len(lowerer.code)
    catches = []
    for child in node.named_children:
        if child.kind_id in kinds.CATCH:
            catches.append(_catch(lowerer, child))
    finally_start = len(lowerer.code)
    for child in node.named_children:
        if child.kind_id in kinds.FINALLY:
            for block in child.named_children:
                _arm(lowerer, block)
    lowerer.code[here] = ir.Try(
        *_span(lowerer, node), start, body_stop, tuple(catches), finally_start, len(lowerer.code)
    )


def _resource(lowerer: BodyLowerer, node: Node) -> None:
    name = node.child_by_field_id(kinds.NAME)
    if name is None:
        for child in node.named_children:
            lowerer.expr(child)
        return
    value = lowerer.optional(node.child_by_field_id(kinds.VALUE))
    type_ = lowerer.type_of(node.child_by_field_id(kinds.TYPE))
    slot = lowerer.declare(lowerer.text(name), type_, name.start_byte)
    lowerer.emit(ir.Store(*_span(lowerer, node), slot, 0, value, True))


_CATCH_PARAMETER = kinds.kinds("catch_formal_parameter")
_CATCH_TYPE = kinds.kinds("catch_type")


def _catch(lowerer: BodyLowerer, node: Node) -> ir.Catch:
    outside = len(lowerer.declared)
    types: tuple[str, ...] = ()
    slot = NONE
    for child in node.named_children:
        if child.kind_id in _CATCH_PARAMETER:
            for part in child.named_children:
                if part.kind_id in _CATCH_TYPE:
                    types = tuple(
                        type_text(lowerer.text(t))
                        for t in part.named_children
                        if t.kind_id in kinds.TYPES
                    )
            name = child.child_by_field_id(kinds.NAME)
            if name is not None:
                first = types[0] if types else ""
                slot = lowerer.declare(lowerer.text(name), first, name.start_byte)
    start = len(lowerer.code)
    _arm(lowerer, node.child_by_field_id(kinds.BODY))
    lowerer.leave(outside)
    return ir.Catch(slot, types, start, len(lowerer.code))


def switch(lowerer: BodyLowerer, node: Node) -> int:
    """Lower ``switch``, as a statement and as an expression."""
    condition = node.child_by_field_id(kinds.CONDITION)
    subject = lowerer.optional(condition)
    body = node.child_by_field_id(kinds.BODY)
    outside = len(lowerer.declared)
    groups = body.named_children if body is not None else []
    labels: dict[int, tuple[tuple[int, ...], tuple[str, ...], bool, Node | None]] = {}
    for number, group in enumerate(groups):
        if group.kind_id in kinds.SWITCH_RULE or group.kind_id in kinds.SWITCH_GROUP:
            labels[number] = _labels(lowerer, group)
    root = lowerer._root_slot(subject) if subject != NONE else None
    texts = sum(
        1 for found in labels.values() for value in found[0] if lowerer._constant_like(value)
    )
    if root is not None and texts:
        lowerer.compared[root] = lowerer.compared.get(root, 0) + texts
    here = _reserve(lowerer, node)
    cases = []
    for number, (values, types, default, guard_node) in labels.items():
        start = len(lowerer.code)
        guard = lowerer.optional(guard_node)
        arrow = groups[number].kind_id in kinds.SWITCH_RULE
        for child in groups[number].named_children:
            if child.kind_id in kinds.SWITCH_LABEL or child.kind_id in kinds.COMMENTS:
                continue
            if arrow and child.kind_id in _EXPRESSION_STATEMENT and child.named_children:
                value = lowerer.expr(child.named_children[0])
                lowerer.emit(ir.Return(*_span(lowerer, child), value, "yield"))
            elif arrow:
                _arm(lowerer, child)
            else:
                lowerer.statement(child)
        cases.append(ir.Case(values, types, default, guard, start, len(lowerer.code), arrow))
    lowerer.leave(outside)
    span = _span(lowerer, node)
    parent = node.parent
    is_expression = parent is None or parent.kind_id not in _EXPRESSION_STATEMENT
    lowerer.code[here] = ir.Switch(*span, subject, tuple(cases), is_expression, len(lowerer.code))
    return lowerer.emit(ir.Join(*span, here))


_EXPRESSION_STATEMENT = kinds.kinds("expression_statement")


def _labels(
    lowerer: BodyLowerer, group: Node
) -> tuple[tuple[int, ...], tuple[str, ...], bool, Node | None]:
    values: list[int] = []
    types: list[str] = []
    default = False
    guard: Node | None = None
    for label in group.named_children:
        if label.kind_id not in kinds.SWITCH_LABEL:
            continue
        default = default or any(child.type == "default" for child in label.children)
        for child in label.named_children:
            if child.kind_id in kinds.PATTERN_KIND:
                types.append(lowerer.pattern(child, []))
            elif child.kind_id in kinds.GUARD:
                guard = child.named_children[0] if child.named_children else None
            elif child.kind_id not in kinds.COMMENTS:
                values.append(lowerer.expr(child))
    return tuple(values), tuple(types), default, guard


def switch_statement(lowerer: BodyLowerer, node: Node) -> None:
    """Lower a ``switch`` whose value nobody takes."""
    switch(lowerer, node)


def _first(node: Node) -> Node | None:
    for child in node.named_children:
        if child.kind_id not in kinds.COMMENTS:
            return child
    return None


def return_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``return x``."""
    value = lowerer.optional(_first(node))
    lowerer.emit(ir.Return(*_span(lowerer, node), value, "return"))


def yield_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``yield x``."""
    value = lowerer.optional(_first(node))
    lowerer.emit(ir.Return(*_span(lowerer, node), value, "yield"))


def throw(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``throw x``."""
    value = lowerer.optional(_first(node))
    lowerer.emit(ir.Throw(*_span(lowerer, node), value))


def jump(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``break`` and ``continue``."""
    label = _first(node)
    kind = "break" if node.type == "break_statement" else "continue"
    lowerer.emit(
        ir.Jump(*_span(lowerer, node), kind, lowerer.text(label) if label is not None else "")
    )


def synchronized(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``synchronized (x) { … }``."""
    lock = NONE
    for child in node.named_children:
        if child.kind_id not in kinds.BLOCK and child.kind_id not in kinds.COMMENTS:
            lock = lowerer.expr(child)
            break
    here = _reserve(lowerer, node)
    start = len(lowerer.code)
    _arm(lowerer, node.child_by_field_id(kinds.BODY))
    lowerer.code[here] = ir.Sync(*_span(lowerer, node), lock, start, len(lowerer.code))


def assert_(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``assert a : b``."""
    values = [
        lowerer.expr(child) for child in node.named_children if child.kind_id not in kinds.COMMENTS
    ]
    test = values[0] if values else NONE
    detail = values[1] if len(values) > 1 else NONE
    lowerer.emit(ir.Assert(*_span(lowerer, node), test, detail))


def explicit_call(lowerer: BodyLowerer, node: Node) -> None:
    """Lower ``this(…)`` and ``super(…)``."""
    target = node.child_by_field_id(kinds.CONSTRUCTOR)
    args = lowerer.arguments(node.child_by_field_id(kinds.ARGUMENTS))
    at, end = _span(lowerer, node)
    is_super = target is not None and target.kind_id in kinds.SUPER
    this = lowerer.emit(ir.This(at, end, "super" if is_super else ""))
    lowerer.calls.add("<init>")
    name_at = (target or node).start_byte - lowerer.base
    lowerer.emit(ir.Call(at, end, this, "<init>", args, name_at))


def local_class(lowerer: BodyLowerer, node: Node) -> None:
    """Hand a local class to the file."""
    ordinal = lowerer.classes
    lowerer.classes += 1
    lowerer.emit(ir.LocalClass(*_span(lowerer, node), ordinal))
    lowerer.collector.nested(node, lowerer, ordinal)


def broken(lowerer: BodyLowerer, node: Node) -> None:
    """Lower what can be understood inside a syntax error."""
    for child in node.named_children:
        if child.kind_id not in kinds.TYPES:
            lowerer.statement(child)


register(
    {"switch_expression": switch, **HANDLERS},
    {
        "expression_statement": expression_statement,
        "local_variable_declaration": declaration,
        "field_declaration": declaration,
        "if_statement": if_,
        "while_statement": while_,
        "do_statement": do_,
        "for_statement": for_,
        "enhanced_for_statement": for_each,
        "try_statement": try_,
        "try_with_resources_statement": try_,
        "return_statement": return_,
        "yield_statement": yield_,
        "throw_statement": throw,
        "break_statement": jump,
        "continue_statement": jump,
        "synchronized_statement": synchronized,
        "labeled_statement": labeled,
        "assert_statement": assert_,
        "explicit_constructor_invocation": explicit_call,
        "switch_expression": switch_statement,
        "block": inner_block,
        "line_comment": nothing,
        "block_comment": nothing,
        "class_declaration": local_class,
        "interface_declaration": local_class,
        "enum_declaration": local_class,
        "record_declaration": local_class,
    },
    expression,
)
