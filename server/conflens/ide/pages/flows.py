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

from conflens.flow.results import (
    Confidence,
    Dependency,
    Flow,
    Operation,
    OptionKey,
    Path,
    Reach,
    Step,
    StepRole,
)
from conflens.ide.targets.cursor import target_at
from conflens.program.refs import MemberRef
from conflens.render.flow_phrases import manner, table
from conflens.render.flows import (
    is_sure,
    method_of,
    most_telling,
    operations_at,
    option_of,
    shown_kind,
    spot_of,
    sure_counts,
    text_of,
)
from conflens.render.phrases import Wording, code, count, plain, shorten
from conflens.render.verdict_phrases import explanation
from conflens.session.analysis import Analysis

SCHEME = "conflens"
MAX_OPERATIONS = 50
_MAX_COLD = 20
_MAX_STEPS = 40
_MAX_WAYS = 3
_MAX_TEXT = 100
_MAX_SOURCE = 1000
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
    found = operations_at(analysis, path, offset)
    if found is None:
        return None
    return next((reachers[0].key for reachers in found[1].values() if reachers), None)


def page(analysis: Analysis, key: OptionKey, wording: Wording) -> str | None:
    """Return the page of an option; ``None`` for one that is not known."""
    option = option_of(analysis, key)
    if option is None:
        return None
    reach = analysis.flows.of_option(key)
    kind = plain(wording.domain(option.domain), _MAX_TEXT)
    lines = [f"# {code(option.name)}", "", f"{kind[:1].upper()}{kind[1:]}. {_summary(reach)}"]
    verdict = explanation(analysis, option, wording)
    if verdict:
        lines += ["", verdict]
    counts = table(sure_counts([reach]))
    if counts:
        lines += ["", counts]
    ways: dict[Operation, list[Flow]] = {
        flow.operation: [] for flow in most_telling(reach.nearest())
    }
    for flow in reach.flows:
        ways[flow.operation].append(flow)
    for number, (operation, flows) in enumerate(islice(ways.items(), MAX_OPERATIONS), 1):
        lines += ["", *_operation(analysis, number, operation, flows, wording)]
    if len(ways) > MAX_OPERATIONS:
        rest = count(len(ways) - MAX_OPERATIONS, "more operation")
        lines += ["", f"And {rest}, less sure or further away than these."]
    lines += _cold(analysis, reach, wording)
    return "\n".join([*lines, ""])


def path_lines(analysis: Analysis, path: Path, wording: Wording) -> list[str]:
    """Return the steps of a path as lines of Markdown, those on the same code as one."""
    return [_step(analysis, line, wording) for _, line in _cut(_lines(analysis, path.steps), 0)]


def _summary(reach: Reach) -> str:
    nearest = reach.nearest()
    if not nearest:
        return "No operation was found that it reaches."
    low = sum(not is_sure(flow) for flow in nearest)
    said = f"It reaches {count(len(nearest), 'operation')}"
    return f"{said}, {low:,} of them with low confidence." if low else f"{said}."


def _operation(
    analysis: Analysis, number: int, operation: Operation, flows: Sequence[Flow], wording: Wording
) -> Iterator[str]:
    spot = spot_of(analysis, operation.ref, operation.index)
    where = f", {wording.place(spot.path, analysis.line(spot))}" if spot is not None else ""
    yield f"## {number}. {code(operation.api)}: {shown_kind(operation)}{where}"
    first: list[_Line] = []
    shown = _ways(flows)[:_MAX_WAYS]
    for flow, path in shown:
        lines = _lines(analysis, path.steps)
        alike = _alike(first, lines)
        first = first or lines
        again = f" As above up to step {alike}, then" if alike else ""
        yield ""
        yield f"{manner(flow).capitalize()}: {_sureness(path)}{again}"
        yield ""
        for at, line in _cut(lines, alike):
            yield f"{at}. {_step(analysis, line, wording)}"
    more = sum(flow.total for flow in flows) - len(shown)
    if more > 0:
        yield ""
        yield f"And {count(more, 'more way')}."


def _ways(flows: Sequence[Flow]) -> list[tuple[Flow, Path]]:
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


@attrs.frozen
class _Line:
    """Steps on the same code, such as a read and the assignment of what was read."""

    ref: MemberRef
    index: int
    roles: tuple[StepRole, ...]
    text: str


def _lines(analysis: Analysis, steps: Sequence[Step]) -> list[_Line]:
    """Join steps of which one's source holds the other's; an operation stands alone."""
    found: list[_Line] = []
    for step in steps:
        text = text_of(analysis, step.ref, step.index, _MAX_SOURCE)
        before = found[-1] if found else None
        if (
            before is not None
            and before.ref == step.ref
            and step.role is not StepRole.OPERATION
            and before.text
            and before.text in text
        ):
            roles = tuple(dict.fromkeys((*before.roles, step.role)))
            found[-1] = _Line(step.ref, step.index, roles, text)
        else:
            found.append(_Line(step.ref, step.index, (step.role,), text))
    return found


def _alike(first: Sequence[_Line], lines: Sequence[_Line]) -> int:
    """How many lines two paths to one operation have in common at their start."""
    same = 0
    while same < min(len(first), len(lines)) - 1 and first[same] == lines[same]:
        same += 1
    return same


def _cut(lines: Sequence[_Line], alike: int) -> list[tuple[int, _Line]]:
    """Number the lines; a path that is too long for a person keeps its two ends."""
    numbered = list(enumerate(lines, 1))[alike:]
    half = _MAX_STEPS // 2
    return numbered if len(numbered) <= _MAX_STEPS else numbered[:half] + numbered[-half:]


def _sureness(path: Path) -> str:
    words = f"{path.confidence} confidence"
    if path.confidence is Confidence.HIGH or not path.reasons:
        return f"{words}."
    return f"{words} ({plain(', '.join(path.reasons), _MAX_REASON)})."


def _step(analysis: Analysis, line: _Line, wording: Wording) -> str:
    shown = f" {code(shorten(line.text, _MAX_TEXT))}" if line.text else ""
    where = _where(analysis, line.ref, line.index, wording)
    return f"{', '.join(line.roles)}{shown} {where}"


def _where(analysis: Analysis, ref: MemberRef, index: int, wording: Wording) -> str:
    method = plain(method_of(analysis, ref), _MAX_TEXT)
    spot = spot_of(analysis, ref, index)
    if spot is None:
        return f"in {method}, which is gone"
    return f"in {method}, {wording.place(spot.path, analysis.line(spot))}"


def _cold(analysis: Analysis, reach: Reach, wording: Wording) -> Iterator[str]:
    if not reach.cold:
        return
    yield from ("", "## Where the trail goes cold", "")
    for cold in reach.cold[:_MAX_COLD]:
        where = _where(analysis, cold.ref, cold.index, wording)
        text = text_of(analysis, cold.ref, cold.index, _MAX_TEXT)
        shown = f"{code(text)} " if text else ""
        yield f"- {shown}{where}: {plain(cold.reason, _MAX_REASON)}"
    if len(reach.cold) > _MAX_COLD:
        yield f"- and {count(len(reach.cold) - _MAX_COLD, 'more place')}"
