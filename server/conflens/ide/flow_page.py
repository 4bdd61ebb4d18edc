"""The page of an option: every flow with its steps, so that a person can follow and believe it.

A page is Markdown and has an address of its own, ``conflens:/flows/<domain>/<name>.md``, with the
path of the folder as its query.  At most ``MAX_FLOWS`` flows, surest and nearest first; what is left
out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote, unquote, urlsplit

import attrs

from conflens.flow.results import Confidence, Flow, OptionKey, Path, Reach, Step
from conflens.ide.cursor import target_at
from conflens.ide.flow_words import effects, manner, shown_role
from conflens.ide.flows import is_sure, method_of, operations_at, option_of, spot_of, text_of
from conflens.ide.words import Wording, code, count, plain
from conflens.options.model import Option
from conflens.program.program import MemberRef
from conflens.session.analysis import Analysis

SCHEME = "conflens"
MAX_FLOWS = 50
_MAX_COLD = 20
_MAX_STEPS = 40
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
    lines = [f"# {code(option.name)}", "", _summary(option, reach, wording)]
    for number, flow in enumerate(reach.flows[:MAX_FLOWS], 1):
        lines += ["", *_flow(analysis, number, flow, wording)]
    if len(reach.flows) > MAX_FLOWS:
        rest = count(len(reach.flows) - MAX_FLOWS, "more flow")
        lines += ["", f"And {rest}, less sure or further away than these."]
    lines += _cold(analysis, reach, wording)
    return "\n".join([*lines, ""])


def _summary(option: Option, reach: Reach, wording: Wording) -> str:
    nearest = reach.nearest()
    low = sum(not is_sure(flow) for flow in nearest)
    kind = plain(wording.domain(option.domain), _MAX_TEXT)
    words = effects(reach.sure())
    said = f"A {kind} that {words}." if words else f"A {kind}."
    if not nearest:
        return f"{said} No operation was found that it reaches."
    said += f" It reaches {count(len(nearest), 'operation')}"
    return f"{said}, {low:,} of them with low confidence." if low else f"{said}."


def _flow(analysis: Analysis, number: int, flow: Flow, wording: Wording) -> Iterator[str]:
    operation = flow.operation
    yield f"## {number}. {code(operation.api)}: {operation.kind}, {manner(flow)}"
    for path in flow.paths:
        yield ""
        yield _sureness(path)
        yield ""
        shown = _cut(path.steps)
        for at, step in shown:
            yield f"{at}. {_step(analysis, step, wording)}"
    more = flow.total - len(flow.paths)
    if more > 0:
        yield ""
        yield f"There {'is' if more == 1 else 'are'} {count(more, 'more path')} to it."


def _cut(steps: Sequence[Step]) -> list[tuple[int, Step]]:
    """Number the steps; a path that is too long for a person keeps its two ends."""
    numbered = list(enumerate(steps, 1))
    half = _MAX_STEPS // 2
    return numbered if len(steps) <= _MAX_STEPS else numbered[:half] + numbered[-half:]


def _sureness(path: Path) -> str:
    words = f"Confidence: {path.confidence}"
    if path.confidence is Confidence.HIGH or not path.reasons:
        return f"{words}."
    return f"{words} ({plain(', '.join(path.reasons), _MAX_REASON)})."


def _step(analysis: Analysis, step: Step, wording: Wording) -> str:
    text = text_of(analysis, step.ref, step.index, _MAX_TEXT)
    shown = f" {code(text)}" if text else ""
    return f"{shown_role(step.role)}{shown} {_where(analysis, step.ref, step.index, wording)}"


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
