"""The part of a hint that says what an option does: ``sizes a thread pool``, in the words of its hover.

An option of high impact has its effect (``verdict_phrases``).  Where all options are annotated, any other has what the
read does to operations by kind (``flow_phrases.manners``), and nothing where no operation is surely reached.
Opened, the part leads to the instructions that show it.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.base.words import count
from conflens.flow.instructions import operation_text, spot_of
from conflens.flow.results import OptionKey
from conflens.ide.settings.settings import Annotations
from conflens.operations.flows import is_telling, most_telling, sure_counts
from conflens.options.model import Option, Read
from conflens.render.flow_phrases import manners
from conflens.render.flow_view import operation_places
from conflens.render.flows import option_of
from conflens.render.links import link_to
from conflens.render.phrases import Wording, code
from conflens.render.verdict_phrases import effect_of, explanation, reasons, sides, verdict_of
from conflens.session.analysis import Analysis

MAX_PLACES = 200
_MAX_LINES = 5
_MAX_TEXT = 60


@attrs.frozen
class Opened:
    """What the part explains and opens: Markdown, and places, perhaps none, strongest reason first."""

    tooltip: str
    places: tuple[Place, ...]


def effect(analysis: Analysis, option: Option, read: Read, annotations: Annotations) -> str:
    """Return the effect that a hint at ``read`` names; empty for none."""
    words = effect_of(analysis, option)
    if words or annotations is not Annotations.ALL:
        return words
    return manners(sure_counts([analysis.flows.of_read(option.key, read.place)]))


def nearest(analysis: Analysis, key: OptionKey, read: Place) -> Place | None:
    """Return the first instruction that shows the effect."""
    return next(iter(_places(analysis, key, read)), None)


def open_effect(
    analysis: Analysis, key: OptionKey, read: Place, wording: Wording
) -> Opened | None:
    """Return what the part opens; ``None`` when nothing shows the effect any more."""
    places = _places(analysis, key, read)
    option = option_of(analysis, key)
    if option is None or not places:
        return None
    if effect_of(analysis, option):
        return Opened(explanation(analysis, verdict_of(analysis, option), wording), places)
    flows = most_telling(
        flow for flow in analysis.flows.of_read(key, read).flows if is_telling(flow)
    )
    operations = list(dict.fromkeys(flow.operation for flow in flows))
    lines = [f"Reaches {count(len(operations), 'costly operation')}:"]
    for operation in operations[:_MAX_LINES]:
        spot = spot_of(analysis, operation.ref, operation.instr)
        if spot is not None:
            text = operation_text(analysis, operation, _MAX_TEXT)
            lines.append(f"- {code(text)} {link_to(analysis, spot, wording)}")
    if len(operations) > _MAX_LINES:
        lines.append(f"- and {len(operations) - _MAX_LINES:,} more")
    return Opened("\n".join(lines), places)


def _places(analysis: Analysis, key: OptionKey, read: Place) -> tuple[Place, ...]:
    """The places of the reasons for the impact, or else of the operations that the read reaches."""
    option = option_of(analysis, key)
    verdict = verdict_of(analysis, option) if option is not None else None
    if option is not None and verdict is not None and effect_of(analysis, option):
        pro, _ = sides(verdict, reasons(analysis, verdict))
        places = tuple(dict.fromkeys(item.place for item in pro if item.place is not None))
        if places:
            return places
    flows = (flow for flow in analysis.flows.of_read(key, read).flows if is_telling(flow))
    return operation_places(analysis, flows, MAX_PLACES)
