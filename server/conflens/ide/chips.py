"""Chips: what a read reaches, in a few characters after it, such as three I/O operations by loop and
a thread that it is an argument of.

A chip stands for one dependency and kind and counts operations; ``direct`` is not written, since a
value as an argument is what a reader expects.  Low confidence is not counted.  Loops come first,
because they multiply costs.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.flow.results import Dependency, Flow, OptionKey
from conflens.ide.flows import is_sure, kind_order, operation_places, spot_of, text_of
from conflens.ide.words import Wording, code, count
from conflens.options.model import Option, Read
from conflens.session.analysis import Analysis

MAX_CHIPS = 3
MAX_PLACES = 200
_MAX_LINES = 5
_MAX_TEXT = 60
_TIMES = "\N{MULTIPLICATION SIGN}"
_ORDER = (Dependency.LOOP, Dependency.DIRECT, Dependency.BRANCH)


@attrs.frozen
class Chip:
    """One part of a hint.  ``dependency`` is ``None`` for the last one, which stands for the
    rest."""

    text: str
    dependency: Dependency | None
    kind: str


@attrs.frozen
class Opened:
    """What a chip explains and opens: Markdown, and operations in order of place."""

    tooltip: str
    places: tuple[Place, ...]


def chips(analysis: Analysis, option: Option, read: Read) -> tuple[Chip, ...]:
    """Return the chips of a read, most telling first."""
    sure = analysis.flows.of_read(option.key, read.place).sure()
    keys = sorted(sure, key=lambda key: (_ORDER.index(key[0]), *kind_order(key[1])))
    found = []
    for dependency, kind in keys[:MAX_CHIPS]:
        name = kind if dependency is Dependency.DIRECT else f"{dependency}·{kind}"
        number = sure[dependency, kind]
        text = name if number == 1 else f"{name} {_TIMES}{number:,}"
        found.append(Chip(text, dependency, kind))
    if len(keys) > MAX_CHIPS:
        rest = sum(sure[key] for key in keys[MAX_CHIPS:])
        found.append(Chip(f"+{rest:,}", None, ""))
    return tuple(found)


def nearest(
    analysis: Analysis, option: OptionKey, read: Place, dependency: Dependency | None, kind: str
) -> Place | None:
    """Return the first operation that a chip stands for."""
    for flow in analysis.flows.of_read(option, read).flows:
        if _meant(flow, dependency, kind):
            return spot_of(analysis, flow.operation.ref, flow.operation.index)
    return None


def open_chip(
    analysis: Analysis,
    option: OptionKey,
    read: Place,
    dependency: Dependency | None,
    kind: str,
    wording: Wording,
) -> Opened | None:
    """Return what a chip opens; ``None`` when its read reaches nothing of that kind any more."""
    reach = analysis.flows.of_read(option, read)
    flows = [flow for flow in reach.flows if _meant(flow, dependency, kind)]
    places = operation_places(analysis, flows, MAX_PLACES)
    if not places:
        return None
    operations = list(dict.fromkeys(flow.operation for flow in flows))
    how = f" by {dependency}" if dependency is not None else ""
    what = count(len(operations), f"{kind} operation".strip())
    lines = [f"{code(option[1])} reaches {what}{how}:"]
    for operation in operations[:_MAX_LINES]:
        spot = spot_of(analysis, operation.ref, operation.index)
        if spot is not None:
            text = text_of(analysis, operation.ref, operation.index, _MAX_TEXT) or operation.api
            lines.append(f"- {code(text)} {wording.place(spot.path, analysis.line(spot))}")
    if len(operations) > _MAX_LINES:
        lines.append(f"- and {len(operations) - _MAX_LINES:,} more")
    return Opened("\n".join(lines), places)


def _meant(flow: Flow, dependency: Dependency | None, kind: str) -> bool:
    """Whether a chip counts a flow; the one for the rest opens everything."""
    same = (flow.dependency, flow.operation.kind) == (dependency, kind)
    return is_sure(flow) and (dependency is None or same)
