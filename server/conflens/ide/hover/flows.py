"""What a hover says of flows: at a read or declaration what it reaches, at an operation by whom.

A table of dependency and kind counts the sure operations, the three nearest are linked, log calls
only where there is nothing else.  What is
not sure is counted apart.  Where nothing was found it is said only if a trail went cold, since
"reaches nothing" would claim more than is known.  At most ``MAX_LINES`` lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.base.span import Place
from conflens.flow.results import Flow, Reach
from conflens.options.model import Option, Read
from conflens.render.flow_phrases import doubt, manner, table
from conflens.render.flows import (
    Reacher,
    is_sure,
    most_telling,
    operation_text,
    operations_at,
    reach_of,
    read_place,
    shown_kind,
    spot_of,
    sure_counts,
)
from conflens.render.phrases import Wording, code, count, joined, plain
from conflens.session.analysis import Analysis

MAX_LINES = 8
_MAX_NEAREST = 3
_MAX_OPTIONS = 5
_MAX_TEXT = 40
_MAX_REASON = 120


def flow_paragraphs(
    analysis: Analysis, option: Option, read: Read | None, wording: Wording
) -> Iterator[str]:
    """Yield the paragraphs about what a read, or an option as a whole, reaches."""
    reach = reach_of(analysis, option, read)
    sure = sure_counts([reach])
    if sure:
        yield table(sure)
    notes = [note for note in _notes(analysis, option, read, reach, wording) if note]
    if notes:
        yield " ".join(notes)


def operation_paragraphs(
    analysis: Analysis, path: str, offset: int, wording: Wording
) -> tuple[Place, tuple[str, ...]] | None:
    """Return the reached operation under a cursor and the paragraphs about it."""
    found = operations_at(analysis, path, offset)
    if found is None:
        return None
    heads = [
        f"**{code(operation.api)}** · {shown_kind(operation)} operation" for operation in found[1]
    ]
    by_key: dict[object, Reacher] = {}
    for reachers in found[1].values():
        for reacher in reachers:
            by_key.setdefault(reacher.key, reacher)
    items = [_reacher(analysis, item, wording) for item in list(by_key.values())[:_MAX_OPTIONS]]
    more = len(by_key) - len(items)
    if more:
        items.append(f"- and {count(more, 'more option')}")
    return found[0], (" · ".join(dict.fromkeys(heads)), "Reached by", "\n".join(items))


def _notes(
    analysis: Analysis, option: Option, read: Read | None, reach: Reach, wording: Wording
) -> Iterator[str]:
    flows = reach.nearest()
    certain = [flow for flow in flows if is_sure(flow)]
    low = len(flows) - len(certain)
    if certain:
        yield f"Nearest: {_linked(analysis, certain, wording)}."
        if low:
            yield f"{low:,} more with low confidence."
    elif low:
        shown = _linked(analysis, flows, wording)
        yield f"With low confidence: {shown}{_more(low - _MAX_NEAREST)}."
    elif reach.cold:
        yield _cold(analysis, reach, wording)
    if read is not None:
        whole = len(reach_of(analysis, option, None).nearest())
        if whole > len(flows):
            yield f"All its reads together reach {count(whole, 'operation')}."


def _linked(analysis: Analysis, flows: Sequence[Flow], wording: Wording) -> str:
    shown: list[str] = []
    for flow in most_telling(flows)[:_MAX_NEAREST]:
        operation = flow.operation
        text = operation_text(analysis, operation, _MAX_TEXT)
        spot = spot_of(analysis, operation.ref, operation.index)
        if spot is not None:
            where = wording.place(spot.path, analysis.line(spot))
            shown.append(f"{code(text)} {where} ({flow.dependency})")
    return joined(shown) if shown else count(len(flows), "operation")


def _more(number: int) -> str:
    return f" and {number:,} more" if number > 0 else ""


def _cold(analysis: Analysis, reach: Reach, wording: Wording) -> str:
    for cold in reach.cold:
        spot = spot_of(analysis, cold.ref, cold.index)
        if spot is not None:
            where = wording.place(spot.path, analysis.line(spot))
            reason = plain(cold.reason, _MAX_REASON)
            more = _more(len(reach.cold) - 1)
            return f"No operation was found; the trail goes cold in {where}: {reason}{more}."
    return ""


def _reacher(analysis: Analysis, reacher: Reacher, wording: Wording) -> str:
    name = code(reacher.key[1])
    read = read_place(reacher.flow.paths[0], analysis)
    if read is not None:
        name = f"[{name}]({wording.link(read.path, analysis.line(read))})"
    others = [str(way) for way in reacher.dependencies if way is not reacher.flow.dependency]
    parts = [name, manner(reacher.flow)]
    if others:
        parts.append(f"also {joined(others)}")
    why = doubt(reacher.flow)
    return f"- {' · '.join([*parts, plain(why, _MAX_REASON)] if why else parts)}"
