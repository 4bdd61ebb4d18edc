"""The page of an option: the verdict on it and every flow with its steps, so that a person can follow and believe it.

A page is Markdown and has an address of its own, ``conflens:/flows/<domain>/<name>.md``, with the
path of the folder as its query.  At most ``MAX_OPERATIONS`` operations, those that are no log calls
first, then sure ones and nearest; what is left out is counted.  Of up to three ways
to an operation only what differs from the first is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from urllib.parse import quote, unquote, urlsplit

import attrs

from conflens.base.words import count
from conflens.flow.results import Dependency, OptionKey
from conflens.ide.targets.cursor import target_at
from conflens.render.flow_phrases import table
from conflens.render.flow_view import (
    FlowView,
    PathView,
    ReachView,
    StepView,
    line_text,
    operations_at,
)
from conflens.render.flows import option_of
from conflens.render.option_view import option_view
from conflens.render.phrases import Wording, code, plain
from conflens.render.verdict_phrases import explanation
from conflens.session.analysis import Analysis

SCHEME = "conflens"
MAX_OPERATIONS = 50
_MAX_TRUNCATIONS = 20
_MAX_WAYS = 3
_MAX_TEXT = 100
_MAX_REASON = 200
_PREFIX = "/flows/"
_SUFFIX = ".md"


@attrs.frozen
class Address:
    """Which option of which folder (its path) a page is about."""

    folder: str
    option: OptionKey


def uri_of(address: Address) -> str:
    """Return the URI of a page."""
    domain, name = (quote(part, safe="") for part in address.option)
    return f"{SCHEME}:{_PREFIX}{domain}/{name}{_SUFFIX}?{quote(address.folder, safe='')}"


def address_of(uri: str) -> Address | None:
    """Read the URI of a page, also as clients write it anew; ``None`` for any other."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != SCHEME or not parts.path.startswith(_PREFIX):
        return None
    domain, slash, name = parts.path.removeprefix(_PREFIX).partition("/")
    if not slash or not name.endswith(_SUFFIX):
        return None
    return Address(unquote(parts.query), (unquote(domain), unquote(name.removesuffix(_SUFFIX))))


def option_at(analysis: Analysis, path: str, offset: int) -> OptionKey | None:
    """Return the option whose page a cursor asks for: the one it touches, or the surest of those
    that reach the operation it touches."""
    target = target_at(analysis, path, offset)
    if target is not None:
        return target.options[0].key
    touched = operations_at(analysis, path, offset)
    if touched is None:
        return None
    return next((reachers[0].key for reachers in touched[1].values() if reachers), None)


def page(analysis: Analysis, key: OptionKey, wording: Wording) -> str | None:
    """Return the page of an option; ``None`` for one that is not known."""
    option = option_of(analysis, key)
    if option is None:
        return None
    view = option_view(analysis, option)
    kind = plain(wording.domain(view.domain), _MAX_TEXT)
    lines = [f"# {code(view.name)}", "", f"{kind[:1].upper()}{kind[1:]}. {_summary(view.reach)}"]
    if view.is_judged:
        lines += ["", explanation(analysis, view.verdict, wording)]
    counts = table(view.reach.counts)
    if counts:
        lines += ["", counts]
    ways = view.reach.by_operation
    for number, flows in enumerate(islice(ways.values(), MAX_OPERATIONS), 1):
        lines += ["", *_operation(number, flows, wording)]
    if len(ways) > MAX_OPERATIONS:
        rest = count(len(ways) - MAX_OPERATIONS, "more operation")
        lines += ["", f"And {rest}, less sure or further away than these."]
    lines += _truncations(view.reach, wording)
    return "\n".join([*lines, ""])


def _summary(reach: ReachView) -> str:
    if not reach.nearest:
        return "No operation was found that it reaches."
    low = sum(not flow.is_sure for flow in reach.nearest)
    text = f"It reaches {count(reach.operations, 'operation')}"
    return f"{text}, {low:,} of them with low confidence." if low else f"{text}."


def _operation(number: int, flows: Sequence[FlowView], wording: Wording) -> Iterator[str]:
    operation = flows[0].operation
    where = f", {operation.link(wording)}" if operation.place is not None else ""
    yield f"## {number}. {code(flows[0].api)}: {flows[0].kind}{where}"
    first: tuple[StepView, ...] = ()
    ways = _ways(flows)[:_MAX_WAYS]
    for flow, path in ways:
        alike = _alike(first, path.lines)
        first = first or path.lines
        again = f" As above up to step {alike}, then" if alike else ""
        yield ""
        yield f"{flow.manner.capitalize()}: {path.sureness}{again}"
        yield ""
        for step, line in path.numbered(alike):
            yield f"{step}. {line_text(line, wording)}"
    more = sum(flow.flow.total for flow in flows) - len(ways)
    if more > 0:
        yield ""
        yield f"And {count(more, 'more way')}."


def _ways(flows: Sequence[FlowView]) -> list[tuple[FlowView, PathView]]:
    """Order the paths to one operation: one of each dependency, then of each flow, then others."""
    times: Counter[Dependency] = Counter()
    keyed = []
    for flow in flows:
        times[flow.dependency] += 1
        keyed += [
            ((number, times[flow.dependency]), (flow, path))
            for number, path in enumerate(flow.paths)
        ]
    return [way for _, way in sorted(keyed, key=lambda item: item[0])]


def _alike(first: Sequence[StepView], lines: Sequence[StepView]) -> int:
    """How many lines two paths to one operation have in common at their start."""
    same = 0
    while same < min(len(first), len(lines)) - 1 and first[same].key == lines[same].key:
        same += 1
    return same


def _truncations(reach: ReachView, wording: Wording) -> Iterator[str]:
    truncations = reach.truncations
    if not truncations:
        return
    yield from ("", "## Where the trail goes cold", "")
    for truncation in truncations[:_MAX_TRUNCATIONS]:
        text = truncation.step.text(_MAX_TEXT)
        source = f"{code(text)} " if text else ""
        reason = plain(truncation.reason, _MAX_REASON)
        yield f"- {source}{truncation.step.where(wording)}: {reason}"
    if len(truncations) > _MAX_TRUNCATIONS:
        yield f"- and {count(len(truncations) - _MAX_TRUNCATIONS, 'more place')}"
