"""Inlay hints of a profile: at the end of the line, what a hot method or line costs.

Rules, so that they stay quiet: one per line, a method before its first line, none on a line that a lens of the profile
stands above (``code_lens``); nothing below ``HOT``; the hottest
``MAX_HINTS`` of a file, a screenful.  A method's hint says what it does itself, a line's what is spent on it, calls
included; one kind of event each, the others stand in the tooltip.  Lines that cannot be trusted have none.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.base.words import joined
from conflens.diagnosis.evidence import heat_text
from conflens.diagnosis.report import KIND_WORDS, SHORT_WORDS, percent
from conflens.diagnosis.results import Verdict
from conflens.facts.model import FileFacts
from conflens.ide.profile.code_lens import profile_lenses
from conflens.ide.profile.profile import (
    HOT,
    HotMember,
    Profile,
    hot_members,
    linked,
    sentences,
    suspects_at,
)
from conflens.ide.settings.settings import Settings
from conflens.program.refs import MemberRef
from conflens.render.phrases import Wording, code
from conflens.session.analysis import Analysis

MAX_HINTS = 30
_MAX_OPTIONS = 3


@attrs.frozen
class HeatHint:
    """Goes after byte ``offset``, the end of a line; ``member`` is its number in the file, ``line`` the 1-based line
    that it is about, 0 for the method."""

    offset: int
    label: str
    member: int
    line: int


def heat_hints(
    analysis: Analysis, profile: Profile, path: str, start: int, end: int, settings: Settings
) -> tuple[HeatHint, ...]:
    """Return the hints for the bytes ``start`` to ``end`` of ``path``, in order.

    Which are shown depends on the whole file, so that scrolling changes none.
    """
    facts = analysis.program.files.get(path)
    if facts is None or not settings.inlay_hints or not settings.profile_hints:
        return ()
    best: dict[int, tuple[float, HeatHint]] = {}
    taken = {
        analysis.line(lens.place) for lens in profile_lenses(analysis, profile, path, settings)
    }
    for share, line, hint in _hints(analysis, profile, path, facts):
        if line in taken:
            continue
        other = best.get(line)
        if other is None or (hint.line == 0, share) > (other[1].line == 0, other[0]):
            best[line] = share, hint
    hottest = sorted(best.values(), key=lambda item: (-item[0], item[1].offset))[:MAX_HINTS]
    shown = [hint for _, hint in hottest if start <= hint.offset <= end]
    return tuple(sorted(shown, key=lambda hint: hint.offset))


def heat_tooltip(
    analysis: Analysis, profile: Profile, path: str, member: int, line: int, wording: Wording
) -> str | None:
    """Return the Markdown that explains a hint; ``None`` when its member is gone or costs nothing any more."""
    for hot in hot_members(analysis, profile, path):
        if hot.number == member:
            text = explained(analysis, profile, hot, wording)
            share = dict(hot.lines).get(line)
            if share is None:
                return text
            of = KIND_WORDS[hot.row.kind]
            return f"{percent(share)} of {of} is spent on this line, calls included.\n\n{text}"
    return None


def explained(analysis: Analysis, profile: Profile, hot: HotMember, wording: Wording) -> str:
    """Return what a method costs, and which options are behind it, as paragraphs."""
    parts = [f"**{code(hot.declaration.method)}** · profile"]
    parts.append(" ".join(sentences(profile, hot.rows, hot.row)))
    parts.append(_behind(analysis, profile, hot.was, wording))
    parts.append(profile.note)
    return "\n\n".join(part for part in parts if part)


def _behind(analysis: Analysis, profile: Profile, ref: MemberRef, wording: Wording) -> str:
    """Return what options are to a hotspot as a sentence, by the first of them; empty for none."""
    suspects = suspects_at(profile.diagnosis, ref)
    names = []
    for suspect in suspects[:_MAX_OPTIONS]:
        ways = dict.fromkeys(
            str(cause.dependency) for cause in suspect.causes if cause.spent_in == ref
        )
        names.append(f"{linked(analysis, suspect.option, wording)} ({', '.join(ways)})")
    more = len(suspects) - len(names)
    if not names:
        return ""
    is_likely = suspects[0].verdict is Verdict.LIKELY
    word = "Likely cause" if is_likely else "Contributing options"
    return f"{word}: {joined(names + ([f'{more} more'] if more else []))}."


def _hints(
    analysis: Analysis, profile: Profile, path: str, facts: FileFacts
) -> Iterator[tuple[float, int, HeatHint]]:
    text = analysis.texts.text(path)
    for hot in hot_members(analysis, profile, path):
        member = facts.members[hot.number]
        if hot.row.own >= HOT:
            line = analysis.line(Place(path, member.name_at, member.name_at))
            offset = _end_of(facts, text, line)
            cost = heat_text(profile.diagnosis, hot.row)
            yield hot.row.own, line, HeatHint(offset, cost, hot.number, 0)
        for line, share in hot.lines:
            if share >= HOT and 0 < line <= len(facts.starts):
                offset = _end_of(facts, text, line)
                label = f"{percent(share)} {SHORT_WORDS[hot.row.kind]}"
                yield share, line, HeatHint(offset, label, hot.number, line)


def _end_of(facts: FileFacts, text: bytes | None, line: int) -> int:
    """Return the offset after the last character of a 1-based line, white space left out."""
    start = facts.starts[line - 1]
    stop = facts.starts[line] if line < len(facts.starts) else facts.length
    if text is None or len(text) != facts.length:
        return max(start, stop - 1)
    return start + len(text[start:stop].rstrip())
