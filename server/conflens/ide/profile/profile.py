"""What the features that show a profile share: the diagnosis, its members in the source of today, and its words.

A diagnosis is of the program that it was made of, and edits go on.  A member is *carried over* if its file still
declares it; its lines and instructions are, only if its code is the same, so nothing is ever shown on a wrong line.
What cannot be carried over is not shown until the next diagnosis.

Terms
    row     what a member costs in one kind of event (``results.Heat``).
    hot     a member that does at least ``HOT`` of a kind's total itself.

The row that is shown is that of the main kind (``report.main_total``) if the member is hot there, else the hottest: work in
CPU time is not to be hidden by threads that wait.  What idle threads do (``Diagnosis.idle``) is not hot, nor is waiting
that is no longer than before, or compared with nothing; it is given as text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.diagnosis.evidence import amounts, before_text
from conflens.diagnosis.report import KIND_WORDS, legible, main_total, percent
from conflens.diagnosis.results import Diagnosis, Heat, Suspect, Total, Verdict
from conflens.facts.model import FileFacts
from conflens.flow.results import OptionKey
from conflens.ide.profile.snapshots import age
from conflens.profiling.model import EventKind
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.render.flow_view import StepView
from conflens.render.flows import option_of
from conflens.render.phrases import Wording, code
from conflens.session.analysis import Analysis

HOT = 0.01
_OLD = 86_400.0
"""Seconds from which the age of a snapshot is told although nothing has changed since."""
_MAX_NAME = 60


@attrs.frozen(eq=False)
class Profile:
    """A diagnosis, the ``program`` that it was made of, and a ``note`` on its age, perhaps empty."""

    diagnosis: Diagnosis
    program: Program = attrs.field(repr=False)
    note: str = ""

    @property
    def compared(self) -> bool:
        """Whether there is a baseline."""
        return bool(self.diagnosis.baseline)


@attrs.frozen
class HotMember:
    """A hot member: ``declaration`` is where it is today, ``was`` its name in the diagnosis.

    ``row`` is the one to show, ``rows`` are all, ``lines`` those of ``row`` that can be trusted, with their shares.
    """

    declaration: StepView
    was: MemberRef
    row: Heat
    rows: tuple[Heat, ...]
    lines: tuple[tuple[int, float], ...]

    @property
    def number(self) -> int:
        """The number of the member in its file."""
        return self.declaration.ref.number


def age_note(taken: float, stale: bool, now: float) -> str:
    """Return how old a snapshot is, if that matters: ``Snapshot of 3 days ago, source changed since.``

    Times in seconds since 1970; ``taken`` is 0 if not known.  ``stale``: sources that the run ran have changed.
    """
    if taken <= 0:
        return "Source changed since the snapshot was imported." if stale else ""
    if not stale and now - taken < _OLD:
        return ""
    ago = age(max(0.0, now - taken))
    when = f"of {ago}" if ago.endswith("ago") else f"taken {ago}"
    return f"Snapshot {when}, source changed since." if stale else f"Snapshot {when}."


# -- members of today ------------------------------------------------------------------------------


def carried(profile: Profile, program: Program, ref: MemberRef) -> tuple[MemberRef, bool] | None:
    """Return what a member of the diagnosis is in ``program``, and whether its code is the same; ``None`` if
    it is gone."""
    old, new = profile.program.files.get(ref.path), program.files.get(ref.path)
    if old is None or new is None or ref.number >= len(old.members):
        return None
    if old is new:
        return ref, True
    number = ref.number if old.surface == new.surface else _number_of(profile, program, ref, new)
    if number < 0:
        return None
    same = old.members[ref.number].digest == new.members[number].digest
    return MemberRef(ref.path, number, ref.owner), same


def _number_of(profile: Profile, program: Program, ref: MemberRef, new: FileFacts) -> int:
    key = profile.program.member(ref).key
    numbers = [
        number
        for number, member in enumerate(new.members)
        if member.key == key and program.type_name(ref.path, member.owner) == ref.owner
    ]
    return numbers[0] if len(numbers) == 1 else -1


def line_today(
    profile: Profile, program: Program, was: MemberRef, ref: MemberRef, line: int
) -> int:
    """Return the 1-based line of a member whose code is the same, moved with its declaration."""
    before = _line(profile.program, was.path, profile.program.member(was).at)
    return line - before + _line(program, ref.path, program.member(ref).at)


def step_today(
    analysis: Analysis, profile: Profile, ref: MemberRef, index: int
) -> StepView | None:
    """Return an instruction of the diagnosis as it is today, its member if its code has changed, ``None``
    if that is gone."""
    today = carried(profile, analysis.program, ref)
    if today is None:
        return None
    member, is_same = today
    return StepView(analysis, member, index if is_same else -1)


def line_place(analysis: Analysis, path: str, line: int) -> Place | None:
    """Return a 1-based line without the white space around it; ``None`` if the text is not at hand."""
    facts, text = analysis.program.files[path], analysis.texts.text(path)
    if text is None or len(text) != facts.length or not 0 < line <= len(facts.starts):
        return None
    start = facts.starts[line - 1]
    stop = facts.starts[line] if line < len(facts.starts) else facts.length
    whole = text[start:stop]
    bare = whole.strip()
    if not bare:
        return None
    start += len(whole) - len(whole.lstrip())
    return Place(path, start, start + len(bare))


def _line(program: Program, path: str, offset: int) -> int:
    return bisect_right(program.files[path].starts, offset)


# -- what is hot -----------------------------------------------------------------------------------


def hot_members(analysis: Analysis, profile: Profile, path: str) -> Iterator[HotMember]:
    """Yield the members of a file that are hot, or pass on what is: those have lines, but a cold row."""
    total, idle = main_total(profile.diagnosis), profile.diagnosis.idle
    for was, rows in profile.diagnosis.heat.items():
        if was.path != path or not rows:
            continue
        today = carried(profile, analysis.program, was)
        if today is None:
            continue
        ref, is_same = today
        busy = [row for row in rows if not _is_idle(row, total) and (was, row.kind) not in idle]
        if not busy:
            continue
        row = max(busy, key=lambda row: (row.own >= HOT and _is(row, total), row.own))
        if row.own < HOT:
            row = next((row for row in busy if _is(row, total)), row)
        lines: tuple[tuple[int, float], ...] = ()
        if is_same:
            lines = tuple(
                (line_today(profile, analysis.program, was, ref, line), share)
                for line, share in row.lines.items()
            )
        yield HotMember(StepView(analysis, ref, -1), was, row, rows, lines)


def _is_idle(row: Heat, total: object) -> bool:
    waits = row.kind is EventKind.WAIT and not _is(row, total)
    return waits and (row.variation or 0.0) < HOT


def _is(row: Heat, total: object) -> bool:
    return row.kind is getattr(total, "kind", None)


def suspects_at(diagnosis: Diagnosis, ref: MemberRef) -> tuple[Suspect, ...]:
    """Return the options behind a hotspot, but for those whose value did not differ."""
    suspects = diagnosis.suspects_of(ref)
    return tuple(item for item in suspects if item.verdict is not Verdict.UNCHANGED)


# -- words -----------------------------------------------------------------------------------------


def sentences(profile: Profile, rows: Iterable[Heat], first: Heat) -> list[str]:
    """Return what a member costs, one sentence for each kind in which it does: that of ``first`` at the start."""
    ordered = [first, *(row for row in rows if row is not first)]
    return [_sentence(profile, row) for row in ordered if max(row.own, row.whole) >= HOT]


def _sentence(profile: Profile, row: Heat) -> str:
    of = KIND_WORDS[row.kind]
    total = next((item for item in profile.diagnosis.totals if item.kind is row.kind), None)
    if row.own < HOT and (row.before or 0.0) < HOT:
        cost = _amount(profile, row, row.whole, total)
        return f"{percent(row.whole)} of {of}{cost} is in what it calls."
    text = (
        f"{percent(row.own)} of {of}{_amount(profile, row, row.own, total, row.before)} is its own"
    )
    if row.whole >= row.own + HOT:
        text += f", {percent(row.whole)} with what it calls"
    return f"{text}."


def _amount(
    profile: Profile, row: Heat, share: float, total: Total | None, before: float | None = None
) -> str:
    """Return the weight of a share of a kind, and what it was: `` (4.1 of 12.2 s; 2 s before)``."""
    if total is None:
        return ""
    text = amounts(profile.diagnosis, row.kind, share * total.after, total.after)
    if before is not None:
        text += f"; {before_text(profile.diagnosis, row.kind, before * (total.before or 0.0))}"
    return f" ({text})"


def linked(analysis: Analysis, option: OptionKey, wording: Wording) -> str:
    """Return an option's name as Markdown, linked to its first read if it has one."""
    name = code(shorten(legible(option[1]), _MAX_NAME))
    today = option_of(analysis, option)
    read = min((read.place for read in today.reads), default=None) if today is not None else None
    return name if read is None else f"[{name}]({wording.link(read.path, analysis.line(read))})"
