"""Flows as a tree: an option is the root and each level one step of its paths, down to operations.

Terms: a *node* is an option, a step or an operation; its *trail* says how it was come to, in a form
that outlives a rebuild: the steps from the root on.  A *backward* trail starts at an operation and
goes up its paths to the options.
Paths that begin alike share nodes.  Levels hold at most ``MAX_NODES``, surest and nearest first; a
trail whose steps are gone has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.flow.results import Flow, Operation, OptionKey, Path, Step, StepRole
from conflens.ide.targets.cursor import target_at
from conflens.options.model import Option
from conflens.render.flow_view import FlowView, StepView, operations_at
from conflens.render.flows import option_of, reach_of
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis

MAX_NODES = 50
_MAX_ROOTS = 5
_MAX_TEXT = 60


class NodeKind(StrEnum):
    """What a node stands for."""

    OPTION = "option"
    STEP = "step"
    OPERATION = "operation"


@attrs.frozen
class Trail:
    """See the module text.

    Forward: ``option``, ``read`` if only that one counts, ``steps`` from the read on.  Backward:
    ``operation`` and ``steps`` from it up, last step first.
    """

    steps: tuple[Step, ...] = ()
    option: OptionKey | None = None
    read: Place | None = None
    operation: Operation | None = None


@attrs.frozen
class Node:
    """One item; ``place`` is what it points at."""

    name: str
    detail: str
    kind: NodeKind
    place: Place
    trail: Trail


def roots(analysis: Analysis, path: str, offset: int, wording: Wording) -> tuple[Node, ...]:
    """Return the options or operations at a cursor that have flows; mostly there are none."""
    target = target_at(analysis, path, offset)
    if target is None:
        touched = operations_at(analysis, path, offset)
        if touched is None:
            return ()
        place, operations = touched
        return tuple(_operation(place, operation) for operation in operations)
    read = target.read
    nodes = []
    for option in target.options:
        reach = reach_of(analysis, option, read)
        if reach.flows:
            first = tuple(reach.flows[0].paths[0].steps[:1]) if read is not None else ()
            trail = Trail(first, option.key, read.place if read is not None else None)
            nodes.append(_option(option, target.place, trail, wording))
    return tuple(nodes[:_MAX_ROOTS])


def children(analysis: Analysis, trail: Trail) -> tuple[Node, ...]:
    """Return the steps that follow a forward trail."""
    if trail.option is None:
        return ()
    table, depth = analysis.flows, len(trail.steps)
    reach = (
        table.of_option(trail.option)
        if trail.read is None
        else table.of_read(trail.option, trail.read)
    )
    # At a read the first step is the read itself, whichever instruction a path names it by.
    skip = 1 if trail.read is not None else 0
    followed: dict[Step, Flow | None] = {}
    for flow, path in _paths(reach.flows):
        steps = tuple(path.steps)
        if len(steps) > depth and steps[skip:depth] == trail.steps[skip:]:
            followed.setdefault(steps[depth], flow if len(steps) == depth + 1 else None)
            if len(followed) == MAX_NODES:
                break
    nodes = (
        _step(analysis, step, last, attrs.evolve(trail, steps=(*trail.steps, step)))
        for step, last in followed.items()
    )
    return tuple(node for node in nodes if node is not None)


def parents(analysis: Analysis, trail: Trail, wording: Wording) -> tuple[Node, ...]:
    """Return the steps before a backward trail, and options where a step is a read."""
    operation = trail.operation
    if operation is None:
        return ()
    depth = len(trail.steps)
    back: dict[tuple[Step, OptionKey | None], None] = {}
    for key, flow in analysis.flows.operations_in(operation.ref.path).get(operation, ()):
        for path in flow.paths:
            steps = tuple(path.steps)[::-1]
            if len(steps) > depth + 1 and steps[1 : depth + 1] == trail.steps:
                step = steps[depth + 1]
                back.setdefault((step, key if len(steps) == depth + 2 else None))
    nodes = []
    for step, owner in back:
        on = attrs.evolve(trail, steps=(*trail.steps, step))
        place = StepView(analysis, step.ref, step.instr).place
        option = option_of(analysis, owner) if owner is not None else None
        if option is not None and place is not None:
            nodes.append(_option(option, place, on, wording))
        elif (node := _step(analysis, step, None, on)) is not None:
            nodes.append(node)
        if len(nodes) == MAX_NODES:
            break
    return tuple(nodes)


def _paths(flows: Iterable[Flow]) -> Iterator[tuple[Flow, Path]]:
    for flow in flows:
        for path in flow.paths:
            yield flow, path


def _option(option: Option, place: Place, trail: Trail, wording: Wording) -> Node:
    return Node(option.name, wording.domain(option.domain), NodeKind.OPTION, place, trail)


def _operation(place: Place, operation: Operation) -> Node:
    detail = f"{operation.kind} operation"
    trail = Trail(operation=operation)
    return Node(operation.api, detail, NodeKind.OPERATION, place, trail)


def _step(analysis: Analysis, step: Step, last: Flow | None, trail: Trail) -> Node | None:
    view = StepView(analysis, step.ref, step.instr, (step.role,))
    if view.place is None:
        return None
    if last is not None and step.role is StepRole.OPERATION:
        flow = FlowView(analysis, last)
        detail = " · ".join(
            text for text in (f"{flow.kind}, {flow.manner}", flow.doubt, view.method) if text
        )
        return Node(flow.api, detail, NodeKind.OPERATION, view.place, trail)
    text = view.text(_MAX_TEXT) or view.method
    return Node(text, f"{step.role} · {view.method}", NodeKind.STEP, view.place, trail)
