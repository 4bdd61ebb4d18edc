"""What a hover says of flows: at a read or declaration what it reaches, at an operation by whom.

A table of dependency and kind counts the sure operations, the three nearest are linked, log calls
only where there is nothing else.  What is
not sure is counted apart.  Where nothing was found it is said only if the analysis stopped somewhere, since
"reaches nothing" would claim more than is known.  At most ``MAX_LINES`` lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.base.span import Place
from conflens.base.words import count, joined
from conflens.operations.flows import shown_kind
from conflens.options.model import Read
from conflens.render.flow_phrases import table
from conflens.render.flow_view import (
    FlowView,
    Reacher,
    ReachView,
    operations_at,
    reach_view,
)
from conflens.render.option_view import OptionView
from conflens.render.phrases import Wording, code, plain
from conflens.session.analysis import Analysis

MAX_LINES = 8
_MAX_NEAREST = 3
_MAX_OPTIONS = 5
_MAX_TEXT = 40
_MAX_REASON = 120


def flow_paragraphs(
    analysis: Analysis, view: OptionView, read: Read | None, wording: Wording
) -> Iterator[str]:
    """Yield the paragraphs about what a read, or an option as a whole, reaches."""
    reach = view.reach if read is None else reach_view(analysis, view.option, read)
    if reach.counts:
        yield table(reach.counts)
    sentences = [*_sentences(reach, wording)]
    if read is not None:
        whole = view.reach.operations
        if whole > reach.operations:
            sentences.append(f"All its reads together reach {count(whole, 'operation')}.")
    if sentences:
        yield " ".join(sentences)


def operation_paragraphs(
    analysis: Analysis, path: str, offset: int, wording: Wording
) -> tuple[Place, tuple[str, ...]] | None:
    """Return the reached operation under a cursor and the paragraphs about it."""
    touched = operations_at(analysis, path, offset)
    if touched is None:
        return None
    place, operations = touched
    heads = [
        f"**{code(operation.api)}** · {shown_kind(operation)} operation"
        for operation in operations
    ]
    by_key: dict[object, Reacher] = {}
    for reachers in operations.values():
        for reacher in reachers:
            by_key.setdefault(reacher.key, reacher)
    items = [_reacher(item, wording) for item in list(by_key.values())[:_MAX_OPTIONS]]
    more = len(by_key) - len(items)
    if more:
        items.append(f"- and {count(more, 'more option')}")
    return place, (" · ".join(dict.fromkeys(heads)), "Reached by", "\n".join(items))


def _sentences(reach: ReachView, wording: Wording) -> Iterator[str]:
    flows = reach.nearest
    sure = [flow for flow in flows if flow.is_sure]
    low = len(flows) - len(sure)
    if sure:
        yield f"Nearest: {_linked(sure, wording)}."
        if low:
            yield f"{low:,} more with low confidence."
    elif low:
        yield f"With low confidence: {_linked(flows, wording)}{_more(low - _MAX_NEAREST)}."
    elif reach.reach.cold:
        truncation = _truncation(reach, wording)
        if truncation:
            yield truncation


def _linked(flows: Sequence[FlowView], wording: Wording) -> str:
    items = [
        f"{code(flow.text(_MAX_TEXT))} {flow.operation.link(wording)} ({flow.dependency})"
        for flow in flows[:_MAX_NEAREST]
        if flow.operation.place is not None
    ]
    return joined(items) if items else count(len(flows), "operation")


def _more(number: int) -> str:
    return f" and {number:,} more" if number > 0 else ""


def _truncation(reach: ReachView, wording: Wording) -> str:
    more = _more(len(reach.reach.cold) - 1)
    for truncation in reach.truncations:
        if truncation.step.place is not None:
            where = truncation.step.link(wording)
            reason = plain(truncation.reason, _MAX_REASON)
            return f"No operation was found; the trail goes cold in {where}: {reason}{more}."
    return ""


def _reacher(reacher: Reacher, wording: Wording) -> str:
    name = code(reacher.key[1])
    read = reacher.flow.paths[0].read
    if read.place is not None:
        name = f"[{name}]({wording.link(read.place.path, read.line)})"
    flow = reacher.flow
    others = [str(way) for way in reacher.dependencies if way is not flow.dependency]
    parts = [name, flow.manner]
    if others:
        parts.append(f"also {joined(others)}")
    if flow.doubt:
        parts.append(plain(flow.doubt, _MAX_REASON))
    return f"- {' · '.join(parts)}"
