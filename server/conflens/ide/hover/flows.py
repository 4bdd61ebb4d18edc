"""What a hover shows of flows: at a read or declaration what it reaches, at an operation which options reach it.

At an option one sentence counts the costly operations and links the three nearest, with how each depends on the
option; log calls only where there is nothing else.  The page of the option has the rest.  Where nothing was found, the
hover says so only if the analysis stopped somewhere, since "reaches nothing" would claim more than is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.base.span import Place
from conflens.base.words import count, joined
from conflens.options.model import Read
from conflens.render.flow_phrases import relation
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

MAX_LINES = 3
_MAX_NEAREST = 3
_MAX_OPTIONS = 5
_MAX_TEXT = 40
_MAX_REASON = 120


def flow_paragraphs(
    analysis: Analysis, view: OptionView, read: Read | None, wording: Wording
) -> Iterator[str]:
    """Yield the paragraphs about what a read, or an option as a whole, reaches."""
    reach = view.reach if read is None else reach_view(analysis, view.option, read)
    sentences = [*_sentences(reach, wording)]
    if read is not None:
        whole = view.reach.operations
        if whole > reach.operations:
            sentences.append(
                f"All reads of the option together reach {count(whole, 'operation')}."
            )
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
    heads = [f"**{code(operation.api)}** · {operation.kind} operation" for operation in operations]
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
        more = f" {low:,} more with low confidence." if low else ""
        yield f"Reaches {_reached(sure, wording)}.{more}"
    elif low:
        yield f"May reach {_reached(flows, wording, doubtful=True)}."
    elif reach.reach.cold:
        truncation = _truncation(reach, wording)
        if truncation:
            yield truncation


def _reached(flows: Sequence[FlowView], wording: Wording, doubtful: bool = False) -> str:
    """Return the nearest operations as links, after their number if there are more; ``doubtful``: with low confidence."""
    doubt = " with low confidence" if doubtful else ""
    number = count(len(flows), "operation")
    links = [
        f"{code(flow.text(_MAX_TEXT))} {flow.operation.link(wording)}"
        f" ({relation(flow.dependency, flow.flow.operation.kind)})"
        for flow in flows[:_MAX_NEAREST]
        if flow.operation.place is not None
    ]
    if not links:
        return number + doubt
    if len(flows) <= _MAX_NEAREST:
        return f"{joined(links)},{doubt}" if doubt else joined(links)
    return f"{number}{doubt}; the nearest {'is' if len(links) == 1 else 'are'} {joined(links)}"


def _more(number: int) -> str:
    return f" and {number:,} more" if number > 0 else ""


def _truncation(reach: ReachView, wording: Wording) -> str:
    more = _more(len(reach.reach.cold) - 1)
    for truncation in reach.truncations:
        if truncation.step.place is not None:
            where = truncation.step.link(wording)
            reason = plain(truncation.reason, _MAX_REASON)
            return f"No operation found. The analysis stops at {where}: {reason}{more}."
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
