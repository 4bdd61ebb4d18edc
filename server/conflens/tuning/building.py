"""The search space of a project: its options, best verdict first, what they must keep to together, and which need others.

A bound that is another option becomes a comparison where both are parameters in the same unit.  Otherwise the option whose bound it is is left out.
For tuners that know no comparisons ``independent`` divides the ranges at the default of the right side, so that no sample breaks one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from conflens.flow.results import OptionKey
from conflens.options.adjustments import bounding
from conflens.options.model import Effect, Option
from conflens.properties.model import Relation, RelationKind
from conflens.render.option_view import OptionView
from conflens.session.analysis import Analysis
from conflens.tuning.ranges import parameter
from conflens.tuning.space import Comparison, Condition, LeftOut, Parameter, Range, Space
from conflens.tuning.switched import IN_RANGE, SWITCH, switch_name

_OPS = {("lower", False): ">=", ("lower", True): ">", ("upper", False): "<=", ("upper", True): "<"}


def space_of(
    analysis: Analysis,
    views: Sequence[OptionView],
    heap: float | None = None,
    top: int | None = None,
) -> Space:
    """Return the space of options in the order given; ``heap``: the most bytes of a size; ``top``: how many parameters at most."""
    table = analysis.options
    names = Counter(view.name for view in views)
    parameters: dict[OptionKey, Parameter] = {}
    left_out: list[LeftOut] = []
    for view in views:
        name = view.name if names[view.name] == 1 else f"{view.domain}:{view.name}"
        if top is not None and len(parameters) >= top:
            break
        found = parameter(table, view, name, heap)
        if isinstance(found, LeftOut):
            left_out.append(found)
        else:
            parameters[view.key] = found
    comparisons: list[Comparison] = []
    for view in views:
        if view.key not in parameters:
            continue
        made = list(_comparisons(analysis, view.option, parameters))
        if None in made:
            left_out.append(
                LeftOut(view.key, "its limit is an option that is no parameter in the same unit")
            )
            del parameters[view.key]
        else:
            comparisons += (
                one for one in made if one is not None and one.turned not in comparisons
            )
    space = _kept(tuple(parameters.values()), comparisons, left_out)
    return _parents_first(attrs.evolve(space, conditions=tuple(_conditions(analysis, space))))


def _comparisons(
    analysis: Analysis, option: Option, parameters: dict[OptionKey, Parameter]
) -> Iterator[Comparison | None]:
    """Yield what an option must keep to; ``None`` where that cannot be said."""
    own = parameters[option.key]
    for one in option.adjusted:
        if one.effect is not Effect.THROWS or not one.name:
            continue
        op = _OPS.get((one.bound, one.strict))
        other = bounding(analysis.options, option, one) if one.holder else None
        if other is None or op is None:
            continue  # only a run knows the bound
        bound = parameters.get(other.key)
        fits = bound is not None and bound.range is not None and own.range is not None
        if bound is None or not fits or (bound.unit, bound.suffix) != (own.unit, own.suffix):
            yield None
        else:
            yield Comparison(own.name, op, bound.name)


def _kept(
    parameters: tuple[Parameter, ...], comparisons: Sequence[Comparison], left_out: list[LeftOut]
) -> Space:
    """Keep the comparisons between parameters that are left and whose starting values keep to them."""
    by_name = {one.name: one for one in parameters}
    kept: list[Comparison] = []
    for one in dict.fromkeys(comparisons):
        left, right = by_name.get(one.left), by_name.get(one.right)
        if left is None:
            continue
        if right is None or not one.holds(left.start_in_range, right.start_in_range):
            del by_name[one.left]
            reason = "its default does not keep to the limit that another option is"
            left_out.append(LeftOut(left.key, reason))
            kept = [other for other in kept if one.left not in (other.left, other.right)]
        else:
            kept.append(one)
    return Space(tuple(by_name.values()), tuple(kept), (), tuple(left_out))


def _conditions(analysis: Analysis, space: Space) -> Iterator[Condition]:
    """Yield for each parameter the first other one that it needs; none of a circle."""
    by_key = {one.key: one for one in space.parameters}
    needed: dict[str, str] = {}
    options = {option.key: option for option in analysis.options.options if option.key in by_key}
    for one in space.parameters:
        option = options[one.key]
        for relation in analysis.properties.relations_of(option):
            parent = by_key.get(relation.other)
            if relation.kind is not RelationKind.NEEDS or parent is None:
                continue
            found = _condition(one, parent, relation)
            if found is not None and not _leads_to(needed, parent.name, one.name):
                needed[one.name] = parent.name
                yield found
                break


def _condition(child: Parameter, parent: Parameter, relation: Relation) -> Condition | None:
    """Return what a parent must be; ``None`` where it always is, or where that cannot be said by its choices."""
    if parent.range is not None:
        off = {item.value for item in parent.specials if item.meaning == "off"}
        if (relation.op, relation.value) != (">", "0") or 0 not in off:
            return None
        return Condition(child.name, switch_name(parent), (IN_RANGE,))
    choices = set(parent.choices)
    match relation.op:
        case "==":
            values = choices & {relation.value}
        case "!=":
            values = choices - {relation.value}
        case _:
            return None
    return (
        Condition(child.name, parent.name, tuple(sorted(values)))
        if choices > values > set()
        else None
    )


def _leads_to(needed: dict[str, str], name: str, end: str) -> bool:
    while name != end and name in needed:
        name = needed[name]
    return name == end


def _parents_first(space: Space) -> Space:
    """Order parameters so that each stands behind the one that it needs, and otherwise as before."""
    parents = {one.child: one.parent.removesuffix(SWITCH) for one in space.conditions}
    by_name = {one.name: one for one in space.parameters}
    ordered: dict[str, Parameter] = {}

    for one in space.parameters:
        line = [one.name]
        while line[-1] in parents and parents[line[-1]] not in ordered:
            line.append(parents[line[-1]])
        for name in reversed(line):
            ordered.setdefault(name, by_name[name])
    return attrs.evolve(space, parameters=tuple(ordered.values()))


def independent(space: Space) -> Space:
    """Return a space without comparisons whose samples keep to those of ``space``; a parameter that has no range left is left out."""
    by_name = {one.name: one for one in space.parameters}
    left_out = list(space.left_out)
    for one in space.comparisons:
        left, right = by_name.get(one.left), by_name.get(one.right)
        if left is None or right is None or left.range is None or right.range is None:
            continue
        pivot = right.start_in_range
        least = (1 if left.range.is_whole else 1e-9) if one.op in ("<", ">") else 0
        if one.op in ("<", "<="):
            cut = _cut(left, high=pivot - least), _cut(right, low=pivot)
        else:
            cut = _cut(left, low=pivot + least), _cut(right, high=pivot)
        for parameter_, shorter in zip((left, right), cut, strict=True):
            if shorter is None:
                del by_name[parameter_.name]
                reason = "another option is its limit, and no range is left beside its default"
                left_out.append(LeftOut(parameter_.key, reason))
            else:
                by_name[parameter_.name] = shorter
    return attrs.evolve(
        space,
        parameters=tuple(by_name.values()),
        comparisons=(),
        conditions=tuple(
            one
            for one in space.conditions
            if one.child in by_name and one.parent.removesuffix(SWITCH) in by_name
        ),
        left_out=tuple(left_out),
    )


def _cut(
    parameter_: Parameter, low: float | None = None, high: float | None = None
) -> Parameter | None:
    range_ = parameter_.range
    assert range_ is not None
    shorter = Range(
        range_.low if low is None else max(low, range_.low),
        range_.high if high is None else min(high, range_.high),
        range_.is_whole,
        range_.is_log,
    )
    return attrs.evolve(parameter_, range=shorter) if shorter.low < shorter.high else None
