"""The report of a diagnosis as a page: what it costs, which options are behind it and how, step by step.

A page is Markdown, for an editor and an issue tracker alike.  It begins with the verdict, goes on with what
each kind of event cost, the recorded values that differ between the runs, options in
rank order, the cause-effect chains of the first of them, and hotspots; values come last where none is an option's.  Everything is bounded, and what is left out is counted.

Terms: a *hold* is where an option takes hold of what runs; the steps to it are those of a flow.  The chains of one
option that pass the same hold are shown together: the steps once, then the calls to each hotspot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.base.words import count, joined, shorten
from conflens.diagnosis.evidence import (
    Row,
    before_text,
    chain_text,
    part_text,
    rows,
    values_of,
    verdict_words,
)
from conflens.diagnosis.report import (
    SHORT_WORDS,
    behind,
    changed,
    difference_text,
    differences_lead,
    frame_name,
    growth,
    is_compared,
    leading,
    legible,
    listed_hotspots,
    ordered_differences,
    percent,
    weight_text,
)
from conflens.diagnosis.results import (
    Cause,
    Diagnosis,
    HotChain,
    Hotspot,
    Located,
    Suspect,
)
from conflens.diagnosis.summary import headline, remarks
from conflens.flow.results import Dependency, Hold
from conflens.profiling.model import EventKind
from conflens.render.flow_view import PathView, StepView, line_text
from conflens.render.phrases import Wording, code, plain
from conflens.session.analysis import Analysis

TOP = 20
"""Options and hotspots in the tables, unless more are asked for."""
_EXPLAINED = 5
"""Options whose chains are shown step by step."""
_HOLDS = 2
_CHAINS = 3
_FRAMES = 16
_NAMES = 5
_DIFFERENCES = 30
_MAX_NAME = 120
_MAX_VALUE = 80
_MAX_TEXT = 1000
_DOES = {
    Dependency.DIRECT: "Its value is passed to a call or sizes an object",
    Dependency.BRANCH: "It controls whether code runs",
    Dependency.LOOP: "It controls how often code runs",
}


def diagnosis_page(
    analysis: Analysis, diagnosis: Diagnosis, wording: Wording, top: int | None = None
) -> str:
    """Return the page; ``top`` options and hotspots are in its tables."""
    return "\n".join([*diagnosis_lines(analysis, diagnosis, wording, top), ""])


def diagnosis_lines(
    analysis: Analysis, diagnosis: Diagnosis, wording: Wording, top: int | None = None
) -> Iterator[str]:
    """Yield the lines of the page."""
    page = _Page(analysis, diagnosis, wording, top or TOP)
    yield "# Diagnosis"
    yield ""
    yield f"**{_plain(headline(diagnosis), _MAX_TEXT)}**"
    yield ""
    yield from page.runs()
    yield from page.totals()
    lead = differences_lead(diagnosis)
    if lead:
        yield from page.differences()
    yield from page.options()
    yield from page.chains()
    yield from page.hotspots()
    if not lead:
        yield from page.differences()
    lines = list(remarks(diagnosis))
    if lines:
        yield from ("", "## Notes", "")
        for line in lines:
            yield f"- {_plain(line, _MAX_TEXT)}"


class _Page:
    """What the parts of one page share."""

    def __init__(
        self, analysis: Analysis, diagnosis: Diagnosis, wording: Wording, top: int
    ) -> None:
        self.analysis = analysis
        self.diagnosis = diagnosis
        self.wording = wording
        self.top = top
        self.compared = is_compared(diagnosis)

    def runs(self) -> Iterator[str]:
        if self.diagnosis.baseline:
            yield f"Baseline: {_names(self.diagnosis.baseline)}. Slow run: {_names(self.diagnosis.violation)}."
        else:
            of = "Comparison" if self.compared else "Snapshot"
            yield f"{of}: {_names(self.diagnosis.violation)}."

    def totals(self) -> Iterator[str]:
        if not self.diagnosis.totals:
            return
        yield ""
        if self.compared:
            yield "| kind | before | now | change |"
            yield "| --- | ---: | ---: | ---: |"
        else:
            yield "| kind | cost |"
            yield "| --- | ---: |"
        for total in self.diagnosis.totals:
            now = weight_text(self.diagnosis, total.kind, total.after)
            if self.compared:
                before = (
                    weight_text(self.diagnosis, total.kind, total.before)
                    if total.before is not None
                    else ""
                )
                now = f"{before} | {now} | {changed(growth(total))}"
            yield f"| {SHORT_WORDS[total.kind]} | {now} |"

    def options(self) -> Iterator[str]:
        listed = rows(self.diagnosis)
        if not listed:
            return
        of = "share of the added cost" if self.compared else "share of the cost"
        values = any(values_of(row, self.compared) for row in listed[: self.top])
        more = (" value |", " --- |") if values else ("", "")
        verdict = (" verdict |", " --- |") if self.compared else ("", "")
        yield from ("", "## Options", "")
        yield f"| | option |{verdict[0]} {of} |{more[0]} decision point |"
        yield f"| ---: | --- |{verdict[1]} --- |{more[1]} --- |"
        for number, row in enumerate(listed[: self.top], 1):
            value = _plain(values_of(row, self.compared), _MAX_VALUE)
            cells = [
                str(number),
                _cell(row.option[1]),
                *([_verdict(row)] if self.compared else []),
                part_text(self.diagnosis, row.part) if row.part is not None else "",
                *([value] if values else []),
                self._hold(row.suspect.causes[0].hold)
                if row.suspect is not None and row.suspect.causes
                else "",
            ]
            yield f"| {' | '.join(cells)} |"
        yield from _rest(len(listed) - self.top, "option")

    def chains(self) -> Iterator[str]:
        """The chains of the first options, likely causes unless there is none."""
        suspects = [item for item in self.diagnosis.suspects if item.causes]
        likely = [item for item in leading(self.diagnosis) if item.causes]
        for suspect in (likely or suspects)[:_EXPLAINED]:
            yield from ("", f"## Why {_code(suspect.option[1])} is suspected")
            yield from self._suspect(suspect)
        yield from _rest(len(likely) - _EXPLAINED, "such option")

    def hotspots(self) -> Iterator[str]:
        named = listed_hotspots(self.diagnosis)
        if not named:
            return
        hotspots = [hotspot for _, hotspot in named]
        yield from ("", "## Hotspots", "")
        if self.compared:
            yield "| method | kind | share | before | now | options |"
            yield "| --- | --- | ---: | ---: | ---: | --- |"
        else:
            yield "| method | kind | share | cost | options |"
            yield "| --- | --- | ---: | ---: | --- |"
        for name, hotspot in named[: self.top]:
            yield self._hotspot(name, hotspot)
        yield from _rest(len(hotspots) - self.top, "hotspot")
        lone = [item for item in hotspots[: self.top] if item.chains and not self._behind(item)]
        if lone:
            yield from ("", "Hotspots that no option was found for, and how they are called:", "")
        for hotspot in lone[:_EXPLAINED]:
            yield f"- {self._cost(hotspot)}: {self._calls(hotspot.chains[0], 0)}"

    def differences(self) -> Iterator[str]:
        differences = ordered_differences(self.diagnosis)
        if not differences:
            return
        yield from ("", "## Values that differ between the runs", "")
        yield "| name | value | recorded as |"
        yield "| --- | --- | --- |"
        for item in differences[:_DIFFERENCES]:
            value = _plain(difference_text(item), 2 * _MAX_VALUE)
            yield f"| {_cell(item.name)} | {value} | {_plain(item.origin, _MAX_VALUE)} |"
        yield from _rest(len(differences) - _DIFFERENCES, "value")

    def _suspect(self, suspect: Suspect) -> Iterator[str]:
        if suspect.reason:
            yield from ("", _plain(suspect.reason, _MAX_TEXT))
        holds: dict[tuple[object, ...], list[Cause]] = {}
        for cause in suspect.causes:
            hold = cause.hold
            key = hold.ref, hold.index, hold.dependency, hold.target
            holds.setdefault(key, []).append(cause)
        for causes in list(holds.values())[:_HOLDS]:
            yield from self._held(causes)
        left_out = sum(map(len, list(holds.values())[_HOLDS:]))
        yield from _rest(left_out, "chain")

    def _held(self, causes: Sequence[Cause]) -> Iterator[str]:
        hold = causes[0].hold
        yield from ("", f"{_DOES[hold.dependency]} ({hold.dependency.value}):", "")
        lines = (line for _, line in PathView(self.analysis, hold.path).numbered())
        for number, line in enumerate(lines, 1):
            yield f"{number}. {line_text(line, self.wording)}"
        yield ""
        yield "What runs from there:"
        yield ""
        # Ways that differ before the joint look the same from there, and are one.
        same: dict[tuple[str, EventKind], list[Cause]] = {}
        for cause in causes:
            calls = self._calls(cause.chain, cause.joint)
            same.setdefault((calls, cause.hotspot.kind), []).append(cause)
        chains = list(same.items())
        for (calls, _), ways in chains[:_CHAINS]:
            first = ways[0]
            effect = f" ({_plain(first.effect, _MAX_NAME)})" if first.effect else ""
            thread = ", handed to another thread" if first.spawned else ""
            yield f"- {calls}: {chain_text(self.diagnosis, *ways)}{effect}{thread}"
        if len(chains) > _CHAINS:
            yield f"- and {count(len(chains) - _CHAINS, 'more chain')}"

    def _cost(self, hotspot: Hotspot) -> str:
        now = f"{weight_text(self.diagnosis, hotspot.kind, hotspot.after)} {SHORT_WORDS[hotspot.kind]}"
        if hotspot.before is None:
            return f"{now}, {percent(hotspot.share)} of all"
        return f"{now}, {before_text(self.diagnosis, hotspot.kind, hotspot.before)}"

    def _calls(self, chain: HotChain, joint: int) -> str:
        """The frames from the joint to the hotspot, as links where they are in the project."""
        frames = list(chain.frames[joint:])
        if len(frames) > _FRAMES:
            half = _FRAMES // 2
            left_out = f"({count(len(frames) - 2 * half, 'more frame')})"
            parts = [*map(self._frame, frames[:half]), left_out, *map(self._frame, frames[-half:])]
        else:
            parts = list(map(self._frame, frames))
        return " → ".join(parts)

    def _frame(self, located: Located) -> str:
        name = _code(frame_name(located.frame))
        place = self._declared(located)
        if place is None:
            return name
        path, line = place
        return f"[{name}]({self.wording.link(path, line)})"

    def _declared(self, located: Located) -> tuple[str, int] | None:
        """Where a frame stands, or else where its method is declared."""
        ref = located.ref
        if ref is None:
            return None
        if located.line:
            return ref.path, located.line
        declaration = StepView(self.analysis, ref, -1)
        return (ref.path, declaration.line) if declaration.place is not None else None

    def _hold(self, hold: Hold) -> str:
        return StepView(self.analysis, hold.ref, hold.index).link(self.wording)

    def _hotspot(self, called: str, hotspot: Hotspot) -> str:
        method = hotspot.method
        name = _cell(called)
        place = self._declared(Located(method.frame, method.ref))
        if place is not None:
            name = f"[{name}]({self.wording.link(*place)})"
        cells = [name, SHORT_WORDS[hotspot.kind], percent(hotspot.share)]
        if self.compared:
            before = hotspot.before
            cells.append(weight_text(self.diagnosis, hotspot.kind, before) if before else "new")
        sure = "" if hotspot.significant else " (perhaps by chance)"
        cells.append(f"{weight_text(self.diagnosis, hotspot.kind, hotspot.after)}{sure}")
        names = self._behind(hotspot)
        shown = [_cell(name) for name in names[:_NAMES]]
        if len(names) > _NAMES:
            shown.append(f"{len(names) - _NAMES} more")
        cells.append(joined(shown) if shown else "")
        return f"| {' | '.join(cells)} |"

    def _behind(self, hotspot: Hotspot) -> list[str]:
        return [name for _, name in behind(self.diagnosis, hotspot)]


def _verdict(row: Row) -> str:
    return verdict_words(row.suspect) if row.suspect is not None else ""


def _names(names: Sequence[str]) -> str:
    shown = [_code(name) for name in names[:_NAMES]]
    if len(names) > _NAMES:
        shown.append(count(len(names) - _NAMES, "other"))
    return joined(shown)


def _plain(text: str, limit: int) -> str:
    return plain(legible(text), limit)


def _code(text: str) -> str:
    return code(shorten(legible(text), _MAX_NAME))


def _cell(text: str) -> str:
    """A code span for a table, where a bar would end the cell even so."""
    return _code(text).replace("|", "\\|")


def _rest(left_out: int, noun: str) -> Iterator[str]:
    if left_out > 0:
        yield ""
        yield f"And {count(left_out, f'more {noun}')}."
