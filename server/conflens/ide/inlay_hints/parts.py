"""Chips: what is said of a read in a few characters after it: that its option is performance-sensitive,
and what it reaches, such as three I/O operations by loop and a thread that it is an argument of.

The *mark* comes first and says ``sensitive``; options that are not, or of which it is not known, have
none.  Any other chip stands for one dependency and kind and counts operations; ``direct`` is not written, since a
value as an argument is what a reader expects.  Low confidence is not counted, nor are log calls.
Loops come first, because they multiply costs.  What has no room is summed up in a last chip.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.base.words import count
from conflens.flow.instructions import operation_text, spot_of
from conflens.flow.results import Dependency, Flow, OptionKey
from conflens.operations.flows import (
    DEPENDENCIES,
    LOG,
    is_telling,
    kind_order,
    most_telling,
    sure_counts,
)
from conflens.options.model import Option, Read
from conflens.render.flow_view import operation_places
from conflens.render.flows import option_of
from conflens.render.phrases import Wording, code
from conflens.render.verdict_phrases import (
    explanation,
    is_sensitive,
    reasons,
    sides,
    verdict_of,
)
from conflens.session.analysis import Analysis

MAX_CHIPS = 3
"""Of what a read reaches; the mark is not counted."""
MARK = "sensitive"
"""The text and the kind of a mark; its dependency is ``None``."""
MAX_PLACES = 200
_MAX_LINES = 5
_MAX_TEXT = 60
BETWEEN = " · "
"""Stands between the parts of a hint."""
_TIMES = "\N{MULTIPLICATION SIGN}"


@attrs.frozen
class Chip:
    """One part of a hint.  ``dependency`` is ``None`` for a mark, and for the last one, which stands
    for the rest and has no kind."""

    text: str
    dependency: Dependency | None
    kind: str
    number: int

    @property
    def is_mark(self) -> bool:
        """Whether it tells the verdict and not what is reached."""
        return self.dependency is None and self.kind == MARK


@attrs.frozen
class Opened:
    """What a chip explains and opens: Markdown, and places, perhaps none: operations in order of
    place, or what shows the reasons of a verdict, strongest first."""

    tooltip: str
    places: tuple[Place, ...]


def chips(analysis: Analysis, option: Option, read: Read) -> tuple[Chip, ...]:
    """Return the chips of a read, most telling first; ``fitted`` cuts them to a width."""
    sure = sure_counts([analysis.flows.of_read(option.key, read.place)])
    keys = sorted(
        (key for key in sure if key[1] != LOG),
        key=lambda key: (DEPENDENCIES.index(key[0]), *kind_order(key[1])),
    )
    found = []
    for dependency, kind in keys:
        name = kind if dependency is Dependency.DIRECT else f"{dependency}·{kind}"
        number = sure[dependency, kind]
        text = name if number == 1 else f"{name} {_TIMES}{number:,}"
        found.append(Chip(text, dependency, kind, number))
    return tuple(found)


def mark(analysis: Analysis, option: Option) -> tuple[Chip, ...]:
    """Return the mark of a sensitive option, nothing for any other."""
    return (Chip(MARK, None, MARK, 0),) if is_sensitive(analysis, option) else ()


def fitted(chips: tuple[Chip, ...], width: int) -> tuple[Chip, ...]:
    """Return the first chips that fit into ``width`` characters, at most ``MAX_CHIPS``, and one for
    the rest; at least one, and a mark in any case."""
    marks = tuple(chip for chip in chips if chip.is_mark)
    flows = chips[len(marks) :]
    for kept in range(min(len(flows), MAX_CHIPS), -1, -1):
        rest = sum(chip.number for chip in flows[kept:])
        shown = marks + flows[:kept] + ((Chip(f"+{rest:,}", None, "", rest),) if rest else ())
        if len(BETWEEN.join(chip.text for chip in shown)) <= width:
            return shown
    return marks or shown


def nearest(
    analysis: Analysis, option: OptionKey, read: Place, dependency: Dependency | None, kind: str
) -> Place | None:
    """Return the first operation that a chip stands for, or what shows the first reason."""
    if dependency is None and kind == MARK:
        return next(iter(_shown_by(analysis, option)), None)
    for flow in most_telling(analysis.flows.of_read(option, read).flows):
        if _meant(flow, dependency, kind):
            return spot_of(analysis, flow.operation.ref, flow.operation.instr)
    return None


def open_chip(
    analysis: Analysis,
    option: OptionKey,
    read: Place,
    dependency: Dependency | None,
    kind: str,
    wording: Wording,
) -> Opened | None:
    """Return what a chip opens; ``None`` when its read reaches nothing of that kind any more, or its
    option is not sensitive any more."""
    if dependency is None and kind == MARK:
        return _open_mark(analysis, option, wording)
    reach = analysis.flows.of_read(option, read)
    flows = most_telling(flow for flow in reach.flows if _meant(flow, dependency, kind))
    places = operation_places(analysis, flows, MAX_PLACES)
    if not places:
        return None
    operations = list(dict.fromkeys(flow.operation for flow in flows))
    how = f" by {dependency}" if dependency is not None else ""
    what = count(len(operations), f"{kind} operation".strip())
    lines = [f"Reaches {what}{how}:"]
    for operation in operations[:_MAX_LINES]:
        spot = spot_of(analysis, operation.ref, operation.instr)
        if spot is not None:
            text = operation_text(analysis, operation, _MAX_TEXT)
            lines.append(f"- {code(text)} {wording.place(spot.path, analysis.line(spot))}")
    if len(operations) > _MAX_LINES:
        lines.append(f"- and {len(operations) - _MAX_LINES:,} more")
    return Opened("\n".join(lines), places)


def _open_mark(analysis: Analysis, key: OptionKey, wording: Wording) -> Opened | None:
    option = option_of(analysis, key)
    if option is None or not is_sensitive(analysis, option):
        return None
    # The tooltip of the hint, which is shown with this one, tells the verdict.
    tooltip = explanation(analysis, verdict_of(analysis, option), wording, "Why sensitive")
    return Opened(tooltip, _shown_by(analysis, key))


def _shown_by(analysis: Analysis, key: OptionKey) -> tuple[Place, ...]:
    """The places of the reasons for a verdict."""
    option = option_of(analysis, key)
    verdict = verdict_of(analysis, option) if option is not None else None
    if verdict is None:
        return ()
    pro, _ = sides(verdict, reasons(analysis, verdict))
    return tuple(dict.fromkeys(item.place for item in pro if item.place is not None))


def _meant(flow: Flow, dependency: Dependency | None, kind: str) -> bool:
    """Whether a chip counts a flow; the one for the rest opens everything."""
    same = (flow.dependency, flow.operation.kind) == (dependency, kind)
    return is_telling(flow) and (dependency is None or same)
